package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// maxTokenFile is more than any token has, and little to read by mistake.
const maxTokenFile = 4096

// readTokenFile reads a token, and warns when others can read it too.
func readTokenFile(name string) (token Secret, warning string, err error) {
	fail := func(err error) (Secret, string, error) {
		return Secret{}, "", fmt.Errorf("the file %s: %w", quote(name), err)
	}
	f, err := os.Open(name)
	if err != nil {
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err // without the name, which quote shows or hides
		}
		return fail(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return fail(errors.New("this is no file: name the file that holds the token"))
	}
	text, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	switch {
	case err != nil:
		return fail(errors.New("it cannot be read"))
	case len(text) > maxTokenFile:
		return fail(errors.New("it is too long for a token: put the token into it and nothing else"))
	}
	if token, err = readToken(string(text)); err != nil {
		return fail(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		warning = fmt.Sprintf("other users of this machine can get at the token file %s (mode %04o): chmod 600 it", quote(name), mode)
	}
	return token, warning, nil
}

// readToken reads a token as people paste it: with white space around it, or
// with the word that goes before it in a request.
func readToken(text string) (Secret, error) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "Bot "))
	if text == "" {
		return Secret{}, errors.New("it is empty: copy the token from the page Bot of Discord's developer portal")
	}
	for _, r := range text {
		if r <= ' ' || r > '~' {
			return Secret{}, errors.New("there are characters in it that no token has, such as a space or a line break: copy it again")
		}
	}
	return NewSecret(text), nil
}
