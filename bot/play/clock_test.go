package play

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lascabot/lascabot/storage"
)

// slowDeadline counts minutes in which the clock runs.
func slowDeadline(begin time.Time, minutes int, still []storage.Span) time.Time {
	at := begin
	for minutes > 0 {
		runs := true
		for _, s := range still {
			runs = runs && (at.Before(s.From) || !at.Before(s.To))
		}
		if runs {
			minutes--
		}
		at = at.Add(time.Minute)
	}
	return at
}

func TestTimeStandsStillInVacationsAndOutages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		begin := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		minute := rapid.IntRange(-100, 300)
		var still []storage.Span
		for range rapid.IntRange(0, 5).Draw(t, "spans") {
			from := begin.Add(time.Duration(minute.Draw(t, "from")) * time.Minute)
			still = append(still, storage.Span{From: from, To: from.Add(time.Duration(rapid.IntRange(0, 120).Draw(t, "length")) * time.Minute)})
		}
		minutes := rapid.IntRange(1, 200).Draw(t, "limit")
		got := deadline(begin, time.Duration(minutes)*time.Minute, still)
		want := slowDeadline(begin, minutes, still)
		// At the very end the clock may stand still at once; both are the same for a
		// player.
		for _, s := range still {
			if !got.Before(s.From) && got.Before(s.To) && got.Equal(s.From) {
				return
			}
		}
		if !got.Equal(want) {
			t.Fatalf("limit %d min, still %v: %v, want %v", minutes, still, got, want)
		}
	})
}

func TestVacationIsCountedByTheYear(t *testing.T) {
	t.Parallel()
	at := func(month time.Month, d int) time.Time { return time.Date(2026, month, d, 0, 0, 0, 0, time.UTC) }
	spans := []storage.Span{
		{From: time.Date(2025, 12, 28, 0, 0, 0, 0, time.UTC), To: at(time.January, 4)},
		{From: at(time.May, 1), To: at(time.May, 6)},
	}
	if v := vacationOf(spans, at(time.May, 3)); !v.Until.Equal(at(time.May, 6)) || v.Left != 6*day {
		t.Errorf("%+v", v)
	}
	if v := vacationOf(spans, at(time.May, 6)); !v.Until.IsZero() || v.Left != 6*day {
		t.Errorf("%+v", v)
	}
}
