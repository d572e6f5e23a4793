package bot_test

import (
	"bytes"
	"image/gif"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

func TestASpectatorWatchesAGameFromEitherSide(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	w.says(w.typed(cleo, "/lasca watch"), "No game is being played in this channel")
	hall := w.sim.AddChannel(w.guild, "hall")
	board := w.duel()
	w.private(cleo, w.typedIn(hall, cleo, "/lasca watch"))
	w.says(w.typedIn(hall, cleo, "/lasca watch"), "No game is being played in this channel")

	seen := w.typed(cleo, "/lasca watch") // the only game here
	w.private(cleo, seen)
	w.picture(seen)
	w.says(seen, "You are watching", board.ChannelID+"/"+board.ID, "Ann", "Ben", "Ann is to move")
	w.watchesOnly(seen)
	other := w.click(cleo, seen, "From the other side")
	if other.ID != seen.ID || !strings.Contains(other.Attachments[0].Description, "Black is at the bottom") {
		t.Errorf("not from the other side, or another message\n%s", describe(other))
	}
	board = w.moved(w.ann, board, "c3", "d4")
	now := w.until(cleo, other, "1. c3-d4")
	if !strings.Contains(now.Attachments[0].Description, "Black is at the bottom") {
		t.Error("the side has changed with the move")
	}
	w.watchesOnly(now)
	w.animation(w.click(cleo, now, "Last move as GIF"))

	w.stop() // what is no longer followed is so again from the next press on
	w.start()
	board = w.moved(w.ben, board, "e5", "c3")
	now = w.click(cleo, w.see(cleo, now), "Refresh")
	w.says(now, "1… e5xc3")
	board = w.moved(w.ann, board, "b2", "d4")
	now = w.until(cleo, now, "2. b2xd4")
	w.clock.Advance(20 * time.Minute) // no token is valid any more
	board = w.moved(w.ben, board, labelSquares(moveLabels(board)[0])...)
	w.says(w.click(cleo, w.see(cleo, now), "Refresh"), "2… ")
	w.click(w.ann, w.click(w.ann, board, "Resign"), "Yes, resign")
	end := w.until(cleo, now, "Ann resigned")
	if l := labels(end); !slices.Contains(l, "Review") || !slices.Contains(l, "GIF") {
		t.Errorf("after the end the buttons are %q", l)
	}
	w.says(w.typed(cleo, "/lasca watch"), "No game is being played in this channel")
}

// watchesOnly fails if a watcher could act in a running game, or hear how it stands.
func (w *world) watchesOnly(m discordsim.Message) {
	w.t.Helper()
	for _, l := range labels(m) {
		if !slices.Contains([]string{"From the other side", "Refresh", "Last move as GIF", "Game text"}, l) {
			w.t.Errorf("a watcher has the button %q", l)
		}
	}
}

func TestSeveralGamesOfAChannelAreListedToWatch(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	w.duel()
	w.clock.Advance(time.Minute)
	w.typed(w.ben, "/lasca spielen stufe:1 farbe:black")
	w.typed(cleo, "/lasca challenge user:@Ann") // is not a game yet
	list := w.typed(w.ben, "/lasca zuschauen")
	w.private(w.ben, list)
	w.says(list, "Partien in diesem Kanal", "ist am Zug")
	if l := labels(list); len(l) != 2 {
		t.Fatalf("buttons %q", l)
	}
	seen := w.click(w.ben, list, w.labelled(list, "2. "))
	w.says(seen, "Du schaust zu", "Ann", "Ben")
	if seen.ID != list.ID {
		t.Error("another private message")
	}
}

func TestWhoeverPressesAnothersButtonsIsOfferedToWatch(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	board := w.duel()
	told := w.click(cleo, board, "c3")
	w.says(told, "between Ann and Ben")
	seen := w.click(cleo, told, "Watch")
	w.private(cleo, seen)
	w.says(seen, "You are watching")
	w.moved(w.ann, board, "c3", "d4")
	w.until(cleo, seen, "1. c3-d4")
	// Elsewhere nobody knows whether she may see that channel.
	game := string(w.only(w.ann).Match.ID)
	r, err := cleo.Slash(w.ctx, w.sim.AddChannel(w.guild, "hall"), "lasca board", map[string]any{"game": game})
	if err != nil {
		t.Fatal(err)
	}
	if l := labels(w.message(cleo, r)); slices.Contains(l, "Watch") {
		t.Errorf("elsewhere the buttons are %q", l)
	}
}

func TestAWatchersCopyIsNotForgottenWithThePlayersWhoLeave(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	w.duel()
	seen := w.typed(cleo, "/lasca watch")
	w.deleted(w.ann)
	w.until(cleo, seen, "deleted player")
}

// ended is the board of a game between Ann and Ben that Ben has resigned.
func (w *world) ended() discordsim.Message {
	w.t.Helper()
	board := w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3")
	w.click(w.ben, w.click(w.ben, board, "Resign"), "Ja, aufgeben")
	return w.until(w.ann, board, "resigned")
}

func TestAnyoneMayLookAtFinishedGames(t *testing.T) {
	w := newWorld(t)
	cleo := w.stranger()
	board := w.ended()
	film := w.click(cleo, board, "GIF")
	w.private(cleo, film)
	w.animation(film)
	if l := labels(film); len(l) != 0 {
		t.Errorf("somebody without a part can show it to all: %q", l)
	}
	w.says(w.click(cleo, board, "Review"), "Where the game turned")
	w.says(w.click(cleo, board, "Game text"), "as text")
	told := w.click(cleo, board, "Rematch")
	w.says(told, "between Ann and Ben")
	seen := w.click(cleo, told, "Watch")
	w.says(seen, "Ben resigned")
	w.animation(w.click(cleo, seen, "GIF"))
}

// posts returns the public messages in the channel with a text.
func (w *world) posts(text string) (list []discordsim.Message) {
	for _, m := range w.sim.Messages(w.ben.ID(), w.channel) {
		if m.EphemeralFor == "" && strings.Contains(m.Content, text) {
			list = append(list, m)
		}
	}
	return list
}

func TestAPlayerShowsTheFilmToAllOnce(t *testing.T) {
	w := newWorld(t)
	board := w.ended()
	film := w.click(w.ben, board, "GIF")
	said := w.click(w.ben, film, "Allen zeigen")
	w.private(w.ben, said)
	posts := w.posts("Shown by Ben")
	if len(posts) != 1 {
		t.Fatalf("%d posts", len(posts))
	}
	w.says(said, "Jetzt können es alle hier sehen", posts[0].ID)
	a, data := w.attached(posts[0])
	if _, err := gif.DecodeAll(bytes.NewReader(data)); err != nil || a.Description == "" || len(posts[0].Pings) > 0 {
		t.Errorf("%v, description %q, pings %v", err, a.Description, posts[0].Pings)
	}

	w.stop() // the other player is told also after a restart
	w.start()
	w.clock.Advance(10 * time.Minute) // after which Discord would take the same post again
	again := w.click(w.ann, w.click(w.ann, board, "GIF"), "Show to all")
	w.private(w.ann, again)
	w.says(again, "has been shown here already", posts[0].ID)
	if n := len(w.posts("Shown by")); n != 1 {
		t.Errorf("%d posts", n)
	}
	// The review is another matter, and its record survives a new look of the board.
	w.says(w.click(w.ann, w.click(w.ann, board, "Review"), "Show to all"), "Everybody here can see it now")
	w.typed(w.ann, "/lasca look theme:dark")
	w.bot.Settled()
	w.says(w.click(w.ann, w.click(w.ann, board, "Review"), "Show to all"), "already")
	if n := len(w.posts("Where the game turned")); n != 1 {
		t.Errorf("%d reviews", n)
	}
}

func TestBothPlayersAtOnceShowAFilmOnce(t *testing.T) {
	w := newWorld(t)
	board := w.ended()
	a, b := w.click(w.ann, board, "GIF"), w.click(w.ben, board, "GIF")
	first, second := w.pressing(w.ann, a, "Show to all"), w.pressing(w.ben, b, "Allen zeigen")
	for who, done := range map[*discordsim.Actor]<-chan reply{w.ann: first, w.ben: second} {
		r := <-done
		if r.err != nil {
			t.Fatal(r.err)
		}
		w.says(w.message(who, r.Reply), w.posts("Shown by")[0].ID)
	}
	if n := len(w.posts("Shown by")); n != 1 {
		t.Errorf("%d posts", n)
	}
}

func TestWhatCannotBeShownToAllIsSaid(t *testing.T) {
	deny := func(w *world, p discordsim.Permissions) {
		w.sim.SetChannelPermissions(w.channel, w.sim.BotID(), w.sim.Permissions(w.channel, w.sim.BotID())&^p)
	}
	t.Run("without Attach Files", func(t *testing.T) {
		w := newWorld(t)
		film := w.click(w.ann, w.ended(), "GIF")
		deny(w, discordsim.AttachFiles)
		w.says(w.click(w.ann, film, "Show to all"), "Attach Files")
	})
	t.Run("without Send Messages", func(t *testing.T) {
		w := newWorld(t)
		film := w.click(w.ann, w.ended(), "GIF")
		deny(w, discordsim.SendMessages)
		w.says(w.click(w.ann, film, "Show to all"), "Send Messages")
		if n := len(w.posts("Shown by")); n != 0 {
			t.Errorf("%d posts", n)
		}
	})
	t.Run("in direct messages there is nobody to show it to", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.ann.OpenDM()
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		board = w.until(w.ann, w.moved(w.ann, board, "c3", "d4"), "move 2")
		w.click(w.ann, w.click(w.ann, board, "Resign"), "Yes, resign")
		film := w.click(w.ann, w.until(w.ann, board, "resigned"), "GIF")
		if l := labels(film); len(l) != 0 {
			t.Errorf("buttons %q", l)
		}
	})
}
