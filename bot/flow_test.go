package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

func TestChallenge(t *testing.T) {
	t.Parallel()
	t.Run("only the challenged may answer, only the challenger withdraw", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.says(w.click(w.ann, asked, "Accept"), "Only Ben can answer")
		w.says(w.click(w.ann, asked, "Decline"), "Only Ben can answer")
		if m := w.click(w.ben, asked, "Withdraw"); m.EphemeralFor != w.ben.ID() {
			t.Error("Ben withdrew Ann's challenge")
		}
		m := w.click(w.ann, asked, "Withdraw")
		w.says(m, "withdrew the challenge")
		if len(labels(m)) != 0 {
			t.Errorf("buttons are left: %v", labels(m))
		}
	})
	t.Run("declined", func(t *testing.T) {
		w := newWorld(t)
		m := w.click(w.ben, w.typed(w.ann, "/lasca challenge user:@Ben"), "Decline")
		w.says(m, "Ben declined")
		if len(labels(m)) != 0 {
			t.Errorf("buttons are left: %v", labels(m))
		}
	})
	t.Run("lapses", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.clock.Advance(play.ChallengeTime + time.Minute)
		if m := w.click(w.ben, asked, "Accept"); m.EphemeralFor != w.ben.ID() {
			t.Errorf("accepted too late\n%s", describe(m))
		}
		w.stop()
		w.start() // a start looks at what is due
		w.until(w.ann, asked, "in time")
	})
	t.Run("bug 17: not oneself, not other bots; this bot says how", func(t *testing.T) {
		w := newWorld(t)
		robot := w.sim.AddUser(discordsim.User{Name: "robo", DisplayName: "Robo", Bot: true})
		w.sim.Join(w.guild, robot)
		for user, text := range map[string]string{
			w.ann.ID(): "cannot challenge yourself", robot: "Other bots do not play", w.sim.BotID(): "With pleasure",
		} {
			m := w.typed(w.ann, "/lasca challenge user:<@"+user+">")
			if m.EphemeralFor != w.ann.ID() {
				t.Errorf("not private\n%s", describe(m))
			}
			w.says(m, text)
		}
	})
	t.Run("from the context menu of a person", func(t *testing.T) {
		w := newWorld(t)
		reply, err := w.ann.UserCommand(w.ctx, w.channel, "Challenge to Lasca", w.ben.ID())
		if err != nil {
			t.Fatal(err)
		}
		w.says(w.message(w.ann, reply), "challenges you")
	})
	t.Run("bug 19: many in a short time are refused, the challenged plays on", func(t *testing.T) {
		w := newWorld(t)
		var last discordsim.Message
		for range 8 {
			last = w.typed(w.ann, "/lasca challenge user:@Ben")
		}
		w.says(last, "wait a minute")
		w.picture(w.typed(w.ben, "/lasca play level:1 colour:white"))
	})
	t.Run("bug 53: a name is shown as it is and reaches nobody", func(t *testing.T) {
		w := newWorld(t)
		for _, name := range []string{"@everyone", "<@&1> `x` **b**", "```", "a\u202eb\u200b", "@here"} {
			w.sim.SetDisplayName(w.ann.ID(), name)
			m := w.typed(w.ann, "/lasca challenge user:@Ben")
			if m.PingsEveryone || !slices.Equal(m.Pings, []string{w.ben.ID()}) {
				t.Errorf("%q notifies %v, everyone: %v", name, m.Pings, m.PingsEveryone)
			}
			w.click(w.ann, m, "Withdraw")
			w.clock.Advance(5 * time.Minute)
		}
	})
}

func TestUndo(t *testing.T) {
	t.Parallel()
	t.Run("against the bot goes back to the person's turn at once", func(t *testing.T) {
		w := newWorld(t)
		start := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.moved(w.ann, start, "c3", "d4")
		board := w.until(w.ann, start, "move 2")
		back := w.click(w.ann, board, "Undo")
		w.says(back, "Ann took a move back")
		if n := len(w.only(w.ann).Match.Moves); n != 0 {
			t.Errorf("%d moves are left", n)
		}
	})
	t.Run("bug 26: between people takes consent and goes back to the named move", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		asked := w.click(w.ann, board, "Undo")
		w.says(asked, "Ann asks to take back `1. c3-d4`")
		refused := w.click(w.ben, asked, "Refuse undo")
		w.says(refused, "Ben declined the undo")
		asked = w.click(w.ann, refused, "Undo")
		if m := w.click(w.ann, asked, "Allow undo"); m.EphemeralFor != w.ann.ID() {
			t.Error("Ann allowed it to herself")
		}
		back := w.click(w.ben, asked, "Allow undo")
		w.says(back, "took a move back", "<@"+w.ann.ID()+">")
		if n := len(w.only(w.ann).Match.Moves); n != 0 {
			t.Errorf("%d moves are left", n)
		}
	})
	t.Run("with nothing to take back says so", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		w.says(w.typed(w.ann, "/lasca undo"), "no move to take back")
	})
}

func TestDraw(t *testing.T) {
	t.Parallel()
	t.Run("offered, declined, offered too soon, accepted", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		offered := w.click(w.ann, board, "½ Draw")
		w.says(offered, "Ann offers a draw", "<@"+w.ben.ID()+">")
		declined := w.click(w.ben, offered, "Decline the draw")
		w.says(declined, "Ben declined the draw")
		w.says(w.click(w.ann, declined, "½ Draw"), "a moment ago")
		offered = w.click(w.ben, w.see(w.ben, board), "½ Draw")
		end := w.click(w.ann, offered, "Accept the draw")
		w.says(end, "by agreement")
		if !over(end) {
			t.Error("no rematch offered")
		}
	})
	t.Run("the machine answers", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		w.click(w.ann, board, "½ Draw")
		w.until(w.ann, board, "Lasca (level 1) declined")
	})
}

func TestResign(t *testing.T) {
	t.Parallel()
	t.Run("asks privately, and stands whatever was moved meanwhile", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		asked := w.click(w.ben, board, "Resign")
		if asked.EphemeralFor != w.ben.ID() {
			t.Error("not private")
		}
		w.says(asked, "Ann") // in Ben's language
		w.moved(w.ann, board, "c3", "d4")
		w.click(w.ben, asked, "Ja, aufgeben")
		end := w.until(w.ann, board, "Ben resigned")
		w.says(end, "White wins")
		again := w.click(w.ann, end, "Rematch")
		w.says(again, "challenges you")
	})
	t.Run("kept", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		asked := w.typed(w.ann, "/lasca resign")
		kept := w.click(w.ann, asked, "No, play on")
		w.says(kept, "goes on")
		if p := w.only(w.ann).Match.Phase; p != match.Playing {
			t.Errorf("the game is %s", p)
		}
	})
	t.Run("while the machine thinks", func(t *testing.T) {
		w := newWorld(t)
		board := w.typed(w.ann, "/lasca play level:1 colour:white")
		asked := w.click(w.ann, board, "Resign")
		w.moved(w.ann, board, "c3", "d4")
		w.click(w.ann, asked, "Yes, resign")
		w.until(w.ann, board, "Ann resigned")
	})
}

func TestMoveCommand(t *testing.T) {
	t.Parallel()
	t.Run("sloppy forms", func(t *testing.T) {
		for _, text := range []string{"c3-d4", "c3 d4", "C3:D4", "c3d4", "9-13"} {
			t.Run(text, func(t *testing.T) {
				w := newWorld(t)
				w.duel()
				board := w.typed(w.ann, "/lasca move path:"+text)
				w.says(board, "1. c3-d4")
				w.picture(board)
			})
		}
	})
	t.Run("errors teach and offer what is possible", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		m := w.typed(w.ben, "/lasca move path:a5-b4")
		if m.EphemeralFor != w.ben.ID() {
			t.Error("not private")
		}
		l := labels(m)
		if len(l) == 0 {
			t.Fatalf("nothing offered\n%s", describe(m))
		}
		w.click(w.ben, m, l[0])
		w.until(w.ann, board, l[0])
	})
	t.Run("autocomplete offers legal moves, at most 25, and never fails", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		for typed, want := range map[string][]string{
			"":   {"a3-b4", "c3-b4", "c3-d4", "e3-d4", "e3-f4", "g3-f4"},
			"c3": {"c3-b4", "c3-d4"}, "C3:D": {"c3-d4"}, "zz": nil,
		} {
			list, err := w.ann.Autocomplete(w.ctx, w.channel, "/lasca move path:"+typed)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range list {
				got = append(got, c.Name)
			}
			slices.Sort(got)
			if typed != "zz" && !slices.Equal(got, want) {
				t.Errorf("%q: %v, want %v", typed, got, want)
			}
		}
		if list, err := w.ben.Autocomplete(w.ctx, w.channel, "/lasca move path:"); err != nil || len(list) != 0 {
			t.Errorf("out of turn: %v, %v", list, err)
		}
	})
}

func TestHint(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	m := w.click(w.ann, board, "Hint")
	if m.EphemeralFor != w.ann.ID() {
		t.Error("not private")
	}
	w.says(m, "Level 8 would play")
	w.picture(m)
	if l := labels(m); len(l) != 1 || !strings.HasPrefix(l[0], "Play ") {
		t.Fatalf("buttons %v", l)
	}
	w.says(w.click(w.ben, board, "Hint"), "Ann") // not Ben's turn
	w.click(w.ann, m, labels(m)[0])
	w.until(w.ben, board, "1. ")
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	t.Run("private answers are in the person's language, boards in the server's", func(t *testing.T) {
		w := newWorld(t)
		w.says(w.typed(w.ben, "/lasca help"), "Säule")
		w.says(w.typed(w.ann, "/lasca help"), "column")
		club := w.sim.AddGuild("Verein", "de")
		w.channel = w.sim.AddChannel(club, "brett")
		w.sim.Join(club, w.ann.ID())
		w.sim.Join(club, w.ben.ID())
		w.says(w.typed(w.ann, "/lasca play level:1 colour:white"), "Zug 1")
	})
	t.Run("bug 60: in direct messages", func(t *testing.T) {
		w := newWorld(t)
		w.channel = w.ben.OpenDM()
		board := w.typed(w.ben, "/lasca play level:1 colour:white")
		w.says(board, "Zug 1")
		w.picture(board)
		w.moved(w.ben, board, "c3", "d4")
		w.until(w.ben, board, "Zug 2")
	})
}

func TestLook(t *testing.T) {
	w := newWorld(t)
	m := w.typed(w.ben, "/lasca look boards:letters")
	w.says(m, "```")
	refused := w.typed(w.ben, "/lasca look theme:dark everyone:True")
	w.says(refused, "verwalten")
	w.sim.SetMemberPermissions(w.guild, w.ann.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageGuild)
	w.typed(w.ann, "/lasca look boards:letters everyone:True")
	w.says(w.duel(), "```")
}

func TestMore(t *testing.T) {
	t.Parallel()
	t.Run("the opponent's silence can be claimed after three days", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		if m := w.click(w.ann, board, "⋯"); slices.Contains(labels(m), "Claim the win") {
			t.Error("claimed at once")
		}
		w.clock.Advance(match.MoveTime + time.Minute)
		w.click(w.ann, w.click(w.ann, board, "⋯"), "Claim the win")
		w.until(w.ann, board, "has not moved for 3 days")
	})
	t.Run("called off before both have moved", func(t *testing.T) {
		w := newWorld(t)
		board := w.duel()
		w.click(w.ann, w.click(w.ann, board, "⋯"), "Call the game off")
		w.until(w.ann, board, "called off")
	})
	t.Run("my side, the game as text, as GIF, the list of games", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		menu := w.click(w.ben, board, "⋯")
		var mine discordsim.Message
		for _, l := range labels(menu) {
			if strings.Contains(l, "Seite") {
				mine = w.click(w.ben, menu, l)
			}
		}
		w.picture(mine)
		w.says(w.typed(w.ann, "/lasca games"), "Ann", "Ben", "waiting", "https://discord.com/channels/")
		text := w.click(w.ann, w.click(w.ann, board, "⋯"), "Game text")
		if len(text.Attachments) != 1 {
			t.Fatal("no file")
		}
		_, data, _ := w.sim.Attachment(text.Attachments[0].ID)
		if !strings.Contains(string(data), "1. c3-d4") {
			t.Errorf("%s", data)
		}
		replay := w.click(w.ann, w.click(w.ann, board, "⋯"), "Last move as GIF")
		w.says(replay, "1. c3-d4")
		if len(replay.Attachments) != 1 || replay.Attachments[0].Description == "" {
			t.Errorf("no animation with words: %+v", replay.Attachments)
		}
		w.click(w.ann, w.typed(w.ann, "/lasca resign"), "Yes, resign")
		end := w.until(w.ann, board, "resigned")
		review := w.click(w.ben, end, "Review")
		w.says(review, "kippte") // in Ben's language
		w.picture(review)
		film := w.click(w.ann, end, "GIF")
		if len(film.Attachments) != 1 || film.Attachments[0].Description == "" {
			t.Errorf("no animation with words: %+v", film.Attachments)
		}
	})
	t.Run("rules can be leafed through", func(t *testing.T) {
		w := newWorld(t)
		page := w.typed(w.ann, "/lasca rules")
		for range 4 {
			w.picture(page)
			next := w.click(w.ann, page, "Next →")
			if next.ID != page.ID {
				t.Fatal("a page is a new message")
			}
			page = next
		}
		w.says(page, "5")
	})
}

func TestRules(t *testing.T) {
	w := newWorld(t)
	w.says(w.typed(w.ann, "/lasca play level:1 colour:white rules:lasker"), "Classic 1911 rules")
	if r := w.only(w.ann).Match.Rules; r != engine.Lasker {
		t.Errorf("stored rules %v", r)
	}
}
