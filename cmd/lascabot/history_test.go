package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// recordedStore writes down each call on a game before it is made and after it has
// returned. The file outlives the process, so that a test can look for an order of the
// calls of all processes in which each makes sense: [history.check].
type recordedStore struct {
	storage.Store
	out *recording
}

// recording is where calls are written down. Processes may share its file.
type recording struct {
	mu      sync.Mutex
	out     io.Writer
	process string
	n       int
}

// recordIn is the environment variable with the name of the file in which the program,
// run by a test, writes down the calls of its store.
const recordIn = "LASCABOT_TEST_RECORD"

// writtenDown is a store whose calls are written down at the end of a file.
func writtenDown(s storage.Store, path string) storage.Store {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	return recordedStore{s, &recording{out: f, process: fmt.Sprintf("%d.%d", os.Getpid(), time.Now().UnixNano())}}
}

// operation is a call on a game, as a line of the file. A call has two: one without an
// outcome before it is made.
type operation struct {
	Process string   `json:"process"`
	N       int      `json:"n"` // counted in its process
	At      int64    `json:"at"`
	Kind    string   `json:"kind"`
	Game    match.ID `json:"game"`
	Prev    uint64   `json:"prev,omitempty"`
	Next    value    `json:"next,omitzero"`
	Loose   bool     `json:"loose,omitempty"` // it may be refused for something else than the game's version
	Outcome string   `json:"outcome,omitempty"`
}

// value is what a game is: a version, and a hash of all that comes with it. The zero
// value is no game.
type value struct {
	Version uint64 `json:"version,omitempty"`
	Hash    uint64 `json:"hash,omitempty"`
}

func valueOf(m match.Match) value {
	h := fnv.New64a()
	fmt.Fprint(h, m.Phase, m.Result, m.Ending, m.Moves, m.Seats[0].User, m.Seats[1].User)
	return value{m.Version, h.Sum64()}
}

// What the outcome of a call may be.
const (
	done    = "done"
	refused = "refused" // another version, or none, or one already
	nothing = "nothing" // certainly not done, for a reason that has nothing to do with the game
	unknown = "unknown"
)

func outcomeOf(err error) string {
	switch {
	case err == nil:
		return done
	case errors.Is(err, storage.ErrConflict), errors.Is(err, storage.ErrExists), errors.Is(err, storage.ErrNotFound):
		return refused
	case errors.Is(err, storage.ErrHangs), errors.Is(err, storage.ErrClosed):
		return nothing
	}
	return unknown // the context's error too: nobody promises that nothing was done
}

func (r *recording) begin(op operation) (func(operation), error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	op.Process, op.N, op.At = r.process, r.n, time.Now().UnixNano()
	if err := r.write(op); err != nil {
		return nil, err
	}
	return func(end operation) {
		r.mu.Lock()
		defer r.mu.Unlock()
		op.At, op.Next, op.Outcome = time.Now().UnixNano(), end.Next, end.Outcome
		_ = r.write(op) // a call that seems not to have ended may have had any outcome
	}, nil
}

func (r *recording) write(op operation) error {
	line, err := json.Marshal(op)
	if err == nil {
		_, err = r.out.Write(append(line, '\n')) // one write: only the last line of a process can be cut off
	}
	return err
}

func (s recordedStore) change(op operation, do func() error) error {
	end, err := s.out.begin(op)
	if err != nil {
		return err
	}
	err = do()
	op.Outcome = outcomeOf(err)
	end(op)
	return err
}

func (s recordedStore) Create(ctx context.Context, r storage.Record, on ...storage.Basis) error {
	op := operation{Kind: "create", Game: r.Match.ID, Next: valueOf(r.Match), Loose: len(on) > 0}
	return s.change(op, func() error { return s.Store.Create(ctx, r, on...) })
}

func (s recordedStore) Save(ctx context.Context, m match.Match, prev uint64, on ...storage.Basis) error {
	op := operation{Kind: "save", Game: m.ID, Prev: prev, Next: valueOf(m), Loose: len(on) > 0}
	return s.change(op, func() error { return s.Store.Save(ctx, m, prev, on...) })
}

func (s recordedStore) Delete(ctx context.Context, id match.ID, version uint64) error {
	op := operation{Kind: "save", Game: id, Prev: version}
	return s.change(op, func() error { return s.Store.Delete(ctx, id, version) })
}

func (s recordedStore) Load(ctx context.Context, id match.ID) (storage.Record, error) {
	op := operation{Kind: "load", Game: id}
	end, err := s.out.begin(op)
	if err != nil {
		return storage.Record{}, err
	}
	r, err := s.Store.Load(ctx, id)
	if op.Outcome = outcomeOf(err); err == nil {
		op.Next = valueOf(r.Match)
	}
	end(op)
	return r, err
}

// history is the calls of all processes.
type history []operation

// readHistory reads what recordings have written. It drops a last line that a kill has
// cut off.
func readHistory(data []byte) (history, error) {
	var h history
	for line := range bytes.Lines(data) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		var op operation
		if err := json.Unmarshal(line, &op); err != nil {
			return nil, fmt.Errorf("%w: %s", err, line)
		}
		h = append(h, op)
	}
	return h, nil
}

// call is a call with its end: what porcupine looks at.
type call struct {
	operation
	outcome string
	seen    value // what a load has returned
}

// operations pairs the beginnings and the ends. What has not ended, or of which nobody
// knows whether it is still to be done, may take effect at any later time.
func (h history) operations() (list []porcupine.Operation) {
	type key struct {
		process string
		n       int
	}
	ends := map[key]operation{}
	for _, op := range h {
		if op.Outcome != "" {
			ends[key{op.Process, op.N}] = op
		}
	}
	clients := map[string]int{}
	for _, op := range h {
		if op.Outcome != "" {
			continue
		}
		end, ok := ends[key{op.Process, op.N}]
		if !ok {
			end = operation{Outcome: unknown}
		}
		c := call{operation: op, outcome: end.Outcome, seen: end.Next}
		at := end.At
		switch {
		case c.outcome == nothing, op.Kind == "load" && c.outcome == unknown:
			continue
		case c.outcome == unknown:
			at = math.MaxInt64
		}
		if _, ok := clients[op.Process]; !ok {
			clients[op.Process] = len(clients)
		}
		list = append(list, porcupine.Operation{ClientId: clients[op.Process], Input: c, Call: op.At, Output: c, Return: at})
	}
	return list
}

// registers is what a store of games promises: each game is a register with
// compare-and-swap by its version.
var registers = porcupine.NondeterministicModel{
	Partition: func(all []porcupine.Operation) (parts [][]porcupine.Operation) {
		at := map[match.ID]int{}
		for _, op := range all {
			id := op.Input.(call).Game
			if _, ok := at[id]; !ok {
				at[id] = len(parts)
				parts = append(parts, nil)
			}
			parts[at[id]] = append(parts[at[id]], op)
		}
		return parts
	},
	Init: func() []any { return []any{value{}} },
	Step: func(state, input, _ any) []any {
		now, c := state.(value), input.(call)
		fits := c.Kind != "load" && now.Version == c.Prev // Prev is 0 for a creation: there must be none
		switch c.outcome {
		case done:
			if c.Kind == "load" && now == c.seen {
				return []any{now}
			}
			if fits {
				return []any{c.Next}
			}
		case refused:
			if c.Kind == "load" && now == (value{}) || c.Kind != "load" && (!fits || c.Loose) {
				return []any{now}
			}
		case unknown:
			if fits {
				return []any{now, c.Next}
			}
			return []any{now}
		}
		return nil
	},
	Equal: func(a, b any) bool { return a == b },
	DescribeOperation: func(input, _ any) string {
		c := input.(call)
		return fmt.Sprintf("%s %s %s %d→%d: %s, saw %d", c.Process, c.Kind, c.Game, c.Prev, c.Next.Version, c.outcome, c.seen.Version)
	},
}

// check returns an error that names the games whose calls have no order in which each
// makes sense.
func (h history) check(patience time.Duration) error {
	var wrong []error
	model := registers.ToModel()
	for _, part := range registers.Partition(h.operations()) {
		id := part[0].Input.(call).Game
		switch porcupine.CheckOperationsTimeout(model, part, patience) {
		case porcupine.Illegal:
			text := ""
			for _, op := range part {
				text += fmt.Sprintf("\n%d to %d: %s", op.Call, op.Return, registers.DescribeOperation(op.Input, op.Output))
			}
			wrong = append(wrong, fmt.Errorf("game %s: no order of these calls makes sense:%s", id, text))
		case porcupine.Unknown:
			wrong = append(wrong, fmt.Errorf("game %s: %d calls were too many to look at in %v", id, len(part), patience))
		}
	}
	return errors.Join(wrong...)
}

// saved returns when each version of a game may have been saved first: when the call
// began.
func (h history) saved() map[match.ID]map[uint64]int64 {
	all := map[match.ID]map[uint64]int64{}
	for _, op := range h {
		if op.Kind == "load" || op.Outcome != "" {
			continue
		}
		if all[op.Game] == nil {
			all[op.Game] = map[uint64]int64{}
		}
		if at, ok := all[op.Game][op.Next.Version]; !ok || op.At < at {
			all[op.Game][op.Next.Version] = op.At
		}
	}
	return all
}

// forgetful is a store with a fault.
type forgetful struct {
	storage.Store
	save func(s storage.Store, m match.Match, prev uint64) error
	load func(s storage.Store, id match.ID) (storage.Record, error)
}

func (f forgetful) Save(_ context.Context, m match.Match, prev uint64, _ ...storage.Basis) error {
	return f.save(f.Store, m, prev)
}

func (f forgetful) Load(_ context.Context, id match.ID) (storage.Record, error) {
	return f.load(f.Store, id)
}

// TestTheHistoryNoticesWhatAStoreLoses plays on stores with the faults that the checker
// is for.
func TestTheHistoryNoticesWhatAStoreLoses(t *testing.T) {
	ctx := t.Context()
	save := func(s storage.Store, m match.Match, prev uint64) error { return s.Save(ctx, m, prev) }
	load := func(s storage.Store, id match.ID) (storage.Record, error) { return s.Load(ctx, id) }
	saves := 0
	var first storage.Record
	for name, c := range map[string]struct {
		store forgetful
		sound bool
	}{
		"a sound store": {forgetful{save: save, load: load}, true},
		"a store that has saved what it could not confirm": {forgetful{load: load, save: func(s storage.Store, m match.Match, prev uint64) error {
			return errors.Join(save(s, m, prev), storage.ErrUnsure)
		}}, true},
		"a store that loses a save that it has confirmed": {forgetful{load: load, save: func(s storage.Store, m match.Match, prev uint64) error {
			if saves++; saves == 2 {
				return nil
			}
			return save(s, m, prev)
		}}, false},
		"a store that saves twice over one version": {forgetful{load: load, save: func(s storage.Store, m match.Match, prev uint64) error {
			r, err := s.Load(ctx, m.ID)
			if err != nil {
				return err
			}
			if m.Version <= r.Match.Version {
				return nil // says that it has
			}
			return save(s, m, r.Match.Version)
		}}, false},
		"a store that reads what was there before": {forgetful{save: save, load: func(s storage.Store, id match.ID) (storage.Record, error) {
			if first.Match.ID == "" {
				r, err := s.Load(ctx, id)
				first = r
				return r, err
			}
			return first, nil
		}}, false},
	} {
		saves, first = 0, storage.Record{}
		var file bytes.Buffer
		c.store.Store = memstore.New()
		var people []recordedStore
		for i := range 3 {
			people = append(people, recordedStore{c.store, &recording{out: &file, process: fmt.Sprint(i)}})
		}
		m, err := match.Start(match.New{ID: "1", Seats: [2]match.Seat{{User: "a"}, {User: "b"}}, Expires: time.Unix(1e9, 0).Add(time.Hour)}, time.Unix(1e9, 0))
		if err == nil {
			err = people[0].Create(ctx, storage.Record{Match: m})
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range 9 { // each loads and saves; every third has not seen the latest
			s := people[i%3]
			r, err := s.Load(ctx, "1")
			if err != nil {
				t.Fatal(err)
			}
			if i%3 == 2 {
				r.Match = m
			}
			prev := r.Match.Version
			r.Match.Version++
			_ = s.Save(ctx, r.Match, prev) // what it returns is in the history
			if i == 0 {
				m = r.Match
			}
		}
		h, err := readHistory(slices.Concat(file.Bytes(), []byte(`{"process":"0","n":9`)))
		if err != nil {
			t.Fatal(err)
		}
		if err := h.check(time.Minute); (err == nil) != c.sound {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(h.saved()["1"]); n < 2 {
			t.Errorf("%s: %d versions were saved", name, n)
		}
	}
}
