package play

import (
	"errors"
	"fmt"
	"testing"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/storage"
)

func TestSettingsThatDoNotExistAreRefused(t *testing.T) {
	t.Parallel()
	for _, in := range []intent.Set{
		{Name: intent.SetNotices, Value: "loud"}, {Name: intent.SetServerMention, Value: "loud"}, {Name: intent.SetShow, Value: "smoke"},
		{Name: intent.SetButtons, Value: "none"}, {Name: intent.SetConfirm, Value: "no"}, {Name: intent.SetChallenges, Value: "yes"},
		{Name: intent.SetServerDays, Value: "2"}, {Name: intent.SetServerDays, Value: "-1"}, {Name: intent.SetServerRated, Value: "on"}, {Name: intent.SetServerThreads, Value: "no"},
		{Name: intent.SetServerChannel, Value: "there"}, {Name: "x"},
	} {
		b := newBench(t)
		who := ann
		who.Manages, who.Place.Guild = true, "7"
		if _, err := b.Set(t.Context(), who, in); !errors.Is(err, ErrNoSuchSetting) {
			t.Errorf("%+v: %v", in, err)
		}
		for _, key := range []string{personKey(who.ID), guildKey("7")} {
			if set, err := b.store.Settings(t.Context(), key); err != nil || !set.IsZero() {
				t.Errorf("%+v: stored %+v, %v", in, set, err)
			}
		}
	}
}

func TestAServerNamesAsManyChannelsAsCanBeTold(t *testing.T) {
	t.Parallel()
	var set storage.Settings
	in := intent.Set{Name: intent.SetServerChannel, Value: "here"}
	for i := range maxChannels {
		if err := change(&set, in, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := change(&set, in, "one more"); !errors.Is(err, ErrManyChannels) {
		t.Error(err)
	}
	if err := change(&set, in, "0"); err != nil || len(set.Channels) != maxChannels {
		t.Errorf("one that is there: %v, %d channels", err, len(set.Channels))
	}
}
