package trace

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	otel "go.opentelemetry.io/otel/trace"
)

// scope names what the spans come from.
const scope = "github.com/lascabot/lascabot"

// Kind is what a span is about. Its name is the kind and a detail.
type Kind string

// The kinds of spans. The first three are those of whole traces.
const (
	Interaction Kind = "interaction" // what somebody asked for; the detail is discord.Kind
	Job         Kind = "job"         // work of the machine; the detail says which
	Refresh     Kind = "refresh"     // of a screen
	Intent      Kind = "intent"      // the handling of an interaction; the detail is the intent's name
	Store       Kind = "store"       // a call of the store; the detail names it
	Draw        Kind = "draw"        // of a picture
	Discord     Kind = "discord"     // a request; the detail is its method and route, without IDs
)

// Key names an attribute of a span.
type Key string

// The attributes. No other is ever sent.
const (
	KindKey    Key = "lascabot.kind"        // of an interaction: command, button …
	IntentKey  Key = "lascabot.intent"      // what it asks for
	RequestKey Key = "lascabot.interaction" // its ID, as in the log
	GuildKey   Key = "lascabot.guild"       // the server's ID
	GameKey    Key = "lascabot.game"        // the game's ID
	JobKey     Key = "lascabot.job"         // a job's key: the game's ID and version
	OutcomeKey Key = "lascabot.outcome"     // how it ended, if not well
	WaitedKey  Key = "lascabot.waited_ms"   // for its turn, in milliseconds
	NodesKey   Key = "lascabot.nodes"       // positions that were looked at
	RouteKey   Key = "http.route"           // method and route, without IDs
	StatusKey  Key = "http.response.status_code"
)

// Tracer makes spans and sends them. Make one with [FromEnv]. A nil one makes none.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   otel.Tracer
}

type tracerKey struct{}

// With returns a context in which [Root] starts traces with a tracer.
func With(ctx context.Context, t *Tracer) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, tracerKey{}, t)
}

// Span is something that takes time. Its zero value is one that nobody wants: its methods
// do nothing.
type Span struct{ span otel.Span }

// Root starts a trace, and does nothing in a context without a tracer. The caller ends
// the span.
func Root(ctx context.Context, kind Kind, detail string) (context.Context, Span) {
	t, _ := ctx.Value(tracerKey{}).(*Tracer)
	if t == nil {
		return ctx, Span{}
	}
	return start(ctx, t.tracer, kind, detail, otel.WithNewRoot())
}

// Start starts a span below that of the context, and does nothing where there is none. The
// caller ends it.
func Start(ctx context.Context, kind Kind, detail string) (context.Context, Span) {
	above := otel.SpanFromContext(ctx)
	if !above.IsRecording() {
		return ctx, Span{}
	}
	return start(ctx, above.TracerProvider().Tracer(scope), kind, detail)
}

func start(ctx context.Context, t otel.Tracer, kind Kind, detail string, opts ...otel.SpanStartOption) (context.Context, Span) {
	name := string(kind)
	if detail != "" {
		name += " " + detail
	}
	role := otel.SpanKindInternal
	switch kind {
	case Interaction:
		role = otel.SpanKindServer
	case Discord, Store:
		role = otel.SpanKindClient
	}
	ctx, span := t.Start(ctx, name, append(opts, otel.WithSpanKind(role))...)
	return ctx, Span{span}
}

// Set gives the span an attribute, but not an empty one.
func (s Span) Set(k Key, value string) {
	if s.span != nil && value != "" {
		s.span.SetAttributes(attribute.String(string(k), value))
	}
}

// SetInt gives the span an attribute that is a number.
func (s Span) SetInt(k Key, value int64) {
	if s.span != nil {
		s.span.SetAttributes(attribute.Int64(string(k), value))
	}
}

// End ends the span. Of the error it tells only whether it is none, a time that was over,
// or something else: see [Span.EndAs].
func (s Span) End(err error) {
	switch {
	case err == nil:
		s.EndAs("ok")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		s.EndAs("stopped")
	default:
		s.EndAs("failed")
	}
}

// EndAs ends the span with an outcome; each but "ok" marks it as failed.
func (s Span) EndAs(outcome string) {
	if s.span == nil {
		return
	}
	if outcome != "ok" {
		s.Set(OutcomeKey, outcome)
		s.span.SetStatus(codes.Error, outcome)
	}
	s.span.End()
}
