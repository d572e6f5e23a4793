package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// timed returns the record of a match whose mover was told at once.
func timed(m match.Match) *storage.Record {
	r := storage.Record{Match: m, Screen: storage.Screen{Turn: m.Moved, Told: m.Moved}}
	r.Ends, _ = m.Deadline(m.Moved, 0)
	return &r
}

func TestMenuOffersToEndTheGameWhenThatIsPossible(t *testing.T) {
	on := running(t)
	one := moves(t, on, "c3-d4")
	two := moves(t, one, "e5xc3")
	machine := moves(t, matchOf(false, engine.White, engine.Kawu, [2]string{"Ann"}), "c3-d4", "e5xc3", "b2xd4")
	overdue := one.Moved.Add(match.MoveTime)
	for _, c := range []struct {
		name  string
		m     match.Match
		seat  engine.Color
		now   time.Time
		want  string
		until bool // the text says when the win may be claimed
	}{
		{"own first move", on, engine.White, on.Moved, "Abort", false},
		{"the opponent's first move", one, engine.White, one.Moved, "Abort", true},
		{"the opponent's time is up", one, engine.White, overdue, "Abort Claim", false},
		{"own time is up", one, engine.Black, overdue, "Abort", false},
		{"both have moved", two, engine.Black, two.Moved, "", true},
		{"the machine is to move", machine, engine.White, machine.Moved.Add(match.MoveTime), "", false},
		{"finished", after(t, two, match.Resign{By: engine.White}), engine.Black, overdue, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			msg := view.More(i18n.For("en"), view.Look{}, timed(c.m), c.seat, c.now)
			got := intents(msg)
			want := map[string]bool{"Abort": strings.Contains(c.want, "Abort"), "Claim": strings.Contains(c.want, "Claim")}
			if diff := cmp.Diff(want, map[string]bool{"Abort": got["Abort"], "Claim": got["Claim"]}); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(msg.Text, "<t:") != c.until {
				t.Errorf("%s", msg.Text)
			}
		})
	}
}
