package discordsim_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func open(t *testing.T, path string, o discordsim.Options) *discordsim.Server {
	t.Helper()
	s, err := discordsim.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// state is all of a world that has to survive.
func state(s *discordsim.Server) obj {
	out := obj{"bot": s.BotID(), "users": s.Users(), "guilds": s.Guilds(), "channels": s.Channels(""), "commands": s.Commands("")}
	for _, g := range s.Guilds() {
		out["commands "+g.ID] = s.Commands(g.ID)
	}
	for _, c := range s.Channels("") {
		out["messages "+c.ID] = s.Messages("", c.ID)
		out["transcript "+c.ID] = s.Transcript(c.ID)
		for _, m := range s.Messages("", c.ID) {
			for _, a := range m.Attachments {
				_, data, ok := s.Attachment(a.ID)
				out["file "+a.ID] = fmt.Sprint(ok, len(data), bytes.Contains(data, []byte("PNG")))
			}
		}
		for _, u := range s.Users() {
			out["permissions "+c.ID+u.ID] = s.Permissions(c.ID, u.ID)
		}
	}
	return out
}

// fill makes a world in which every kind of thing has happened.
func fill(t *testing.T, w *world) {
	t.Helper()
	png := picture(t)
	w.register(lasca, obj{"name": "Challenge", "type": 2})
	th := w.sim.AddThread(w.general, "game")
	w.send(th, obj{"content": "in the thread"})
	w.sim.SetThread(th, true, true)
	gone := w.sim.AddChannel(w.guild, "gone")
	w.send(gone, obj{"content": "x"})
	w.sim.RemoveChannel(gone)
	dm := w.sim.As(w.ann).OpenDM()
	w.send(dm, obj{"content": "hello"})
	w.sim.SetDMClosed(w.ben, true)
	w.sim.SetChannelPermissions(w.general, w.ben, discordsim.ViewChannel)
	w.sim.SetMemberPermissions(w.guild, w.ann, discordsim.Administrator)
	id := w.send(w.general, obj{"content": "board <@" + w.ann + ">", "allowed_mentions": obj{"users": []string{w.ann}}, "nonce": "n",
		"attachments": []obj{{"id": 0, "description": "one"}}, "components": row(button("go", "Go"))}, file{"1.png", "image/png", png})
	w.rest("PATCH", "/channels/"+w.general+"/messages/"+id, obj{"allowed_mentions": quiet, "attachments": []obj{{"id": 0, "description": "two"}}}, file{"2.png", "image/png", png})
	w.rest("DELETE", "/channels/"+w.general+"/messages/"+w.send(w.general, obj{"content": "deleted"}), nil)
	w.bot(func(i obj) { w.callback(i, 4, obj{"content": "private", "flags": 64, "allowed_mentions": quiet}) })
	r, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := w.sim.As(w.ann).Click(w.ctx, w.general, id, "go"); err != nil || w.sim.As(w.ann).Dismiss(w.general, r.MessageID) != nil {
		t.Fatal(err)
	}
	if _, ok := w.sim.Message(w.ann, w.general, r.MessageID); !ok {
		t.Fatal("no ephemeral message")
	}
	w.clean()
}

func TestJournalKeepsTheWorldAfterACrash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w := serve(t, open(t, path, discordsim.Options{}))
	fill(t, w)
	want := state(w.sim)
	// The process dies here: what is in the file is all there is.
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		copied := filepath.Join(t.TempDir(), "copy")
		os.WriteFile(copied, data, 0o600)
		s := open(t, copied, discordsim.Options{})
		if d := cmp.Diff(want, state(s)); d != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, d)
		}
		if compact, _ := os.ReadFile(copied); round == 0 && len(compact) >= len(data) {
			t.Errorf("compacting made %d bytes of %d", len(compact), len(data))
		} else {
			data = compact
		}
	}

	// The buttons of old messages still work, and IDs keep growing.
	s := open(t, path, discordsim.Options{})
	w2 := &world{t: t, sim: s, ctx: w.ctx, general: w.general, guild: w.guild, ann: w.ann, ben: w.ben}
	w3 := serveAgain(t, w2)
	if w3.sim.AddUser(discordsim.User{Name: "Ann"}) != w.ann {
		t.Error("Ann is somebody else now")
	}
	msgs := s.Messages("", w.general)
	w3.bot(func(i obj) { w3.callback(i, 7, obj{"content": "clicked", "allowed_mentions": quiet}) })
	if _, err := s.As(w.ann).Click(w.ctx, w.general, msgs[0].ID, "go"); err != nil {
		t.Fatal(err)
	}
	if id := w3.send(w.general, obj{"content": "new"}); len(id) < len(msgs[0].ID) || id <= msgs[len(msgs)-1].ID {
		t.Errorf("new ID %s after %s", id, msgs[len(msgs)-1].ID)
	}
	w3.clean()
}

func TestJournalDropsATornEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w := serve(t, open(t, path, discordsim.Options{}))
	for i := range 5 {
		w.send(w.general, obj{"content": fmt.Sprint(i)})
	}
	data, _ := os.ReadFile(path)
	last := bytes.LastIndexByte(data[:len(data)-1], '\n') + 1
	for _, cut := range []int{last, last + 1, last + 8, last + 9, last + 12, (last + len(data)) / 2, len(data) - 2, len(data) - 1} {
		p := filepath.Join(t.TempDir(), "torn")
		os.WriteFile(p, data[:cut], 0o600)
		s, err := discordsim.Open(p, discordsim.Options{})
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if n := len(s.Messages("", w.general)); n != 4 {
			t.Fatalf("cut at %d: %d messages, want 4", cut, n)
		}
		s.Close()
	}
	// With one letter changed in an earlier record, the rest is lost and the damaged file is kept.
	bad := bytes.Replace(data, []byte(`"Content":"1"`), []byte(`"Content":"9"`), 1)
	p := filepath.Join(t.TempDir(), "flipped")
	os.WriteFile(p, bad, 0o600)
	if n := len(open(t, p, discordsim.Options{}).Messages("", w.general)); n != 1 {
		t.Errorf("%d messages, want the one before the damage", n)
	}
	if kept, err := os.ReadFile(p + ".damaged"); err != nil || !bytes.Equal(kept, bad) {
		t.Errorf("the damaged journal was not kept: %v", err)
	}
}

func TestIDsGrowEvenWhenTheClockWentBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w := serve(t, open(t, path, discordsim.Options{Clock: discordsim.NewManualClock(start)}))
	old := w.send(w.general, obj{"content": "x"})
	w.sim.Close()
	s := open(t, path, discordsim.Options{Clock: discordsim.NewManualClock(start.AddDate(-1, 0, 0))})
	m, err := s.As(w.ann).Say(w.ctx, w.general, "y")
	if err != nil || m.ID <= old {
		t.Errorf("%s after %s, %v", m.ID, old, err)
	}
}

func TestJournalLeavesOtherFilesAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "letter")
	text := []byte("Dear Ben,\n")
	os.WriteFile(path, text, 0o600)
	if _, err := discordsim.Open(path, discordsim.Options{}); !errors.Is(err, discordsim.ErrNotJournal) {
		t.Errorf("err = %v, want ErrNotJournal", err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, text) {
		t.Errorf("the file now holds %q", got)
	}
	if _, err := discordsim.Open(filepath.Join(t.TempDir(), "no", "such", "folder"), discordsim.Options{}); err == nil {
		t.Error("a journal in a missing folder is opened")
	}
}

func TestJournalKeepsTheNewestMessages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	w := serve(t, open(t, path, discordsim.Options{MaxMessages: 3}))
	for i := range 10 {
		w.send(w.general, obj{"content": fmt.Sprint(i), "attachments": []obj{{"id": 0, "description": "p"}}}, file{"p.png", "image/png", picture(t)})
	}
	w.sim.Close()
	s := open(t, path, discordsim.Options{MaxMessages: 3})
	msgs := s.Messages("", w.general)
	if len(msgs) != 3 || msgs[0].Content != "7" || len(msgs[0].Attachments) != 1 {
		t.Errorf("messages = %+v", msgs)
	}
}
