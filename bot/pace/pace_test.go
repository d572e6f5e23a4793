package pace

import (
	"strconv"
	"testing"
	"time"

	"github.com/lascabot/lascabot/engine/match"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func TestBurstThenOneAtATimeForEachPersonAlone(t *testing.T) {
	l := New(3, 10*time.Second)
	for i := range 3 {
		if wait := l.Take("ann", noon); wait != 0 {
			t.Fatalf("time %d has to wait %v", i+1, wait)
		}
	}
	for range 200 { // who keeps trying does not wait longer for it
		if wait := l.Take("ann", noon.Add(4*time.Second)); wait != 6*time.Second {
			t.Fatalf("the fourth time has to wait %v", wait)
		}
	}
	if wait := l.Take("ben", noon); wait != 0 {
		t.Errorf("another person has to wait %v", wait)
	}
	if wait := l.Take("ann", noon.Add(10*time.Second)); wait != 0 {
		t.Errorf("after the wait there is another of %v", wait)
	}
	l.Forget("ann")
	if wait := l.Take("ann", noon.Add(11*time.Second)); wait != 0 {
		t.Errorf("somebody who was forgotten has to wait %v", wait)
	}
}

func TestAClockThatGoesBackLocksNobodyOut(t *testing.T) {
	l := New(1, time.Second)
	l.Take("ann", noon.Add(time.Hour))
	if wait := l.Take("ann", noon); wait > time.Second {
		t.Errorf("has to wait %v", wait)
	}
}

func TestPeopleWhoKeepWithinTheLimitAreForgotten(t *testing.T) {
	l := New(2, time.Second)
	for i := range 100_000 {
		l.Take(match.UserID(strconv.Itoa(i)), noon.Add(time.Duration(i)*time.Millisecond))
	}
	if n := len(l.by); n > 5000 { // about 1000 of them were here within the last second
		t.Errorf("%d are remembered", n)
	}
}

func BenchmarkTakeByNewPeople(b *testing.B) {
	l := New(10, 3*time.Second)
	i := 0
	for b.Loop() {
		i++
		l.Take(match.UserID(strconv.Itoa(i)), noon.Add(time.Duration(i)*time.Millisecond))
	}
}
