package trace

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	global "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// The variables that are read here; package otel reads many more.
const (
	endpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	protocol       = "OTEL_EXPORTER_OTLP_PROTOCOL"
	tracesProtocol = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	exporter       = "OTEL_TRACES_EXPORTER"
	disabled       = "OTEL_SDK_DISABLED"
)

// ErrSettings says that OpenTelemetry's variables ask for what cannot be done.
var ErrSettings = errors.New("cannot send traces")

// FromEnv makes a tracer by OpenTelemetry's environment variables. It is nil unless there
// is an address to send spans to, OTEL_EXPORTER_OTLP_ENDPOINT or
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, and neither OTEL_SDK_DISABLED nor
// OTEL_TRACES_EXPORTER switches them off. It contacts nobody. Other variables, such as
// those for headers, sampling, the service's name and the limits of the queue, mean what
// they do everywhere. getenv must be the process' own environment. The error wraps
// [ErrSettings] and names the variable.
func FromEnv(ctx context.Context, getenv func(string) string, version string, log *slog.Logger) (*Tracer, error) {
	if wanted, err := wanted(getenv); err != nil || !wanted {
		return nil, err
	}
	quiet(log)
	out, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	about, err := resource.New(ctx, resource.WithAttributes(attribute.String("service.name", "lascabot"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(out), sdk.WithResource(about))
	return &Tracer{provider: provider, tracer: provider.Tracer(scope)}, nil
}

// wanted reports whether the variables ask for traces.
func wanted(getenv func(string) string) (bool, error) {
	found := false
	for _, name := range []string{tracesEndpoint, endpoint} {
		text := strings.TrimSpace(getenv(name))
		if text == "" {
			continue
		}
		found = true
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return false, fmt.Errorf("%w: %s is not a web address: give one such as http://127.0.0.1:4318", ErrSettings, name)
		}
	}
	if !found || strings.EqualFold(getenv(disabled), "true") {
		return false, nil
	}
	switch kind := getenv(exporter); kind {
	case "", "otlp":
	case "none":
		return false, nil
	default:
		return false, fmt.Errorf("%w: %s is neither otlp nor none", ErrSettings, exporter)
	}
	for _, name := range []string{tracesProtocol, protocol} {
		switch getenv(name) {
		case "", "http/protobuf", "http/json":
		default:
			return false, fmt.Errorf("%w: %s asks for a protocol other than http/protobuf, which is the only one here; collectors take it at port 4318", ErrSettings, name)
		}
	}
	return true, nil
}

// complainEvery is how often the log may say that spans get lost.
const complainEvery = 10 * time.Minute

// quiet has the log told of what goes wrong with sending spans, now and then.
func quiet(log *slog.Logger) {
	var mu sync.Mutex
	var last time.Time
	more := 0
	global.SetErrorHandler(global.ErrorHandlerFunc(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if !last.IsZero() && time.Since(last) < complainEvery {
			more++
			return
		}
		log.Warn("could not send traces; the bot goes on without those", "err", err, "times_before", more)
		last, more = time.Now(), 0
	}))
	global.SetLogger(logr.FromSlogHandler(log.With("part", "opentelemetry").Handler()))
}

// closeTime is how long the last spans may take to be sent.
const closeTime = 2 * time.Second

// Close sends what has not been sent, for two seconds at most.
func (t *Tracer) Close() {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		global.Handle(err)
	}
}
