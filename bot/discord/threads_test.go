package discord

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/view"
)

// answering makes a REST that is answered in turn, the last answer for good, and gives
// what was sent.
func answering(t *testing.T, sent *[]string, answers ...string) *REST {
	return fakeREST(t, func(req *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		*sent = append(*sent, string(body))
		answer := answers[min(len(*sent), len(answers))-1]
		status := 200
		if strings.Contains(answer, `"code"`) {
			status = 400
		}
		return reply(status, "", answer), nil
	})
}

const archived = `{"code":50083,"message":"Thread is archived"}`

func TestAThreadThatThereIsAlreadyIsNotAFailure(t *testing.T) {
	var sent []string
	r := answering(t, &sent, `{"code":160004,"message":"A thread has already been created for this message"}`)
	if id, err := r.StartThreadFrom(t.Context(), "600", "700", "again"); err != nil || id != "700" {
		t.Errorf("%q, %v", id, err)
	}
}

func TestAThreadThatIsArchivedIsArchivedOnce(t *testing.T) {
	var sent []string
	if err := answering(t, &sent, archived).ArchiveThread(t.Context(), "75"); err != nil || len(sent) != 1 {
		t.Errorf("%v, sent %q", err, sent)
	}
}

func TestAnArchivedThreadIsOpenedToBeLocked(t *testing.T) {
	var sent []string
	err := answering(t, &sent, archived, `{"id":"75"}`).LockThread(t.Context(), "75")
	want := []string{`{"archived":true,"locked":true}`, `{"archived":false,"locked":true}`, `{"archived":true}`}
	if d := cmp.Diff(want, sent); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	sent = nil
	if err := answering(t, &sent, archived).LockThread(t.Context(), "75"); !errors.Is(err, ErrArchived) || len(sent) != 2 {
		t.Errorf("refused again: %v, sent %q", err, sent)
	}
}

func TestAForumPostsMessageHasItsIDIfNoOtherIsSaid(t *testing.T) {
	var sent []string
	thread, message, err := answering(t, &sent, `{"id":"76"}`).StartPost(t.Context(), "600", "x", view.Message{Text: "x"}, nil)
	if thread != "76" || message != "76" || err != nil {
		t.Errorf("%q, %q, %v", thread, message, err)
	}
	if _, _, err := answering(t, &sent, `{}`).StartPost(t.Context(), "600", "x", view.Message{Text: "x", Private: true}, nil); !errors.Is(err, ErrPrivate) || len(sent) != 1 {
		t.Errorf("a private message: %v, sent %q", err, sent)
	}
}

func TestALongNameOfAThreadIsCut(t *testing.T) {
	var sent []string
	if _, err := answering(t, &sent, `{"id":"75"}`).StartThread(t.Context(), "600", strings.Repeat("ä", 101)); err != nil {
		t.Fatal(err)
	}
	var body struct{ Name string }
	if err := json.Unmarshal([]byte(sent[0]), &body); err != nil || utf8.RuneCountInString(body.Name) != MaxThreadName {
		t.Errorf("%q, %v", body.Name, err)
	}
}

func TestDirectMessagesOpenedTooFastAreARateLimit(t *testing.T) {
	var sent []string
	r := answering(t, &sent, `{"code":40003,"message":"You are opening direct messages too fast"}`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // it is not waited for that long
	defer cancel()
	_, err := r.OpenDM(ctx, "100")
	var e *Error
	if !errors.Is(err, ErrRateLimited) || !errors.As(err, &e) || e.RetryAfter < time.Second || len(sent) != 1 {
		t.Errorf("%v, sent %d times", err, len(sent))
	}
}

// A forum post that somebody has just made takes other messages only after its first.
func TestANewForumPostIsWaitedFor(t *testing.T) {
	var sent []string
	const early = `{"code":40058,"message":"Cannot message this thread until after the post author has sent an initial message."}`
	if id, err := answering(t, &sent, early, `{"id":"79"}`).Post(t.Context(), "75", view.Message{Text: "x"}, nil, "nonce"); id != "79" || err != nil {
		t.Errorf("%q, %v", id, err)
	}
}

func TestARequestTellsItsThread(t *testing.T) {
	for channel, want := range map[string]Request{
		`{"id":"600","type":11,"parent_id":"599","thread_metadata":{"archived":true,"locked":true}}`:   {Thread: true, Parent: "599", Archived: true, Locked: true},
		`{"id":"600","type":12,"parent_id":"599","thread_metadata":{"archived":false,"locked":false}}`: {Thread: true, Parent: "599"},
		`{"id":"600","type":0,"parent_id":"42"}`:                                                       {}, // in a category
		`{"id":"601","type":1}`:                                                                        {},
		`null`:                                                                                         {},
		`"x"`:                                                                                          {},
	} {
		var r Request
		placeOf([]byte(`{"channel":` + channel + `}`)).tell(&r)
		if d := cmp.Diff(want, r); d != "" {
			t.Errorf("%s (-want +got):\n%s", channel, d)
		}
	}
}

func TestThreadsTakePermissions(t *testing.T) {
	const start, write, manage, administrator = 1 << 35, 1 << 38, 1 << 34, 1 << 3
	for bits, want := range map[int64][2]bool{
		start: {false, false}, write: {false, false}, start | write: {true, false}, manage: {false, true}, administrator: {true, true},
	} {
		r := Request{Guild: "500", Permissions: bits}
		if got := [2]bool{r.CanThread(), r.CanManageThreads()}; got != want {
			t.Errorf("%b: %v, want %v", bits, got, want)
		}
		if r.Guild = ""; r.CanThread() || r.CanManageThreads() {
			t.Errorf("%b: threads in direct messages", bits)
		}
	}
}
