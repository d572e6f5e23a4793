package play

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// inRoom returns somebody who writes in a channel of a server.
func inRoom(id, request string) Caller {
	return Caller{ID: match.UserID(id), Name: id, Place: storage.Place{Guild: "g", Channel: "room"}, Request: match.ID(request)}
}

// opened makes Ann's challenge to whoever comes first.
func opened(t *testing.T, b *bench, request string) storage.Record {
	t.Helper()
	r, err := b.Open(t.Context(), inRoom("ann", request), intent.Open{Side: intent.White})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestOneOfManyWhoJoinAtOncePlays(t *testing.T) {
	b := newBench(t)
	r := opened(t, b, "1")
	var wins, taken atomic.Int64
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			who := inRoom(fmt.Sprintf("p%d", i), fmt.Sprint(100+i))
			switch got, err := b.Join(t.Context(), who, intent.Ref{Game: r.Match.ID, Version: 1}); {
			case err == nil && got.Match.Seats[1].User == who.ID:
				wins.Add(1)
			case errors.Is(err, ErrTaken) && got.Match.Phase == match.Playing:
				taken.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if wins.Load() != 1 || taken.Load() != 49 {
		t.Errorf("%d play, %d were too late", wins.Load(), taken.Load())
	}
}

func TestJoiningTwiceChangesNothing(t *testing.T) {
	b := newBench(t)
	ref := intent.Ref{Game: opened(t, b, "1").Match.ID}
	first, err := b.Join(t.Context(), inRoom("ben", "2"), ref)
	if err != nil {
		t.Fatal(err)
	}
	again, err := b.Join(t.Context(), inRoom("ben", "3"), ref)
	if err != nil || again.Match.Version != first.Match.Version {
		t.Errorf("version %d after %d, %v", again.Match.Version, first.Match.Version, err)
	}
	if _, err := b.Join(t.Context(), inRoom("ann", "4"), ref); !errors.Is(err, ErrTaken) {
		t.Errorf("the challenger: %v", err)
	}
	if again, err := b.Open(t.Context(), inRoom("ann", "1"), intent.Open{}); err != nil || again.Match.Version != first.Match.Version {
		t.Errorf("a request that is delivered twice: %+v, %v", again.Match, err)
	}
}

func TestWhoCannotJoin(t *testing.T) {
	b := newBench(t)
	ref := intent.Ref{Game: opened(t, b, "1").Match.ID}
	if err := b.Block(t.Context(), inRoom("ann", "2"), "eve", true); err != nil {
		t.Fatal(err)
	}
	for i := range MaxGames {
		b.now = b.now.Add(5 * time.Minute)
		if _, err := b.Play(t.Context(), inRoom("busy", fmt.Sprint(1000+i)), intent.Play{Level: 1 + i%8}); err != nil {
			t.Fatal(err)
		}
	}
	for who, want := range map[string]error{"ann": match.ErrSelf, "eve": ErrBlocked, "busy": ErrTooManyGames} {
		if r, err := b.Join(t.Context(), inRoom(who, "9"), ref); !errors.Is(err, want) || r.Match.Phase != match.Proposed {
			t.Errorf("%s: %v, the challenge is %s", who, err, r.Match.Phase)
		}
	}
	if _, err := b.Join(t.Context(), inRoom("ben", "9"), intent.Ref{Game: "7"}); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("no challenge: %v", err)
	}
	b.now = b.now.Add(ChallengeTime)
	if _, err := b.Join(t.Context(), inRoom("ben", "9"), ref); !errors.Is(err, match.ErrNotProposed) {
		t.Errorf("too late: %v", err)
	}
}

func TestOneOpenChallengeInAChannel(t *testing.T) {
	b := newBench(t)
	first := opened(t, b, "1")
	if r, err := b.Open(t.Context(), inRoom("ann", "2"), intent.Open{}); !errors.Is(err, ErrMade) || r.Match.ID != first.Match.ID {
		t.Errorf("%v", err)
	}
	elsewhere := inRoom("ann", "3")
	elsewhere.Place.Channel = "other"
	if _, err := b.Open(t.Context(), elsewhere, intent.Open{}); err != nil {
		t.Error(err)
	}
	b.now = b.now.Add(ChallengeTime + time.Minute) // the first has expired, and is not marked yet
	if _, err := b.Open(t.Context(), inRoom("ann", "4"), intent.Open{}); err != nil {
		t.Error(err)
	}
	if _, err := b.Open(t.Context(), Caller{ID: "ann", Place: storage.Place{Channel: "dm"}, Request: "5"}, intent.Open{}); !errors.Is(err, ErrNotShared) {
		t.Errorf("in direct messages: %v", err)
	}
}

func TestAPersonIsChallengedAtMostTwentyTimesAnHour(t *testing.T) {
	b := newBench(t)
	challenge := func(i int) error {
		r, err := b.Challenge(t.Context(), inRoom(fmt.Sprintf("p%d", i), fmt.Sprint(100+i)), intent.Challenge{User: "ben", Name: "Ben"})
		if err != nil {
			return err
		}
		_, _, err = b.Act(t.Context(), inRoom("ben", "1"), intent.Decline{Ref: intent.Ref{Game: r.Match.ID}})
		return err
	}
	for i := range hourly {
		if err := challenge(i); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := challenge(90); !errors.Is(err, ErrAskedOften) {
		t.Errorf("error %v", err)
	}
	if r, err := b.Challenge(t.Context(), inRoom("p91", "91"), intent.Challenge{User: "cleo", Name: "Cleo"}); err != nil || r.Match.Phase != match.Proposed {
		t.Errorf("somebody else: %v", err)
	}
	b.now = b.now.Add(hourlyEvery)
	if err := challenge(92); err != nil {
		t.Error(err)
	}
}

func TestOnlyAModeratorOfTheChannelStopsAGame(t *testing.T) {
	b := newBench(t)
	ref := intent.Ref{Game: opened(t, b, "1").Match.ID}
	if _, err := b.Join(t.Context(), inRoom("ben", "2"), ref); err != nil {
		t.Fatal(err)
	}
	mod := inRoom("mod", "3")
	mod.Moderates = true
	player, elsewhere := inRoom("ben", "4"), mod
	player.Moderates, elsewhere.Place.Channel = true, "other"
	for name, tt := range map[string]struct {
		who  Caller
		want error
	}{"anybody": {inRoom("mod", "3"), ErrNotModerator}, "a player": {player, ErrOwnGame}, "elsewhere": {elsewhere, ErrElsewhere}} {
		if _, err := b.Stop(t.Context(), tt.who, ref); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := b.Stoppable(t.Context(), player, intent.Ref{}); err != nil || len(list) > 0 {
		t.Errorf("the player may stop %v, %v", list, err)
	}
	if list, err := b.Stoppable(t.Context(), mod, intent.Ref{}); err != nil || len(list) != 1 {
		t.Errorf("the moderator may stop %v, %v", list, err)
	}
	r, err := b.Stop(t.Context(), mod, ref)
	if err != nil || r.Match.Ending != match.Stopped || r.Match.Counts() {
		t.Errorf("%+v, %v", r.Match, err)
	}
	if _, err := b.Stop(t.Context(), mod, ref); !errors.Is(err, match.ErrFinished) {
		t.Errorf("again: %v", err)
	}
}

func TestDeletingTheDataOfWhoWaitsForAnOpponentLeavesNoChallenge(t *testing.T) {
	b := newBench(t)
	r := opened(t, b, "1")
	if any, err := b.DeleteData(t.Context(), "ann", intent.DeleteData{Of: "ann"}, b.now); err != nil || !any {
		t.Fatal(any, err)
	}
	if _, err := b.Join(t.Context(), inRoom("ben", "2"), intent.Ref{Game: r.Match.ID}); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("error %v", err)
	}
	withdrawn := opened(t, b, "3")
	if _, _, err := b.Act(t.Context(), inRoom("ann", "4"), intent.Withdraw{Ref: intent.Ref{Game: withdrawn.Match.ID}}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.DeleteData(t.Context(), "ann", intent.DeleteData{Of: "ann"}, b.now); err != nil {
		t.Fatal(err)
	}
	if list, err := b.store.ListOf(t.Context(), storage.Of{User: "ann"}, "", 9); err != nil || len(list) > 0 {
		t.Errorf("%v is left, %v", list, err)
	}
}
