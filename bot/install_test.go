package bot_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// outside is a world with places where the bot is not. Ann has installed the application
// for herself; Ben and Cleo have not.
type outside struct {
	*world
	cleo           *discordsim.Actor
	group, dm      string // of all three, and of Ann and Ben
	foreign, lobby string // a German server and its channel
}

func newOutside(t *testing.T) *outside { return outsideIn(newWorld(t)) }

func outsideIn(w *world) *outside {
	o := &outside{world: w, cleo: w.stranger()}
	ann, ben := w.ann.ID(), w.ben.ID()
	w.sim.SetInstalled(ann, true)
	o.group, o.dm = w.sim.AddGroupDM("Friends", ann, ben, o.cleo.ID()), w.sim.AddDM(ann, ben)
	o.foreign = w.sim.AddForeignGuild("Schachclub", "de")
	o.lobby = w.sim.AddChannel(o.foreign, "brettspiele")
	w.sim.Join(o.foreign, w.sim.AddUser(discordsim.User{Name: "host"})) // who owns it
	for _, who := range []string{ann, ben, o.cleo.ID()} {
		w.sim.Join(o.foreign, who)
	}
	w.t.Cleanup(func() {
		w.stop()
		// The bot's own token reaches none of these places, so it is never tried.
		for _, r := range w.sim.Requests() {
			for _, c := range []string{o.group, o.dm, o.lobby} {
				if strings.Contains(r.Path, "/channels/"+c) {
					w.t.Errorf("%s %s", r.Method, r.Path)
				}
			}
		}
		if w.t.Failed() {
			for _, c := range []string{o.group, o.dm, o.lobby} {
				w.t.Log(w.sim.Transcript(c))
			}
		}
	})
	return o
}

// alone takes the permission from somebody to show others on the foreign server what
// external applications answer.
func (o *outside) alone(who *discordsim.Actor) {
	o.sim.SetMemberPermissions(o.foreign, who.ID(), discordsim.DefaultMemberPermissions&^discordsim.UseExternalApps)
}

// same fails unless a press was answered in the message that it was on.
func (o *outside) same(was, now discordsim.Message) discordsim.Message {
	o.t.Helper()
	if now.ID != was.ID || now.EphemeralFor != "" {
		o.t.Fatalf("the press was answered in another message:\n%s", describe(now))
	}
	return now
}

// duelIn is duel in another channel.
func (o *outside) duelIn(channel, accept, options string) discordsim.Message {
	o.t.Helper()
	asked := o.typedIn(channel, o.ann, "/lasca challenge user:@Ben colour:white"+options)
	return o.same(asked, o.click(o.ben, asked, accept))
}

// captures presses the first button of those that lead to moves: the move, where there
// is only one.
func (o *outside) captures(who *discordsim.Actor, board discordsim.Message) discordsim.Message {
	o.t.Helper()
	return o.click(who, board, labels(board)[0])
}

// expired lets the tokens of all interactions expire.
func (o *outside) expired() { o.clock.Advance(16 * time.Minute) }

func TestFriendsPlayWhereTheBotIsNot(t *testing.T) {
	for _, c := range []struct {
		name, note, accept, resign, yes, again string
		place                                  func(*outside) string
	}{
		{"in a group chat", "can only answer", "Accept", "Resign", "Yes, resign", "Rematch", func(o *outside) string { return o.group }},
		{"in direct messages", "can only answer", "Accept", "Resign", "Yes, resign", "Rematch", func(o *outside) string { return o.dm }},
		{"on a German server", "nur antworten", "Annehmen", "Aufgeben", "Yes, resign", "Revanche", func(o *outside) string { return o.lobby }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := newOutside(t)
			place := c.place(o)
			asked := o.typedIn(place, o.ann, "/lasca challenge user:@Ben colour:white")
			o.says(asked, c.note, "<@"+o.ben.ID()+">")
			if asked.EphemeralFor != "" || !slices.Contains(asked.Pings, o.ben.ID()) {
				t.Fatalf("Ben has not been asked:\n%s", describe(asked))
			}
			board := o.same(asked, o.click(o.ben, asked, c.accept))
			o.picture(board)
			board = o.same(board, o.moved(o.ann, board, "c3", "d4"))
			if !asks(board, o.ben) {
				t.Errorf("%s", describe(board))
			}
			o.recorded()
			o.expired() // nobody would be told where the bot can post, too
			o.bot.Sweep(o.ctx)
			o.bot.Settled()
			board = o.same(board, o.captures(o.ben, board))
			o.recorded()
			o.stop()
			o.later(20 * time.Hour)
			o.start()
			board = o.same(board, o.captures(o.ann, board))
			o.recorded()
			if r := o.only(o.ann); len(r.Match.Moves) != 3 || r.Told().IsZero() {
				t.Errorf("%d moves, told at %v", len(r.Match.Moves), r.Told())
			}
			o.expired()
			end := o.click(o.ann, o.click(o.ann, board, c.resign), c.yes)
			if end.ID == board.ID || end.EphemeralFor != "" || !over(end) && !slices.Contains(labels(end), c.again) || !slices.Contains(end.Pings, o.ben.ID()) {
				t.Errorf("Ben is not told of the end:\n%s", describe(end))
			}
			// The board that was there cannot be changed, but a press on it can.
			old := o.same(board, o.click(o.ben, board, moveLabels(board)[0]))
			if !slices.Contains(labels(old), c.again) {
				t.Errorf("the old board has not ended:\n%s", describe(old))
			}
			again := o.click(o.ben, end, c.again)
			if again.EphemeralFor != "" || again.ID == end.ID || !slices.Contains(again.Pings, o.ann.ID()) {
				t.Errorf("%s", describe(again))
			}
			o.same(again, o.click(o.ann, again, c.accept))
		})
	}
}

func TestABoardIsShownAnewByAnswering(t *testing.T) {
	o := newOutside(t)
	first := o.moved(o.ann, o.duelIn(o.group, "Accept", ""), "c3", "d4")
	o.recorded()
	second := o.typedIn(o.group, o.ann, "/lasca board")
	if second.ID == first.ID || second.EphemeralFor != "" || !slices.Contains(second.Pings, o.ben.ID()) {
		t.Fatalf("%s", describe(second))
	}
	if old := o.until(o.ben, first, "➡️ The game goes on here: "); len(labels(old)) > 0 || !strings.Contains(old.Content, "/@me/"+o.group+"/"+second.ID) || len(old.Attachments) != 1 {
		t.Errorf("%s", describe(old))
	}
	o.expired()
	third := o.typedIn(o.group, o.ann, "/lasca board")
	o.stored("the new board is recorded", func() bool { return o.only(o.ann).Screen.Message == third.ID })
	o.bot.Settled()
	o.expired()
	// The second one could not be changed any more: it is a board like the other.
	board := o.same(second, o.captures(o.ben, o.see(o.ben, second)))
	if !asks(board, o.ann) || o.moveCount(o.ann) != 2 {
		t.Errorf("%s", describe(board))
	}
	// And now the third one shows too little: a press on it shows what there is.
	now := o.same(third, o.click(o.ann, third, "⋯ More"))
	if !asks(now, o.ann) || o.moveCount(o.ann) != 2 {
		t.Errorf("%s", describe(now))
	}
}

func TestTheMachinesAnswerComesByTheInteractionsToken(t *testing.T) {
	t.Run("while it lasts", func(t *testing.T) {
		o := newOutside(t)
		board := o.typedIn(o.group, o.ann, "/lasca play level:1 colour:white")
		o.says(board, "can only answer")
		o.moved(o.ann, board, "c3", "d4")
		o.until(o.ann, board, "move 2")
		o.private(o.ann, o.click(o.ann, o.see(o.ann, board), "Hint"))
	})
	t.Run("afterwards a press shows it", func(t *testing.T) {
		o := newOutside(t)
		board := o.typedIn(o.group, o.ann, "/lasca play level:1 colour:white")
		o.recorded()
		o.stop()
		r := o.only(o.ann)
		pos := r.Match.Game().Position()
		next, err := r.Match.Apply(match.Play{By: r.Match.Turn(), Move: pos.Moves()[0]}, o.clock.Now())
		if err == nil {
			err = o.store.Save(o.ctx, next, r.Match.Version)
		}
		if err != nil {
			t.Fatal(err)
		}
		o.start()
		o.stored("the machine has answered", func() bool { return len(o.only(o.ann).Match.Moves) == 2 })
		o.bot.Settled()
		o.says(o.see(o.ann, board), "move 1")
		o.says(o.same(board, o.click(o.ann, board, "⋯ More")), "move 2")
	})
}

func TestAnswersThatDiscordForcesToBePrivateSayWhy(t *testing.T) {
	t.Run("a challenge that nobody would see is refused", func(t *testing.T) {
		o := newOutside(t)
		o.alone(o.ann)
		for _, line := range []string{"/lasca challenge user:@Ben", "/lasca open"} {
			m := o.typedIn(o.lobby, o.ann, line)
			o.private(o.ann, m)
			o.says(m, "Discord shows my answers only to you here, because", "Use External Apps")
		}
		if n := o.unfinished(o.ann) + o.unfinished(o.ben); n > 0 {
			t.Errorf("%d challenges", n)
		}
	})
	t.Run("also when it could not be known beforehand", func(t *testing.T) {
		store := &atCreate{Store: memstore.New()}
		o := outsideIn(worldOn(t, store, 30*time.Second))
		store.do = func() { o.alone(o.ann) }
		m := o.typedIn(o.lobby, o.ann, "/lasca challenge user:@Ben")
		o.private(o.ann, m)
		o.until(o.ann, m, "Discord shows my answers only to you here, because")
		o.stored("the challenge is withdrawn", func() bool { return o.unfinished(o.ann)+o.unfinished(o.ben) == 0 })
		if m = o.see(o.ann, m); slices.Contains(labels(m), "Withdraw") {
			t.Errorf("%s", describe(m))
		}
		o.sim.SetMemberPermissions(o.foreign, o.ann.ID(), discordsim.DefaultMemberPermissions)
		m = o.typedIn(o.lobby, o.ann, "/lasca play level:1 colour:white")
		o.until(o.ann, m, "Discord shows this only to you")
		o.moved(o.ann, o.see(o.ann, m), "c3", "d4")
		o.until(o.ann, m, "move 2")
	})
	t.Run("the machine is played privately, and nobody else can watch", func(t *testing.T) {
		o := newOutside(t)
		o.sim.SetInstalled(o.ben.ID(), true)
		o.alone(o.ann)
		board := o.typedIn(o.lobby, o.ann, "/lasca play level:1 colour:white")
		o.private(o.ann, board)
		o.says(board, "Discord shows this only to you, because", "Use External Apps")
		o.moved(o.ann, board, "c3", "d4")
		o.until(o.ann, board, "move 2")
		o.stop()
		o.start()
		board = o.see(o.ann, board)
		o.private(o.ann, o.click(o.ann, board, moveLabels(board)[0]))
		board = o.typedIn(o.lobby, o.ann, "/lasca board")
		o.private(o.ann, board)
		o.says(board, "Use External Apps")
		if m := o.typedIn(o.lobby, o.ben, "/lasca zuschauen"); m.EphemeralFor != o.ben.ID() || len(m.Attachments) > 0 {
			t.Errorf("Ben watches a private game:\n%s", describe(m))
		}
	})
	t.Run("a player without the permission plays on the board that all see", func(t *testing.T) {
		o := newOutside(t)
		o.alone(o.ben)
		board := o.moved(o.ann, o.duelIn(o.lobby, "Annehmen", ""), "c3", "d4")
		o.sim.SetInstalled(o.ben.ID(), true)
		o.expired()
		own := o.typedIn(o.lobby, o.ben, "/lasca brett")
		o.private(o.ben, own)
		moved := o.captures(o.ben, own)
		o.says(moved, "Ann sieht das noch nicht")
		if now := o.same(board, o.click(o.ann, board, "Aufgeben")); !asks(now, o.ann) {
			t.Errorf("%s", describe(now))
		}
	})
}

func TestAWinIsClaimedWhereTheBotIsNotFromTheBoardItself(t *testing.T) {
	begun := func(t *testing.T) (*outside, discordsim.Message) {
		o := newOutside(t)
		board := o.duelIn(o.group, "Accept", " days:1")
		board = o.captures(o.ann, o.captures(o.ben, o.moved(o.ann, board, "c3", "d4")))
		o.recorded()
		return o, board
	}
	t.Run("the press on it shows that it is still there", func(t *testing.T) {
		o, board := begun(t)
		early := o.click(o.ann, board, "⋯ More")
		o.says(early, "You can claim the win")
		o.stop()
		o.later(25 * time.Hour)
		o.start()
		o.sim.SetInstalled(o.ann.ID(), true)
		own := o.typedDM(o.ann, "/lasca board game:"+string(o.only(o.ann).Match.ID))
		there := o.click(o.ann, own, "⋯ More")
		o.says(there, "press ⋯ More on the board that you both see")
		if slices.Contains(labels(there), "Claim the win") {
			t.Errorf("%s", describe(there))
		}
		more := o.click(o.ann, board, "⋯ More")
		end := o.click(o.ann, more, "Claim the win")
		if end.EphemeralFor != "" { // the board could still be changed
			end = o.see(o.ben, board)
		}
		if !over(end) || o.unfinished(o.ann) > 0 {
			t.Errorf("%s", describe(end))
		}
	})
	t.Run("a board that the opponent of the mover has shown anew begins the time anew", func(t *testing.T) {
		o, board := begun(t)
		o.later(20 * time.Hour)
		next := o.typedIn(o.group, o.ann, "/lasca board")
		o.stored("it is recorded", func() bool { return o.only(o.ann).Screen.Message == next.ID })
		o.later(5 * time.Hour)
		for _, m := range []discordsim.Message{board, next} {
			if more := o.click(o.ann, m, "⋯ More"); slices.Contains(labels(more), "Claim the win") {
				t.Errorf("%s", describe(more))
			}
		}
		o.later(20 * time.Hour)
		o.click(o.ann, o.click(o.ann, next, "⋯ More"), "Claim the win")
		if o.unfinished(o.ann) > 0 {
			t.Error("the game goes on")
		}
	})
	t.Run("the mover gains nothing by it", func(t *testing.T) {
		o, _ := begun(t)
		o.sim.SetInstalled(o.ben.ID(), true)
		o.later(20 * time.Hour)
		next := o.typedIn(o.group, o.ben, "/lasca brett")
		o.stored("it is recorded", func() bool { return o.only(o.ann).Screen.Message == next.ID })
		o.later(5 * time.Hour)
		o.click(o.ann, o.click(o.ann, next, "⋯ More"), "Claim the win")
		if o.unfinished(o.ann) > 0 {
			t.Error("the game goes on")
		}
	})
	t.Run("there is none while the person to move was not shown the turn", func(t *testing.T) {
		o, board := begun(t)
		o.captures(o.ben, board)
		o.recorded()
		o.expired()
		own := o.typedDM(o.ann, "/lasca board game:"+string(o.only(o.ann).Match.ID))
		o.says(o.captures(o.ann, own), "Ben does not see this yet")
		o.later(100 * time.Hour)
		if r := o.only(o.ann); !r.Told().IsZero() || r.Match.Turn() != 1 {
			t.Errorf("told at %v", r.Told())
		}
		// The first press on the board shows it, and the time begins.
		now := o.same(board, o.click(o.ann, board, "⋯ More"))
		if !asks(now, o.ben) {
			t.Errorf("%s", describe(now))
		}
		o.recorded()
		if more := o.click(o.ann, now, "⋯ More"); slices.Contains(labels(more), "Claim the win") {
			t.Errorf("%s", describe(more))
		}
	})
}

func TestRatingsWhereTheBotIsNotAreOverallOnes(t *testing.T) {
	o := newOutside(t)
	board := o.duelIn(o.lobby, "Annehmen", " rated:yes")
	board = o.captures(o.ann, o.captures(o.ben, o.moved(o.ann, board, "c3", "d4")))
	board = o.click(o.ben, board, moveLabels(board)[0])
	o.click(o.ben, o.click(o.ben, board, "Aufgeben"), "Ja, aufgeben")
	o.stored("the result counts", func() bool {
		r, err := o.store.Rating(o.ctx, storage.Overall, match.UserID(o.ann.ID()))
		return err == nil && r.Games == 1
	})
	if r, err := o.store.Rating(o.ctx, o.foreign, match.UserID(o.ann.ID())); err != nil || r.Games != 0 {
		t.Errorf("a rating on a server without the bot: %+v, %v", r, err)
	}
	o.says(o.typedIn(o.lobby, o.ann, "/lasca leaderboard"), "over all of them", "1662")
	o.says(o.typedIn(o.lobby, o.ann, "/lasca look theme:dark everyone:True"), "Manage Server")
	o.says(o.typedIn(o.lobby, o.ann, "/lasca games"), "no games in progress")
}

func TestTheBotsPresenceWins(t *testing.T) {
	o := newOutside(t)
	o.sim.SetInstalled(o.ben.ID(), true)
	board := o.moved(o.ann, o.duel(), "c3", "d4")
	o.recorded()
	if r := o.only(o.ann); r.Place.Guild != o.guild || r.Place.Outside != "" {
		t.Errorf("%+v", r.Place)
	}
	o.clock.Advance(10 * time.Minute)
	o.bot.Sweep(o.ctx)
	o.wait("Ben is reminded", func(s *discordsim.Server) bool {
		list := s.Messages(o.ben.ID(), o.channel)
		last := list[len(list)-1]
		return last.ID != board.ID && slices.Contains(last.Pings, o.ben.ID())
	})
}

func TestARematchIsNotAskedForWhereNobodyWouldSeeIt(t *testing.T) {
	o := newOutside(t)
	board := o.duelIn(o.group, "Accept", "")
	o.recorded()
	own := o.typedDM(o.ann, "/lasca board game:"+string(o.only(o.ann).Match.ID))
	own = o.click(o.ann, o.click(o.ann, own, "Resign"), "Yes, resign") // the copy from now on
	o.says(own, "Ann resigned")
	end := o.until(o.ann, board, "Ann resigned")
	o.says(o.click(o.ann, o.see(o.ann, own), "Rematch"), "can only answer, not post")
	if n := o.unfinished(o.ann); n > 0 {
		t.Errorf("%d challenges", n)
	}
	o.says(o.click(o.ann, end, "Rematch"), "<@"+o.ben.ID()+">")
}

func TestDataIsDeletedWhereTheBotIsNot(t *testing.T) {
	o := newOutside(t)
	first := o.typedIn(o.group, o.ann, "/lasca play level:1 colour:white")
	o.expired()
	second := o.typedIn(o.lobby, o.ann, "/lasca play level:1 colour:white")
	o.allRecorded(o.ann)
	o.deleted(o.ann)
	o.until(o.ann, second, "gelöscht")
	o.bot.Settled()
	if m := o.see(o.ann, first); len(labels(m)) == 0 { // nothing reaches it but a press
		t.Errorf("%s", describe(m))
	}
	o.says(o.click(o.ann, first, "c3"), "no longer have this game")
}

func TestABoardIsInLettersWhereItsReaderMayNotAttachFiles(t *testing.T) {
	o := newOutside(t)
	o.sim.SetMemberPermissions(o.foreign, o.ann.ID(), discordsim.DefaultMemberPermissions&^discordsim.AttachFiles)
	m := o.typedIn(o.lobby, o.ann, "/lasca play level:1")
	o.says(m, "darfst du keine Dateien anhängen")
	if len(m.Attachments) > 0 {
		t.Errorf("%s", describe(m))
	}
}

func TestABoardThatCannotBeChangedIsShownAnew(t *testing.T) {
	o := newOutside(t)
	board := o.duelIn(o.group, "Accept", "")
	o.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
		if strings.Contains(r.Path, "/callback") && strings.Contains(string(r.Body), `"type":7`) {
			return &discordsim.Fault{Status: 429, Code: 30046}
		}
		return nil
	})
	board = o.click(o.ann, board, "c3")
	o.sim.SetFault(nil)
	if next := o.click(o.ann, board, labels(board)[0]); !asks(next, o.ben) {
		t.Errorf("%s", describe(next))
	}
}

// atCreate is a store that does something when a game is made.
type atCreate struct {
	storage.Store
	do func()
}

func (s *atCreate) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	if s.do != nil {
		s.do()
	}
	return s.Store.Create(ctx, r, on...)
}
