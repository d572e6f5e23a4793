package webui

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy lets the page load only its own files, and never run text as code.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guard keeps other web sites out, see the package comment.
func guard(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")

		if !loopbackHost(r.Host) {
			writeError(w, &apiError{http.StatusForbidden, CodeForeign, "open this page at a loopback address such as http://127.0.0.1 or http://localhost"})
			return
		}
		if err := crossOrigin.Check(r); err != nil {
			writeError(w, &apiError{http.StatusForbidden, CodeForeign, err.Error()})
			return
		}
		// A link from elsewhere may open the page, but only the page reads the rest.
		if r.URL.Path != "/" {
			switch r.Header.Get("Sec-Fetch-Site") {
			case "", "none", "same-origin":
			default:
				writeError(w, &apiError{http.StatusForbidden, CodeForeign, "only the page itself may ask for this"})
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// loopbackHost reports whether a Host header names this machine by an address or
// name that a name server cannot redirect.
func loopbackHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	if strings.EqualFold(name, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(name)
	return err == nil && address.IsLoopback()
}
