package view_test

import (
	"strings"
	"testing"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func TestDeletedPersonIsNotNamedAndOffersNoRematch(t *testing.T) {
	for _, l := range languages() {
		r := storage.Record{Match: after(t, running(t), match.Resign{By: engine.Black})}
		if changed, err := r.Forget(ben); !changed || err != nil {
			t.Fatal(changed, err)
		}
		msg := view.Game(l, view.Look{}, &r.Match, nil)
		keeps(t, msg)
		if !strings.Contains(msg.Text, l.T(i18n.Deleted)) || strings.Contains(msg.Text, "Ben") {
			t.Errorf("the deleted person is named: %s", msg.Text)
		}
		if len(msg.Notify) > 0 || strings.Contains(msg.Text, "<@") {
			t.Errorf("somebody is notified: %+v", msg)
		}
		if intents(msg)["Rematch"] {
			t.Error("a rematch is offered")
		}
	}
}

func TestEveryEndingHasItsSentence(t *testing.T) {
	m := running(t)
	m.Phase = match.Finished
	for _, l := range languages() {
		seen := map[string]string{}
		for _, e := range texts(t, "../../engine/match", "Ending") {
			m.Ending = match.Ending(e)
			text := view.Game(l, view.Look{}, &m, nil).Text
			if other, ok := seen[text]; ok {
				t.Errorf("%s: %q and %q have the same text: %s", l.Tag(), e, other, text)
			}
			seen[text] = e
		}
	}
}

func TestTheTimeThatRanOutIsInWordsForOneDayAndForMore(t *testing.T) {
	words := map[string][2]string{
		"en": {"for a day.", "for 3 days."},
		"de": {"seit einem Tag nicht", "seit 3 Tagen nicht"},
		"it": {"da un giorno.", "da 3 giorni."},
		"fr": {"depuis un jour.", "depuis 3 jours."},
		"es": {"lleva un día sin", "lleva 3 días sin"},
	}
	m := running(t)
	m.Phase, m.Ending, m.Result = match.Finished, match.Abandonment, engine.WhiteWins
	for _, l := range languages() {
		for i, days := range []int{1, 3} {
			m.Terms.Days = days
			if text := view.Game(l, view.Look{}, &m, nil).Text; !strings.Contains(text, words[l.Tag()][i]) {
				t.Errorf("%s: %d days: %s", l.Tag(), days, text)
			}
		}
	}
}
