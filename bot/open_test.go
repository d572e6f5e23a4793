package bot_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestOpenChallenge(t *testing.T) {
	t.Run("who presses Join first plays, on the terms that were shown, also after a restart", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca open colour:white days:1 rated:yes")
		w.says(asked, "looking for an opponent", "rated, one day per move", "Ann plays White")
		own := w.click(w.ann, asked, "Join")
		w.private(w.ann, own)
		w.says(own, "cannot")
		w.stop()
		w.start()
		board := w.click(w.ben, asked, "Join")
		w.says(board, "Ann – ⚫ Ben", "rated", "one day per move", "<@"+w.ann.ID()+">")
		if r := w.only(w.ann); r.Match.Phase != match.Playing || r.Match.Open || r.Match.Terms != (match.Terms{Days: 1, Rated: true}) {
			t.Errorf("%+v", r.Match)
		}
		w.moved(w.ben, w.moved(w.ann, board, "c3", "d4"), "e5", "c3")
	})
	t.Run("of two who press at once one plays, and the other is told who does", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		asked := w.typed(w.ann, "/lasca open colour:white")
		first, second := w.pressing(w.ben, asked, "Join"), w.pressing(cleo, asked, "Join")
		playing := 0
		for who, r := range map[*discordsim.Actor]reply{w.ben: <-first, cleo: <-second} {
			if errors.Is(r.err, discordsim.ErrNoComponent) {
				continue // the board was there already
			}
			if r.err != nil {
				t.Fatal(r.err)
			}
			if m := w.message(who, r.Reply); m.EphemeralFor == "" {
				playing++
			} else {
				w.private(who, m)
				w.says(m, "/lasca ")
			}
		}
		if n := w.unfinished(w.ben) + w.unfinished(cleo); n != 1 || playing != 1 || w.unfinished(w.ann) != 1 {
			t.Errorf("%d of them play, %d boards", n, playing)
		}
	})
	t.Run("on a German server everybody reads German", func(t *testing.T) {
		w := newWorld(t)
		club := w.sim.AddGuild("Verein", "de")
		for _, who := range []*discordsim.Actor{w.ann, w.ben} {
			w.sim.Join(club, who.ID())
		}
		room := w.sim.AddChannel(club, "brettspiele")
		asked := w.typedIn(room, w.ben, "/lasca open days:none hints:true")
		w.says(asked, "sucht jemanden", "mit Tipps", "ohne Zeitlimit")
		w.says(w.click(w.ann, asked, "Mitspielen"), "mit Tipps", "ohne Zeitlimit")
	})
	t.Run("only the challenger withdraws it, and its buttons go", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca open")
		w.private(w.ben, w.click(w.ben, asked, "Withdraw"))
		m := w.click(w.ann, asked, "Withdraw")
		w.says(m, "no longer looking")
		if len(labels(m)) != 0 {
			t.Errorf("there are still buttons: %v", labels(m))
		}
	})
	t.Run("it expires: the buttons go, and the message says so", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca open")
		w.stop()
		w.clock.Advance(play.ChallengeTime + time.Minute)
		w.start()
		if m := w.until(w.ann, asked, "Nobody joined Ann"); len(labels(m)) != 0 {
			t.Errorf("there are still buttons: %v", labels(m))
		}
	})
	t.Run("one in a channel, and none where nobody else can read it", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca open")
		again := w.typed(w.ann, "/lasca open")
		w.private(w.ann, again)
		w.says(again, "there already")
		w.only(w.ann)
		w.says(w.typedDM(w.ann, "/lasca open"), "in a channel")
	})
	t.Run("whoever the challenger blocks cannot join", func(t *testing.T) {
		w := newWorld(t)
		w.typed(w.ann, "/lasca block user:@Ben")
		asked := w.typed(w.ann, "/lasca open")
		m := w.click(w.ben, asked, "Join")
		w.private(w.ben, m)
		w.says(m, "keine Herausforderungen")
		if r := w.only(w.ann); r.Match.Phase != match.Proposed {
			t.Errorf("the challenge is %s", r.Match.Phase)
		}
	})
	t.Run("the challenger's data can be deleted while it waits", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca open")
		w.click(w.ann, w.typed(w.ann, "/lasca privacy delete"), "Yes, delete everything")
		if list, err := w.store.ListOf(w.ctx, storage.Of{User: match.UserID(w.ann.ID())}, "", 9); err != nil || len(list) > 0 {
			t.Errorf("%v is left, %v", list, err)
		}
		w.wait("the button goes", func(s *discordsim.Server) bool {
			m, ok := s.Message(w.ben.ID(), asked.ChannelID, asked.ID)
			return ok && len(labels(m)) == 0
		})
	})
}

// unfinished counts somebody's games and challenges.
func (w *world) unfinished(who *discordsim.Actor) int {
	w.t.Helper()
	list, err := w.store.ListByUser(w.ctx, match.UserID(who.ID()), 100)
	if err != nil {
		w.t.Fatal(err)
	}
	return len(list)
}

func TestTermsOfAChallenge(t *testing.T) {
	t.Run("both have hints if they agreed to them, each alone, and the game is casual", func(t *testing.T) {
		w := newWorld(t)
		asked := w.typed(w.ann, "/lasca challenge user:@Ben colour:white hints:true")
		w.says(asked, "hints allowed")
		board := w.click(w.ben, asked, "Accept")
		w.says(board, "hints allowed")
		m := w.click(w.ann, board, "Hint")
		w.private(w.ann, m)
		w.says(m, "I would play")
		w.says(w.click(w.ben, board, "Hint"), "nicht am Zug")
		w.moved(w.ann, board, "c3", "d4")
		w.stop()
		w.start()
		m = w.typed(w.ben, "/lasca hint")
		w.private(w.ben, m)
		w.says(m, "Ich würde")
		if r := w.only(w.ann); r.Match.Terms.Rated || !r.Match.Terms.Hints {
			t.Errorf("%+v", r.Match.Terms)
		}
	})
	t.Run("rated with hints is refused", func(t *testing.T) {
		w := newWorld(t)
		m := w.typed(w.ann, "/lasca challenge user:@Ben rated:yes hints:true")
		w.private(w.ann, m)
		w.says(m, "cannot be rated")
		w.says(w.typed(w.ben, "/lasca open rated:yes hints:true"), "nicht gewertet")
	})
	t.Run("a rematch is on the same terms", func(t *testing.T) {
		w := newWorld(t)
		board := w.click(w.ben, w.typed(w.ann, "/lasca challenge user:@Ben colour:white days:7 rated:yes"), "Accept")
		w.click(w.ann, w.click(w.ann, board, "Resign"), "Yes, resign")
		asked := w.click(w.ben, w.until(w.ben, board, "Ann resigned"), "Rematch")
		w.says(asked, "rated, 7 days per move")
		w.click(w.ann, asked, "Accept")
		if r := w.only(w.ann); r.Match.Terms != (match.Terms{Days: 7, Rated: true}) {
			t.Errorf("%+v", r.Match.Terms)
		}
	})
	t.Run("without limit no win can be claimed", func(t *testing.T) {
		w := newWorld(t)
		board := w.click(w.ben, w.typed(w.ann, "/lasca challenge user:@Ben colour:white days:none"), "Accept")
		board = w.moved(w.ann, w.moved(w.ben, w.moved(w.ann, board, "c3", "d4"), "e5", "c3"), "b2", "d4")
		w.clock.Advance(400 * 24 * time.Hour)
		if m := w.click(w.ann, board, "⋯ More"); slices.Contains(labels(m), "Claim the win") {
			t.Errorf("%s", describe(m))
		}
	})
	t.Run("the server's choice is the default", func(t *testing.T) {
		w := newWorld(t)
		if err := w.store.SaveSettings(w.ctx, "guild "+w.guild, storage.Settings{Days: 1, Rated: true}); err != nil {
			t.Fatal(err)
		}
		w.says(w.typed(w.ann, "/lasca challenge user:@Ben"), "rated, one day per move")
		m := w.typed(w.ben, "/lasca open days:3 rated:no")
		w.says(m, "3 days per move")
		if strings.Contains(m.Content, "rated") {
			t.Errorf("%s", describe(m))
		}
	})
}

func TestListOfChallenges(t *testing.T) {
	t.Run("what waits can be answered and withdrawn from the list", func(t *testing.T) {
		w := newWorld(t)
		cleo := w.stranger()
		w.says(w.typed(w.ben, "/lasca challenges"), "Keine Herausforderung")
		first := w.typed(w.ann, "/lasca challenge user:@Ben colour:white")
		second := w.typed(cleo, "/lasca challenge user:@Ben")
		w.typed(w.ben, "/lasca open")
		w.stop()
		w.start()
		list := w.typed(w.ben, "/lasca challenges")
		w.private(w.ben, list)
		w.says(list, "von Ann", "von dir an alle", "https://discord.com/channels/")
		if got := labels(list); len(got) != 5 || !slices.Contains(got, "3. Zurückziehen") {
			t.Errorf("buttons %v", got)
		}
		of := func(name string) string {
			for _, line := range strings.Split(list.Content, "\n") {
				if strings.Contains(line, "von "+name) {
					return strings.Trim(strings.Fields(line)[0], "*")
				}
			}
			t.Fatalf("%s does not say who", list.Content)
			return ""
		}
		w.click(w.ben, list, of("Ann")+" Annehmen")
		w.until(w.ann, first, "move 1")
		list = w.typed(w.ben, "/lasca challenges")
		w.click(w.ben, list, "1. Ablehnen")
		w.until(cleo, second, "Ben declined")
		list = w.typed(w.ben, "/lasca challenges")
		w.click(w.ben, list, "1. Zurückziehen")
		w.says(w.typed(w.ben, "/lasca challenges"), "Keine Herausforderung")
	})
}

func TestLimitsOfChallenges(t *testing.T) {
	t.Run("somebody who takes no challenges is left alone, and the challenger is told so", func(t *testing.T) {
		w := newWorld(t)
		if err := w.store.SaveSettings(w.ctx, "person "+w.ben.ID(), storage.Settings{NoChallenges: true}); err != nil {
			t.Fatal(err)
		}
		m := w.typed(w.ann, "/lasca challenge user:@Ben")
		w.private(w.ann, m)
		w.says(m, "does not want to be challenged")
		if n := w.unfinished(w.ben); n > 0 {
			t.Errorf("%d challenges", n)
		}
		w.says(w.typed(w.ben, "/lasca challenge user:@Ann"), "challenges you") // it is no vow
	})
	t.Run("nobody challenges, and nobody is challenged, more often than twenty times an hour", func(t *testing.T) {
		w := newWorld(t)
		made := 0
		for {
			last := w.typed(w.ann, "/lasca challenge user:@Ben")
			if last.EphemeralFor != "" {
				w.says(last, "a lot of challenges")
				break
			}
			w.click(w.ann, last, "Withdraw")
			if made++; made > 40 {
				t.Fatal("there is no limit")
			}
			w.clock.Advance(time.Minute)
		}
		if made < 20 {
			t.Errorf("only %d challenges", made)
		}
		cleo := w.stranger()
		m := w.typed(cleo, "/lasca challenge user:@Ben")
		w.private(cleo, m)
		w.says(m, "very often")
		w.clock.Advance(time.Hour)
		w.says(w.typed(cleo, "/lasca challenge user:@Ben"), "<@"+w.ben.ID()+">")
	})
}

func TestWhatOneAskedForCanBeWithdrawn(t *testing.T) {
	t.Run("a draw offer, by its button and after the command", func(t *testing.T) {
		w := newWorld(t)
		offered := w.click(w.ann, w.duel(), "½ Draw")
		not := w.click(w.ben, offered, "½ Withdraw offer")
		w.private(w.ben, not)
		w.says(not, "Nur er kann")
		again := w.typed(w.ann, "/lasca draw")
		w.private(w.ann, again)
		w.says(again, "already")
		w.stop()
		w.start()
		w.click(w.ann, again, "½ Withdraw offer")
		m := w.until(w.ben, offered, "Ann withdrew the draw offer")
		if slices.Contains(labels(m), "Accept the draw") {
			t.Errorf("%s", describe(m))
		}
		w.says(w.typed(w.ann, "/lasca draw"), "a moment ago")
		if r := w.only(w.ann); r.Match.Phase != match.Playing || r.Match.Offer != nil {
			t.Errorf("%+v", r.Match)
		}
	})
	t.Run("a request to take a move back", func(t *testing.T) {
		w := newWorld(t)
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		asked := w.click(w.ann, board, "Undo")
		w.says(w.typed(w.ben, "/lasca undo"), "Antworte zuerst")
		m := w.click(w.ann, asked, "Withdraw request")
		w.says(m, "no longer asks")
		if slices.Contains(labels(m), "Allow undo") {
			t.Errorf("%s", describe(m))
		}
		if n := w.moveCount(w.ann); n != 1 {
			t.Errorf("%d moves", n)
		}
	})
	t.Run("a game that has hardly begun is called off by command, and where one asks to resign", func(t *testing.T) {
		w := newWorld(t)
		w.duel()
		w.says(w.typed(w.ann, "/lasca abort"), "called off")
		board := w.duel()
		asked := w.click(w.ben, board, "Resign")
		w.says(asked, "verliert niemand")
		w.click(w.ben, asked, "Partie abbrechen")
		w.until(w.ann, board, "called off")
		board = w.moved(w.ben, w.moved(w.ann, w.duel(), "c3", "d4"), "e5", "c3")
		w.says(w.typed(w.ann, "/lasca abort"), "Both sides have moved")
		if asked = w.click(w.ann, board, "Resign"); slices.Contains(labels(asked), "Call the game off") {
			t.Errorf("%s", describe(asked))
		}
	})
}

func TestAModeratorEndsAGame(t *testing.T) {
	moderator := func(w *world) *discordsim.Actor {
		mod := w.join(discordsim.User{Name: "mod", DisplayName: "Mo", Locale: "de"})
		w.sim.SetMemberPermissions(w.guild, mod.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageChannels)
		return mod
	}
	t.Run("without result, and both players are called", func(t *testing.T) {
		w := newWorld(t)
		mod := moderator(w)
		w.says(w.typed(mod, "/lasca stop"), "keine Partie")
		board := w.moved(w.ann, w.duel(), "c3", "d4")
		asked := w.typed(mod, "/lasca stop")
		w.private(mod, asked)
		w.says(asked, "Ann – Ben")
		w.says(w.click(mod, asked, "Nein, weiterlaufen lassen"), "geht weiter")
		asked = w.typed(mod, "/lasca stop")
		w.stop()
		w.start()
		w.click(mod, asked, "Ja, beenden")
		w.wait("both are called", func(s *discordsim.Server) bool {
			list := s.Messages(w.ben.ID(), w.channel)
			last := list[len(list)-1]
			return strings.Contains(last.Content, "moderator ended the game") &&
				slices.Contains(last.Pings, w.ann.ID()) && slices.Contains(last.Pings, w.ben.ID())
		})
		if n := w.unfinished(w.ann); n > 0 {
			t.Errorf("%d games", n)
		}
		w.says(w.click(mod, asked, "Ja, beenden"), "zu Ende") // twice
		w.until(w.ben, board, "has ended")                    // the board that was there leads on
	})
	t.Run("nobody else, no player, and only in the channel", func(t *testing.T) {
		w := newWorld(t)
		mod, cleo := moderator(w), w.stranger()
		w.duel()
		before := w.only(w.ann)
		for _, line := range []string{"/lasca stop", "/lasca stop game:" + string(before.Match.ID)} {
			m := w.typed(cleo, line)
			w.private(cleo, m)
			w.says(m, "Manage Channels")
			m = w.typed(w.ben, line)
			w.private(w.ben, m)
			w.says(m, "Kanäle verwalten")
		}
		w.sim.SetMemberPermissions(w.guild, w.ann.ID(), discordsim.DefaultMemberPermissions|discordsim.ManageChannels)
		w.says(w.typed(w.ann, "/lasca stop game:"+string(before.Match.ID)), "play in this game yourself")
		other := w.sim.AddChannel(w.guild, "elsewhere")
		w.says(w.typedIn(other, mod, "/lasca stop game:"+string(before.Match.ID)), "In diesem Kanal")
		w.unchanged(w.ann, before)
	})
	t.Run("of several the moderator says which, by a button or by its name", func(t *testing.T) {
		w := newWorld(t)
		mod, cleo := moderator(w), w.stranger()
		w.duel()
		asked := w.typed(cleo, "/lasca open")
		which := w.typed(mod, "/lasca stop")
		if got := labels(which); len(got) != 2 {
			t.Fatalf("buttons %v", got)
		}
		label := slices.IndexFunc(labels(which), func(l string) bool { return strings.HasPrefix(l, "Herausforderung") })
		w.click(mod, w.click(mod, which, labels(which)[label]), "Ja, beenden")
		w.until(cleo, asked, "has ended")
		if n := w.unfinished(cleo); n > 0 {
			t.Errorf("%d challenges", n)
		}
		w.says(w.typed(mod, "/lasca stop game:Ann – Ben · 1"), "Ann – Ben")
	})
}
