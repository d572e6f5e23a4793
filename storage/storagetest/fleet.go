package storagetest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lascabot/lascabot/storage"
)

// RunFleet runs the contract that every fleet must meet. open returns an empty one.
func RunFleet(t *testing.T, open func(testing.TB) storage.Fleet) {
	tests := []struct {
		name string
		test func(*testing.T, storage.Fleet)
	}{
		{"a name has one owner at a time", oneOwner},
		{"one of many gets each name", manyOwners},
		{"what has run out, and only that, is anybody's", ranOut},
		{"who has not heard of a lease asks again", holdAgain},
		{"a release frees the owner's own names alone", releases},
		{"moments are given out a time apart", moments},
		{"an ID is claimed by one owner, who may ask again", claims},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

const longTerm = time.Hour

func hold(t testing.TB, f storage.Fleet, owner string, term time.Duration, want []string, names ...string) {
	t.Helper()
	got, err := f.Hold(t.Context(), owner, term, "note of "+owner, names...)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%s asks for %q and has %q, want %q; %v", owner, names, got, want, err)
	}
}

// leased returns who has which name, such as "a: ann".
func leased(t testing.TB, f storage.Fleet) (list []string) {
	t.Helper()
	leases, err := f.Leases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range leases {
		if l.Note != "note of "+l.Owner || l.Left <= 0 || l.Left > longTerm {
			t.Errorf("%+v", l)
		}
		list = append(list, l.Name+": "+l.Owner)
	}
	return list
}

func oneOwner(t *testing.T, f storage.Fleet) {
	hold(t, f, "ann", longTerm, nil)
	hold(t, f, "ann", longTerm, []string{"b", "a"}, "b", "a")
	hold(t, f, "bob", longTerm, []string{"c"}, "a", "b", "c")
	hold(t, f, "ann", longTerm, []string{"a"}, "a", "c")
	if got, want := leased(t, f), []string{"a: ann", "b: ann", "c: bob"}; !slices.Equal(got, want) {
		t.Errorf("leases %q, want %q", got, want)
	}
}

func manyOwners(t *testing.T, f storage.Fleet) {
	names := []string{"a", "b", "c", "d", "e"}
	var all sync.WaitGroup
	var got atomic.Int64
	for i := range 16 {
		all.Go(func() {
			order := slices.Clone(names)
			if i%2 == 1 {
				slices.Reverse(order) // must not lock each other out
			}
			held, err := f.Hold(t.Context(), fmt.Sprint(i), longTerm, "", order...)
			if err != nil {
				t.Error(err)
			}
			got.Add(int64(len(held)))
		})
	}
	all.Wait()
	if got.Load() != int64(len(names)) {
		t.Errorf("%d owners of %d names", got.Load(), len(names))
	}
}

func ranOut(t *testing.T, f storage.Fleet) {
	hold(t, f, "ann", longTerm, []string{"long"}, "long")
	hold(t, f, "ann", 50*time.Millisecond, []string{"short"}, "short")
	for {
		got, err := f.Hold(t.Context(), "bob", longTerm, "note of bob", "long", "short")
		if err != nil {
			t.Fatal(err)
		}
		if slices.Equal(got, []string{"short"}) {
			break
		}
		if len(got) > 0 {
			t.Fatalf("bob has %q", got)
		}
		time.Sleep(time.Millisecond) // until the term is over
	}
	hold(t, f, "ann", longTerm, []string{"long"}, "long", "short")
	if got, want := leased(t, f), []string{"long: ann", "short: bob"}; !slices.Equal(got, want) {
		t.Errorf("leases %q, want %q", got, want)
	}
	hold(t, f, "ann", time.Nanosecond, []string{"long"}, "long") // shorter than the one before
	for len(leased(t, f)) != 1 {
		time.Sleep(time.Millisecond)
	}
}

func holdAgain(t *testing.T, f storage.Fleet) {
	hold(t, f, "ann", longTerm, []string{"a"}, "a")
	hold(t, f, "ann", longTerm, []string{"a"}, "a")
}

func releases(t *testing.T, f storage.Fleet) {
	hold(t, f, "ann", longTerm, []string{"a", "b"}, "a", "b")
	hold(t, f, "bob", longTerm, []string{"c"}, "c")
	must(t, f.Release(t.Context(), "ann"))
	must(t, f.Release(t.Context(), "ann", "a", "c", "unknown"))
	must(t, f.Release(t.Context(), "ann", "a"))
	if got, want := leased(t, f), []string{"b: ann", "c: bob"}; !slices.Equal(got, want) {
		t.Errorf("leases %q, want %q", got, want)
	}
	hold(t, f, "bob", longTerm, []string{"a"}, "a")
}

func moments(t *testing.T, f storage.Fleet) {
	began := time.Now()
	reserve := func(name string) time.Duration {
		t.Helper()
		d, err := f.Reserve(t.Context(), name, time.Hour)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := reserve("a"); d != 0 {
		t.Errorf("the first waits %v", d)
	}
	var all sync.WaitGroup
	waits := make(chan time.Duration, 8)
	for range cap(waits) {
		all.Go(func() { waits <- reserve("a") })
	}
	all.Wait()
	close(waits)
	var list []time.Duration
	for d := range waits {
		list = append(list, d)
	}
	slices.Sort(list)
	for i, d := range list {
		if want := time.Duration(i+1) * time.Hour; d > want || d < want-time.Since(began)-time.Second {
			t.Errorf("number %d waits %v, want %v", i+1, d, want)
		}
	}
	if d := reserve("other"); d != 0 {
		t.Errorf("the first of another name waits %v", d)
	}
}

func claims(t *testing.T, f storage.Fleet) {
	var all sync.WaitGroup
	var owners, again [16]bool
	for i := range owners {
		all.Go(func() {
			for _, to := range []*bool{&owners[i], &again[i]} {
				mine, err := f.Claim(t.Context(), fmt.Sprint(i), "id")
				if err != nil {
					t.Error(err)
				}
				*to = mine
			}
		})
	}
	all.Wait()
	n := 0
	for i := range owners {
		if owners[i] {
			n++
		}
	}
	if n != 1 || owners != again {
		t.Errorf("%d owners; %v, then %v", n, owners, again)
	}
	if mine, err := f.Claim(t.Context(), "another", "another id"); !mine || err != nil {
		t.Errorf("another ID: %t, %v", mine, err)
	}
}
