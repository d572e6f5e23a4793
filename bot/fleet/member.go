package fleet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/lascabot/lascabot/storage"
)

const (
	// term is how long a lease lasts, sure for how much of it its holder counts on it,
	// and every how often it is renewed.
	term  = 15 * time.Second
	sure  = term * 2 / 3
	every = 2 * time.Second
	// hungry is how often a process looks that has less than its share.
	hungry = 500 * time.Millisecond
	// grace is how long others have after an outage of the store to renew what they have,
	// before anybody takes it.
	grace = 2 * every
	// callTime bounds a call to the store, and claimTime one for a claim.
	callTime  = 2 * time.Second
	claimTime = 700 * time.Millisecond
	// settle is for how long calls to Discord of a shard's earlier holder may still come
	// into effect: its handlers and its screens may take so long to end.
	settle = 20 * time.Second
	// lateMoment is how late a reserved moment may come to be known. A later one is too
	// near to the next.
	lateMoment = 400 * time.Millisecond
)

// Options are what a member is made of. All but Version are required.
type Options struct {
	Store   storage.Fleet
	Version string // of the program, for people
	Log     *slog.Logger
}

// Member is a process's part in the fleet. Make one with [New].
type Member struct {
	opt  Options
	id   string
	note note

	mu    sync.Mutex
	held  map[int]*held
	count int       // of shards; 0 before it serves
	until time.Time // by when nobody else can have what this process has
}

// held is a shard that this process has.
type held struct {
	since   time.Time
	stop    context.CancelFunc
	done    chan struct{} // closed when its session has ended
	leaving bool          // its session ends, and then its lease is freed
}

// note is what a process says about itself.
type note struct {
	Host    string    `json:"host"`
	PID     int       `json:"pid"`
	Version string    `json:"version,omitempty"`
	Began   time.Time `json:"began"`
	Shards  int       `json:"shards,omitempty"` // into how many it divides the servers
}

// New makes a member with a name that no other has. It does nothing until
// [Member.Serve].
func New(o Options) *Member {
	host, _ := os.Hostname()
	return &Member{
		opt: o, id: rand.Text(), held: map[int]*held{},
		note: note{Host: host, PID: os.Getpid(), Version: o.Version, Began: time.Now().UTC()},
	}
}

// ID returns the name of the process in the fleet.
func (m *Member) ID() string { return m.id }

// Sure reports whether this process has a shard, and nobody else can have it yet.
func (m *Member) Sure(shard int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.held[shard]
	return h != nil && !h.leaving && time.Now().Before(m.until)
}

// Settling reports whether calls of a shard's earlier holder may still come into effect.
func (m *Member) Settling(shard int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.held[shard]
	return h != nil && time.Since(h.since) < settle
}

// StandsBy reports whether this process serves, and nobody has left it a shard: it takes
// over when another ends.
func (m *Member) StandsBy() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.held) == 0 && time.Now().Before(m.until)
}

// Count returns into how many shards the servers are divided, 0 before that is known.
func (m *Member) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// Reserve returns how long to wait until a session of a bucket may be started. Moments
// of a bucket are a time apart, over all processes.
func (m *Member) Reserve(ctx context.Context, bucket int, apart time.Duration) (time.Duration, error) {
	for {
		asked := time.Now()
		once, cancel := context.WithTimeout(ctx, callTime)
		wait, err := m.opt.Store.Reserve(once, "identify:"+strconv.Itoa(bucket), apart)
		cancel()
		if err != nil || time.Since(asked) < lateMoment {
			return wait, err
		}
	}
}

// Claim decides who answers an interaction of a shard. It reports false where this
// process has to be silent. With an error, which wraps the store's, nobody may decide
// anything; if it reports true all the same, the person may be told so. The context
// bounds how long it asks.
func (m *Member) Claim(ctx context.Context, shard int, interaction string) (bool, error) {
	for {
		once, cancel := context.WithTimeout(ctx, claimTime)
		mine, err := m.opt.Store.Claim(once, m.id, interaction)
		cancel()
		if err == nil {
			return mine, nil
		}
		select {
		case <-ctx.Done():
			return m.Sure(shard), err
		case <-time.After(claimTime / 10):
		}
	}
}

// Process is a process of the fleet.
type Process struct {
	ID      string
	Host    string
	PID     int
	Version string
	Began   time.Time     // by its own clock
	Left    time.Duration // until the others take it for dead, unless it renews
	Count   int           // into how many shards it divides the servers
	Shards  []int         // that it has
}

// Processes returns the processes of the fleet that live, by ID. The error is the
// store's.
func (m *Member) Processes(ctx context.Context) ([]Process, error) {
	list, err := m.opt.Store.Leases(ctx)
	if err != nil {
		return nil, err
	}
	return processes(list), nil
}

// processPrefix begins the name of the lease by which a process says that it lives.
const processPrefix = "process:"

func processes(list []storage.Lease) (all []Process) {
	at := map[string]int{}
	for _, l := range list {
		var n note
		if l.Name != processPrefix+l.Owner || json.Unmarshal([]byte(l.Note), &n) != nil {
			continue
		}
		at[l.Owner] = len(all)
		all = append(all, Process{ID: l.Owner, Host: n.Host, PID: n.PID, Version: n.Version, Began: n.Began, Left: l.Left, Count: n.Shards})
	}
	for _, l := range list {
		i, ok := at[l.Owner]
		if shard, count, is := parseShard(l.Name); ok && is && count == all[i].Count {
			all[i].Shards = append(all[i].Shards, shard)
		}
	}
	return all
}
