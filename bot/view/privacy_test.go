package view_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/storage"
)

// TestPrivacyMessagesKeepDiscordsLimits makes every message about stored data.
func TestPrivacyMessagesKeepDiscordsLimits(t *testing.T) {
	const day = 24 * time.Hour
	many := play.Stored{Settings: storage.Settings{Theme: "contrast"}, Running: 50, Open: 50, Finished: 1e9, Since: time.Unix(1<<33, 0)}
	letters, one := many, play.Stored{Finished: 1, Since: time.Unix(1, 0)}
	letters.Settings.Text = true
	short := view.Keeping{Finished: time.Hour, Removed: day, Copies: day}
	long := view.Keeping{Finished: 36500 * day, Removed: 36500 * day, Copies: 36500 * day}
	for _, l := range languages() {
		for _, k := range []view.Keeping{{}, short, long} {
			for _, d := range []play.Stored{{}, many, letters, one} {
				m := view.MyData(l, d, k)
				private(t, m)
				if (len(m.Rows) > 0) == d.Nothing() {
					t.Errorf("%+v", m)
				}
			}
			for _, any := range []bool{true, false} {
				private(t, view.DataDeleted(l, any, k))
			}
		}
		for _, again := range []bool{true, false} {
			m := view.AskDeleteData(l, "9876543210987654321", again)
			private(t, m)
			if m.Rows[0][0].Style != view.Danger || m.Rows[0][0].Intent != (intent.DeleteData{Of: "9876543210987654321"}) {
				t.Errorf("%+v", m.Rows)
			}
		}
		for _, left := range []int{0, 1, 1e9} {
			m := view.ExportData(l, []byte("{}"), left)
			private(t, m)
			if strings.Contains(m.Text, "\n") != (left > 0) {
				t.Errorf("%+v", m)
			}
		}
	}
}
