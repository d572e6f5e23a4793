package bot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/check"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// typed enters a command line and returns the message that answers it.
func (w *world) typed(who *discordsim.Actor, line string) discordsim.Message {
	w.t.Helper()
	return w.typedIn(w.channel, who, line)
}

// typedDM is typed in the person's direct messages.
func (w *world) typedDM(who *discordsim.Actor, line string) discordsim.Message {
	w.t.Helper()
	return w.typedIn(who.OpenDM(), who, line)
}

func (w *world) typedIn(channel string, who *discordsim.Actor, line string) discordsim.Message {
	w.t.Helper()
	reply, err := who.Type(w.ctx, channel, line)
	if err != nil {
		w.t.Fatalf("%s: %v", line, err)
	}
	return w.message(who, reply)
}

// click presses the button with a label and returns the message that answers the
// press: the same one, changed, or a new one.
func (w *world) click(who *discordsim.Actor, m discordsim.Message, label string) discordsim.Message {
	w.t.Helper()
	reply, err := who.ClickLabel(w.ctx, m.ChannelID, m.ID, label)
	if err != nil {
		w.t.Fatalf("press %q: %v\n%s", label, err, describe(m))
	}
	return w.message(who, reply, m)
}

// message waits until the message of a reply is complete and returns it as
// somebody sees it. The message on which a button was pressed may be given.
func (w *world) message(who *discordsim.Actor, r *discordsim.Reply, pressed ...discordsim.Message) discordsim.Message {
	w.t.Helper()
	id := r.MessageID
	if r.Kind == discordsim.ReplyDeferredUpdate { // on a slow machine
		id = w.late(r, pressed)
	}
	var m discordsim.Message
	w.wait("the answer is complete", func(s *discordsim.Server) bool {
		var ok bool
		m, ok = s.Message(who.ID(), r.ChannelID, id)
		return ok && !m.Loading && !m.Failed
	})
	return m
}

// late waits for what follows a deferred update, an edit of the same message or a new
// one, and returns the message's ID. What a press did may have been shown before the
// update was deferred, by whoever held the screen; then nothing follows.
func (w *world) late(r *discordsim.Reply, pressed []discordsim.Message) string {
	w.t.Helper()
	id := r.MessageID
	arrived := func(s *discordsim.Server) bool {
		token := ""
		for _, q := range s.Requests() {
			_, after, ok := strings.Cut(q.Path, "/interactions/"+r.InteractionID+"/")
			if ok {
				token = strings.TrimSuffix(after, "/callback")
			}
			if token == "" || q.Status != 200 || q.Method == "GET" {
				continue
			}
			var shown struct{ ID string }
			_ = json.Unmarshal(q.Response, &shown)
			answer := strings.Contains(q.Path, "/webhooks/") && strings.Contains(q.Path, token)
			// Where others hold the screen for too long, its refresh shows what was done:
			// by an edit, whoever's token it takes, or in a new message.
			posted := q.Method == "POST" && strings.HasSuffix(q.Path, "/channels/"+r.ChannelID+"/messages")
			if !answer && !posted && shown.ID != r.MessageID {
				continue
			}
			if q.Method == "POST" && shown.ID != "" {
				id = shown.ID
			}
			return true
		}
		return false
	}
	for {
		written := w.writes.next()
		for _, m := range pressed {
			if shown := w.shownSince(m); shown != "" {
				return shown
			}
		}
		ctx, cancel := context.WithCancel(w.ctx)
		go func() {
			defer cancel()
			select {
			case <-written:
			case <-ctx.Done():
			}
		}()
		err := w.sim.WaitFor(ctx, arrived)
		cancel()
		switch {
		case err == nil:
			return id
		case w.ctx.Err() != nil:
			w.t.Fatalf("waiting until the late answer has arrived: %v\n%s", err, w.sim.Transcript(w.channel))
		}
	}
}

// shownSince returns the message in a board's channel that shows its game in a later
// version than the board's, as is recorded; "" if none does.
func (w *world) shownSince(board discordsim.Message) string {
	for _, b := range buttons(board) {
		in, err := intent.ParseCustomID(b.CustomID)
		if err != nil || in.About().Game == "" {
			continue
		}
		r, err := w.store.Load(w.ctx, in.About().Game)
		if err != nil || r.Match.Version <= in.About().Version || r.Behind() || r.Screen.Channel != board.ChannelID {
			return ""
		}
		return r.Screen.Message
	}
	return ""
}

// see returns a message as somebody sees it now.
func (w *world) see(who *discordsim.Actor, m discordsim.Message) discordsim.Message {
	w.t.Helper()
	now, ok := w.sim.Message(who.ID(), m.ChannelID, m.ID)
	if !ok {
		w.t.Fatalf("%s can no longer see the message", who.ID())
	}
	return now
}

// until waits until a message, as somebody sees it, contains a text.
func (w *world) until(who *discordsim.Actor, m discordsim.Message, text string) discordsim.Message {
	w.t.Helper()
	w.wait("the message says "+text, func(s *discordsim.Server) bool {
		now, ok := s.Message(who.ID(), m.ChannelID, m.ID)
		if ok {
			m = now
		}
		return ok && strings.Contains(now.Content, text)
	})
	return m
}

// newest returns the newest message of the channel that somebody sees.
func (w *world) newest(who *discordsim.Actor) discordsim.Message {
	w.t.Helper()
	list := w.sim.Messages(who.ID(), w.channel)
	if len(list) == 0 {
		w.t.Fatal("the channel is empty")
	}
	return list[len(list)-1]
}

// says fails unless a message contains each text.
func (w *world) says(m discordsim.Message, texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if !strings.Contains(m.Content, text) {
			w.t.Errorf("the message does not say %q:\n%s", text, describe(m))
		}
	}
}

// describe returns a message as text for a test's output.
func describe(m discordsim.Message) string {
	return m.Content + "\n[" + strings.Join(labels(m), "] [") + "]"
}

// reply is the result of a press.
type reply struct {
	*discordsim.Reply
	err error
}

// pressing presses a button without waiting for the answer.
func (w *world) pressing(who *discordsim.Actor, m discordsim.Message, label string) <-chan reply {
	done := make(chan reply, 1)
	go func() {
		r, err := who.ClickLabel(w.ctx, m.ChannelID, m.ID, label)
		done <- reply{r, err}
	}()
	return done
}

// stranger adds somebody to the server who has no part in the games of the others.
func (w *world) stranger() *discordsim.Actor {
	return w.join(discordsim.User{Name: "cleo", DisplayName: "Cleo", Locale: "en-GB"})
}

// requests returns the requests whose route contains a text.
func (w *world) requests(route string) (list []discordsim.Request) {
	for _, r := range w.sim.Requests() {
		if strings.Contains(r.Route, route) {
			list = append(list, r)
		}
	}
	return list
}

// duel starts a game between Ann (White) and Ben and returns its board.
func (w *world) duel() discordsim.Message {
	w.t.Helper()
	asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
	return w.click(w.ben, asked, "Accept")
}

// only returns somebody's only unfinished game.
func (w *world) only(who *discordsim.Actor) storage.Record {
	w.t.Helper()
	list, err := w.store.ListByUser(w.ctx, match.UserID(who.ID()), 10)
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%d unfinished games, want one (%v)", len(list), err)
	}
	return list[0]
}

// moved makes a move with buttons and returns the board. It takes the only move
// when there is no choice, and the button that goes furthest along the path.
func (w *world) moved(who *discordsim.Actor, board discordsim.Message, path ...string) discordsim.Message {
	w.t.Helper()
	if l := moveLabels(board); len(l) == 1 && strings.HasPrefix(l[0], "Play ") {
		return w.click(who, board, l[0])
	}
	for len(path) > 0 {
		label, n := path[0], 1
		for _, l := range moveLabels(board) {
			squares := labelSquares(l)
			if len(squares) <= len(path) && slices.Equal(squares, path[:len(squares)]) {
				label, n = l, len(squares)
			}
		}
		board, path = w.click(who, board, label), path[n:]
	}
	return board
}

// labelSquares returns the squares on a button that leads to a move.
func labelSquares(label string) []string {
	squares, _, _ := strings.Cut(label, " ×")
	return strings.FieldsFunc(squares, func(r rune) bool { return r == '→' || r == '×' })
}

// written returns the move that a button shows as it is written.
func written(label string) string {
	return strings.NewReplacer("→", "-", "×", "x").Replace(label)
}

// standing lists the labels of the buttons that do not make moves.
var standing = []string{
	"Hint", "If-then", "Undo", "½ Draw", "Resign", "⋯ More", "← Back",
	"Accept the draw", "Decline the draw", "Allow undo", "Refuse undo",
}

// moveLabels returns the labels of the buttons that lead to moves.
func moveLabels(m discordsim.Message) []string {
	return slices.DeleteFunc(labels(m), func(l string) bool { return slices.Contains(standing, l) })
}

// over reports whether a board message shows the end of a game.
func over(m discordsim.Message) bool { return slices.Contains(labels(m), "Rematch") }

// buttons returns a message's buttons in their order, including disabled ones.
func buttons(m discordsim.Message) (list []check.Component) {
	for _, row := range m.Components {
		list = append(list, row.Components...)
	}
	return list
}

// labels returns the labels of a message's buttons that can be pressed.
func labels(m discordsim.Message) (list []string) {
	for _, b := range buttons(m) {
		if !b.Disabled {
			list = append(list, b.Label)
		}
	}
	return list
}

// buttonID returns the custom ID behind a label.
func (w *world) buttonID(m discordsim.Message, label string) string {
	w.t.Helper()
	for _, b := range buttons(m) {
		if b.Label == label {
			return b.CustomID
		}
	}
	w.t.Fatalf("no button %q\n%s", label, describe(m))
	return ""
}

// asks reports whether a board asks somebody to move.
func asks(m discordsim.Message, who *discordsim.Actor) bool {
	return strings.Contains(m.Content, "<@"+who.ID()+">")
}

// private fails unless only one person sees a message.
func (w *world) private(who *discordsim.Actor, m discordsim.Message) {
	w.t.Helper()
	if m.EphemeralFor != who.ID() {
		w.t.Errorf("only %s should see the message, but it is for %q\n%s", who.ID(), m.EphemeralFor, describe(m))
	}
}

// attached returns the one attachment of a message and its bytes.
func (w *world) attached(m discordsim.Message) (discordsim.Attachment, []byte) {
	w.t.Helper()
	if len(m.Attachments) != 1 {
		w.t.Fatalf("%d attachments, want one\n%s", len(m.Attachments), describe(m))
	}
	_, data, ok := w.sim.Attachment(m.Attachments[0].ID)
	if !ok {
		w.t.Fatal("the attachment is gone")
	}
	return m.Attachments[0], data
}

// picture fails unless a message has one picture that decodes and has a
// description.
func (w *world) picture(m discordsim.Message) {
	w.t.Helper()
	a, data := w.attached(m)
	if a.Description == "" {
		w.t.Error("the picture has no description")
	}
	if _, err := png.Decode(bytes.NewReader(data)); err != nil {
		w.t.Error(err)
	}
}

// animation fails unless a message has one attachment, which has a description.
func (w *world) animation(m discordsim.Message) {
	w.t.Helper()
	if a, _ := w.attached(m); a.Description == "" {
		w.t.Errorf("the animation has no description\n%s", describe(m))
	}
}

// moveCount returns the number of stored moves of somebody's only game.
func (w *world) moveCount(who *discordsim.Actor) int {
	w.t.Helper()
	return len(w.only(who).Match.Moves)
}

// unchanged fails if somebody's only game has changed.
func (w *world) unchanged(who *discordsim.Actor, before storage.Record) {
	w.t.Helper()
	if after := w.only(who); after.Match.Version != before.Match.Version {
		w.t.Errorf("the game changed from version %d to %d", before.Match.Version, after.Match.Version)
	}
}

// gameOf returns the stored game of a board that shows its end.
func (w *world) gameOf(m discordsim.Message) storage.Record {
	w.t.Helper()
	in, err := intent.ParseCustomID(w.buttonID(m, "Rematch"))
	if err != nil {
		w.t.Fatal(err)
	}
	r, err := w.store.Load(w.ctx, in.About().Game)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}
