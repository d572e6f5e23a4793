package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/engine/match"
)

// seen is a board on which Ben is to move, and has looked.
func (n news) seen() discordsim.Message {
	n.t.Helper()
	board := n.on()
	n.game()
	n.press(n.ben, board, i18n.ButtonMore)
	n.stored("Ben was seen", func() bool { return n.only(n.ann).Screen.Quiet.IsZero() })
	return n.see(n.ann, board)
}

// A deleted board tells nobody whose turn it is, and Discord does not tell the bot.
func TestAClaimOverADeletedBoardWaitsUntilTheOpponentIsTold(t *testing.T) {
	for _, c := range []struct {
		name, locale string
		again        bool // whoever claims shows the board again first
	}{
		{"from a private copy", "en-US", false},
		{"from a private copy, in German", "de", false},
		{"from a board that was shown again", "en-US", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newsIn(t, c.locale)
			board := n.seen()
			id := n.game().Match.ID
			far := n.away()
			copied := n.copyOf(n.ann, far, id)
			n.sim.DeleteMessage(board.ChannelID, board.ID)
			n.clock.Advance(match.MoveTime + time.Minute)
			n.stop()
			n.start()
			before := n.pings(n.ben)
			// claim presses the button, which is in the person's own language.
			claim := func() discordsim.Message {
				n.clock.Advance(time.Second)
				on := copied
				label := "⋯ More"
				if list := n.sim.Messages(n.ann.ID(), n.channel); c.again && len(list) > 0 {
					on, label = list[len(list)-1], n.lang.T(i18n.ButtonMore)
					for _, m := range list {
						if slices.Contains(labels(m), label) {
							on = m
						}
					}
				}
				return n.click(n.ann, n.click(n.ann, on, label), "Claim the win")
			}
			if c.again {
				n.typed(n.ann, "/lasca board")
				n.says(claim(), "Your opponent still has time to move", "<t:")
			} else {
				n.says(claim(), "The board was deleted", "counts from then")
			}
			n.wait("Ben is told by a new board", func(s *discordsim.Server) bool {
				list := s.Messages(n.ben.ID(), n.channel)
				return n.pings(n.ben) == before+1 && len(list) > 0 && asks(list[len(list)-1], n.ben)
			})
			n.stored("that is recorded", func() bool { r := n.only(n.ann); return !r.Told().IsZero() && r.Screen.Message != board.ID })
			if r := n.only(n.ann); n.clock.Now().Sub(r.Told()) > time.Minute {
				t.Errorf("the time counts since %v", r.Told())
			}
			n.clock.Advance(match.MoveTime - time.Minute)
			if m := n.click(n.ann, n.copyOf(n.ann, far, id), "⋯ More"); slices.Contains(labels(m), "Claim the win") {
				t.Errorf("it may be claimed before the time is over\n%s", describe(m))
			}
			n.clock.Advance(time.Hour)
			copied = n.copyOf(n.ann, far, id)
			n.click(n.ann, n.click(n.ann, copied, "⋯ More"), "Claim the win")
			n.stored("the game is over", func() bool { return n.game().Match.Ending == match.Abandonment })
		})
	}
}

func TestAClaimIsNotGrantedWhileNobodyKnowsWhetherTheBoardIsThere(t *testing.T) {
	for name, fault := range map[string]discordsim.Fault{
		"Discord refuses": {Status: 403, Code: 50013}, "Discord fails": {Status: 500}, "Discord sees no channel": {Status: 403, Code: 50001},
	} {
		t.Run(name, func(t *testing.T) {
			n := newsIn(t, "en-US")
			board := n.seen()
			n.clock.Advance(match.MoveTime + time.Minute)
			n.sim.SetFault(func(r *discordsim.Request) *discordsim.Fault {
				if strings.HasPrefix(r.Route, "PATCH /channels") {
					return &fault
				}
				return nil
			})
			more := n.press(n.ann, board, i18n.ButtonMore)
			n.says(n.click(n.ann, more, "Claim the win"), "cannot check right now")
			if r := n.only(n.ann); r.Match.Phase != match.Playing {
				t.Errorf("the game is %s", r.Match.Phase)
			}
			n.sim.SetFault(nil)
			n.click(n.ann, n.press(n.ann, board, i18n.ButtonMore), "Claim the win")
			n.stored("the game is over", func() bool { return n.game().Match.Ending == match.Abandonment })
		})
	}
}

// The time to move counts anew from a board that takes the place of a deleted one, also
// when the bot finds that out before anybody claims.
func TestABoardThatReplacesADeletedOneTellsTheTurnAnew(t *testing.T) {
	n := newsIn(t, "de")
	board := n.seen()
	id := n.game().Match.ID
	copied := n.copyOf(n.ann, n.away(), id)
	n.sim.DeleteMessage(board.ChannelID, board.ID)
	n.clock.Advance(2 * 24 * time.Hour)
	n.click(n.ann, copied, "½ Draw") // the board follows, by an edit
	n.stored("a new board is there", func() bool {
		r := n.only(n.ann)
		return r.Screen.Message != board.ID && r.Screen.Version == r.Match.Version && n.clock.Now().Sub(r.Told()) < time.Minute
	})
	if last := n.newest(n.ben); !asks(last, n.ben) {
		t.Errorf("Ben is not asked:\n%s", describe(last))
	}
}

func TestAPressOnAPrivateCopyAfterARestartShowsTheGameAsItIs(t *testing.T) {
	n := newsIn(t, "de")
	board := n.begun()
	id := n.game().Match.ID
	far := n.bothAway()
	own, bens := n.copyOf(n.ann, far, id), n.copyOf(n.ben, far, id)
	n.game()
	n.stop()
	n.start() // the copies are forgotten
	n.clock.Advance(20 * time.Minute)
	n.moved(n.ann, n.see(n.ann, board), "c3", "d4")
	n.wait("the board shows it", func(s *discordsim.Server) bool {
		list := s.Messages(n.ben.ID(), n.channel)
		return strings.Contains(list[len(list)-1].Content, "1. c3-d4")
	})
	for _, c := range []struct {
		who  *discordsim.Actor
		copy discordsim.Message
		says string
	}{{n.ann, own, "Only you see this board"}, {n.ben, bens, "Dieses Brett siehst nur du"}} {
		m := n.click(c.who, n.see(c.who, c.copy), labels(c.copy)[0]) // drawn before the move
		n.private(c.who, m)
		n.says(m, c.says, "1. c3-d4")
		if m.ID != c.copy.ID {
			t.Errorf("in another message:\n%s", describe(m))
		}
	}
	moved := n.click(n.ben, n.see(n.ben, bens), labels(n.see(n.ben, bens))[0]) // and it goes on working
	n.private(n.ben, moved)
}

// A kill may leave an old board with its buttons. It shows the newest version, and is as
// good as any: whoever presses it makes it the screen again, and the other one leads to it.
func TestAnOldBoardThatShowsTheGameAsItIsBecomesTheScreenAgain(t *testing.T) {
	n := newsIn(t, "en-US")
	old := n.begun()
	r := n.game()
	n.sim.SetFault(func(q *discordsim.Request) *discordsim.Fault {
		if strings.HasPrefix(q.Route, "PATCH /channels") && strings.Contains(q.Path, old.ID) {
			return &discordsim.Fault{Status: 500}
		}
		return nil
	})
	next := n.typed(n.ben, "/lasca board")
	n.stored("the new board is recorded", func() bool { return n.only(n.ann).Screen.Message == next.ID })
	n.stop() // with it goes the note that the old one is to be changed
	n.sim.SetFault(nil)
	n.start()
	board := n.moved(n.ann, n.see(n.ann, old), "c3", "d4")
	if board.ID != old.ID {
		t.Fatalf("the move is shown elsewhere:\n%s", describe(board))
	}
	n.wait("the other board leads there", func(s *discordsim.Server) bool {
		m, _ := s.Message(n.ben.ID(), next.ChannelID, next.ID)
		return strings.Contains(m.Content, old.ChannelID+"/"+old.ID) && len(m.Components) == 0
	})
	now := n.game()
	if now.Screen.Message != old.ID || now.Match.Version != r.Match.Version+1 || now.Told().IsZero() {
		t.Errorf("%+v", now.Screen)
	}
	n.clock.Advance(match.Away + time.Second) // Ben is told, whichever board he looks at
	before := n.pings(n.ben)
	n.bot.Sweep(n.ctx)
	n.wait("Ben is reminded", func(*discordsim.Server) bool { return n.pings(n.ben) == before+1 })
}
