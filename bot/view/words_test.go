package view_test

import (
	"testing"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestPlayerWithoutAKnownNameIsCalledByAWord(t *testing.T) {
	const id = "9876543210987654321"
	for _, l := range languages() {
		for _, c := range []struct {
			seat match.Seat
			want string
		}{
			{match.Seat{User: storage.Deleted}, l.T(i18n.Deleted)},
			{match.Seat{User: storage.Deleted, Name: "Ann"}, l.T(i18n.Deleted)},
			{match.Seat{User: id}, l.T(i18n.Someone)},
			{match.Seat{User: id, Name: id}, l.T(i18n.Someone)},
			{match.Seat{Level: 4}, l.T(i18n.MachineAt, "Level", 4)},
			{match.Seat{User: "1", Name: "*Ann*"}, "*Ann*"},
		} {
			if got := view.PlayerName(l, c.seat); got != c.want {
				t.Errorf("%s: %+v is called %q, want %q", l.Tag(), c.seat, got, c.want)
			}
		}
	}
}
