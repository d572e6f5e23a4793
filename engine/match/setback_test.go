package match

import (
	"errors"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine"
)

func TestSetBack(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	start := func(t *testing.T, black Seat) Match {
		t.Helper()
		m, err := Start(New{ID: "7", Seats: [2]Seat{{User: "a"}, black}, Rules: engine.Kawu, Expires: at.Add(time.Hour)}, at)
		if err == nil && black.User != "" {
			m, err = m.Apply(Accept{By: engine.Black}, at)
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	apply := func(t *testing.T, m Match, c Command) Match {
		t.Helper()
		next, err := m.Apply(c, at.Add(time.Hour))
		if err == nil {
			err = next.Check()
		}
		if err != nil {
			t.Fatalf("%T: %v", c, err)
		}
		return next
	}
	first := func(m *Match) engine.Move {
		pos := m.Game().Position()
		return pos.Moves()[0]
	}
	t.Run("the version is above all that may be shown, the moves stay, the turn begins anew", func(t *testing.T) {
		m := start(t, Seat{User: "b"})
		m = apply(t, m, Play{engine.White, first(&m)})
		m = apply(t, m, OfferDraw{engine.White})
		next := apply(t, m, SetBack{Shown: m.Version + 7})
		if next.Version < m.Version+7+VersionJump || len(next.Moves) != 1 || next.Offer != nil || !next.Moved.Equal(at.Add(time.Hour)) {
			t.Errorf("%+v", next)
		}
		if next.Seen != m.Seen {
			t.Error("somebody is taken for present who has not acted")
		}
		if next = apply(t, m, SetBack{Shown: 7, By: engine.Black, Here: true}); !next.Seen[engine.Black].Equal(at.Add(time.Hour)) {
			t.Error("whoever has found out is not taken for present")
		}
	})
	t.Run("the machine's move leaves the notice, a person's takes it away", func(t *testing.T) {
		m := start(t, Seat{Level: 1})
		m = apply(t, m, Play{engine.White, first(&m)})
		m = apply(t, m, SetBack{Shown: 9})
		m = apply(t, m, Play{engine.Black, first(&m)})
		if !m.lost() {
			t.Error("the machine's move took it away")
		}
		if m = apply(t, m, Play{engine.White, first(&m)}); m.Notice != nil {
			t.Errorf("it says %v", m.Notice)
		}
	})
	t.Run("what is over stays over", func(t *testing.T) {
		m := apply(t, start(t, Seat{User: "b"}), Resign{engine.White})
		if _, err := m.Apply(SetBack{Shown: 9}, at); !errors.Is(err, ErrFinished) {
			t.Errorf("error %v", err)
		}
	})
}
