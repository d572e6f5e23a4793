package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
	"github.com/lascabot/lascabot/storage/memstore"
)

// TestWhateverPeoplePressNobodyIsCheatedOrLockedOut has three people type commands
// and press buttons at random, in two servers and in direct messages, while time
// passes. After each press it holds that
//
//   - the press has made one game at most,
//   - a game that was claimed had been announced to the loser, in its place, for
//     the time for a move,
//   - nothing that is stored names somebody whose data has just been deleted,
//
// and after every few presses, that each running game between two has a board in its
// place which shows it as it is and has buttons for whoever is to act.
//
// LASCA_PRESSES_SEED repeats a run.
func TestWhateverPeoplePressNobodyIsCheatedOrLockedOut(t *testing.T) {
	seeds, presses := []uint64{1, 2, 3, 4, 5, 6}, 400
	if testing.Short() {
		seeds, presses = []uint64{1, 2}, 120
	}
	if text := os.Getenv("LASCA_PRESSES_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seeds = []uint64{seed}
	}
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			w := worldOn(t, memstore.New(), 30*time.Second, func(w *world) {
				w.messages = 2000
				// Here time leaps while messages are edited or taken away by tokens.
				w.pardoned = func(v string) bool { return strings.Contains(v, "@original: 40") }
			})
			p := newPressing(w, seed)
			for i := range presses {
				p.step()
				if i%10 == 9 {
					p.boards()
				}
				if t.Failed() {
					t.Fatalf("after %d presses: LASCA_PRESSES_SEED=%d; the last were\n%s", i+1, seed, strings.Join(p.last(12), "\n"))
				}
			}
			p.boards()
			t.Logf("%d presses were answered; %d games, %d claimed, %d deletions", p.answered, p.made, p.claimed, p.deletions)
		})
	}
}

// pressing is a world in which people press at random.
type pressing struct {
	*world
	rng      *rand.Rand
	people   []*discordsim.Actor
	places   []string // channels that all can see
	done     []string
	finished map[match.ID]bool
	shown    map[match.ID]announced

	answered, made, claimed, deletions int
}

// announced is since when a game's place has shown a turn.
type announced struct {
	moved time.Time
	since time.Time
}

func newPressing(w *world, seed uint64) *pressing {
	p := &pressing{
		world: w, rng: rand.New(rand.NewPCG(seed, 17)), people: []*discordsim.Actor{w.ann, w.ben, w.stranger()},
		finished: map[match.ID]bool{}, shown: map[match.ID]announced{},
	}
	other := w.sim.AddGuild("Elsewhere", "de")
	for _, who := range p.people {
		w.sim.Join(other, who.ID())
	}
	p.places = []string{w.channel, w.sim.AddChannel(w.guild, "second"), w.sim.AddChannel(other, "elsewhere")}
	return p
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// last returns the newest steps.
func (p *pressing) last(n int) []string { return p.done[max(0, len(p.done)-n):] }

// all returns every stored game.
func (p *pressing) all() map[match.ID]storage.Record {
	p.t.Helper()
	games := map[match.ID]storage.Record{}
	for _, who := range p.people {
		list, err := p.store.ListOf(p.ctx, storage.Of{User: match.UserID(who.ID())}, "", 10_000)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, r := range list {
			games[r.Match.ID] = r
		}
	}
	return games
}

// step makes one press or types one command, and holds what is to hold at once.
func (p *pressing) step() {
	p.t.Helper()
	switch p.rng.IntN(12) {
	case 0:
		p.clock.Advance(time.Duration(p.rng.IntN(600)) * time.Second)
	case 1:
		if p.rng.IntN(4) == 0 {
			p.look()
			p.clock.Advance(match.MoveTime + time.Minute)
			p.claim()
		}
	}
	p.look()
	before := p.all()
	who := pick(p.rng, p.people)
	place := who.OpenDM()
	if n := p.rng.IntN(len(p.places) + 1); n < len(p.places) {
		place = p.places[n]
	}
	var what string
	var reply *discordsim.Reply
	var err error
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	var pressed discordsim.Message
	if messages := p.sim.Messages(who.ID(), place); len(messages) > 0 && p.rng.IntN(3) > 0 {
		pressed = messages[len(messages)-1-p.rng.IntN(min(len(messages), 12))]
		if l := labels(pressed); len(l) > 0 {
			label := pick(p.rng, l)
			what = fmt.Sprintf("%s presses %q in %s", who.ID(), label, place)
			reply, err = who.ClickLabel(ctx, place, pressed.ID, label)
		}
	}
	if what == "" {
		line := p.line(who, place)
		what = fmt.Sprintf("%s types %s in %s", who.ID(), line, place)
		reply, err = who.Type(ctx, place, line)
	}
	p.done = append(p.done, what)
	switch {
	case errors.Is(err, discordsim.ErrNoComponent), errors.Is(err, discordsim.ErrDisabled), errors.Is(err, discordsim.ErrUnknownMessage),
		errors.Is(err, discordsim.ErrUnknownCommand):
		return // it went while it was pressed, or is not offered there
	case err != nil:
		p.t.Errorf("%s: %v", what, err)
		return
	}
	p.complete(who, reply)
	p.answered++
	after := p.all()
	if n := len(after) - len(before); n > 1 {
		p.t.Errorf("%s: %d games were made", what, n)
	}
	p.made = max(p.made, len(after))
	p.judge(what, after)
	p.deleted(what, who, reply)
}

// claim has somebody who waits for the other's move try to claim the win.
func (p *pressing) claim() {
	p.t.Helper()
	for id, r := range p.all() {
		m := &r.Match
		waits := m.Seats[m.Turn().Other()].User
		if m.Phase != match.Playing || waits == "" || waits == storage.Deleted || m.Seats[m.Turn()].User == "" {
			continue
		}
		who := p.sim.As(string(waits))
		p.done = append(p.done, fmt.Sprintf("%s tries to claim %s", waits, id))
		more := intent.More{Ref: intent.Ref{Game: id, Version: m.Version}}
		r, err := who.Click(p.ctx, r.Screen.Channel, r.Screen.Message, intent.CustomID(more))
		if errors.Is(err, discordsim.ErrNoComponent) {
			return // a fresh board stands elsewhere by now
		}
		if err != nil {
			p.t.Errorf("the menu of %s: %v", id, err)
			return
		}
		p.complete(who, r)
		menu, ok := p.sim.Message(who.ID(), r.ChannelID, r.MessageID)
		for _, b := range buttons(menu) {
			in, err := intent.ParseCustomID(b.CustomID)
			if _, is := in.(intent.Claim); !ok || err != nil || !is || b.Disabled {
				continue
			}
			r, err := who.Click(p.ctx, r.ChannelID, r.MessageID, b.CustomID)
			if err != nil {
				p.t.Errorf("claiming %s: %v", id, err)
				return
			}
			p.complete(who, r)
		}
		p.judge("a claim", p.all())
		return
	}
}

// complete waits until the answer to a press is there, or has gone again.
func (p *pressing) complete(who *discordsim.Actor, r *discordsim.Reply) {
	p.t.Helper()
	p.wait("the answer is complete", func(s *discordsim.Server) bool {
		m, ok := s.Message(who.ID(), r.ChannelID, r.MessageID)
		return !ok || !m.Loading
	})
}

// terms are options of challenges.
var terms = []string{"", "", " hints:true", " days:1 rated:yes", " days:7", " days:none"}

// line makes up a command.
func (p *pressing) line(who *discordsim.Actor, place string) string {
	var own []storage.Record
	for _, r := range p.all() {
		if _, err := r.Match.SeatOf(match.UserID(who.ID())); err == nil {
			own = append(own, r)
		}
	}
	game := func() string {
		if len(own) == 0 || p.rng.IntN(2) == 0 {
			return ""
		}
		return " game:" + string(pick(p.rng, own).Match.ID)
	}
	switch p.rng.IntN(18) {
	case 0:
		return fmt.Sprintf("/lasca play level:%d", 1+p.rng.IntN(2))
	case 1, 2:
		return "/lasca challenge user:" + pick(p.rng, p.people).ID() + pick(p.rng, terms)
	case 14:
		return "/lasca open" + pick(p.rng, terms)
	case 15:
		return "/lasca challenges"
	case 16:
		return pick(p.rng, []string{"/lasca abort", "/lasca stop"}) + game()
	case 3, 4:
		return "/lasca board" + game()
	case 5, 6, 7:
		for _, r := range own {
			if m := &r.Match; m.Phase == match.Playing && m.Seats[m.Turn()].User == match.UserID(who.ID()) {
				pos := m.Game().Position()
				return "/lasca move path:" + pick(p.rng, pos.Moves()).String() + " game:" + string(m.ID)
			}
		}
		return "/lasca move path:c3-d4"
	case 8:
		return "/lasca undo" + game()
	case 9:
		return "/lasca draw" + game()
	case 10:
		return "/lasca hint" + game()
	case 11:
		return pick(p.rng, []string{"/lasca games", "/lasca watch"})
	case 12:
		return "/lasca look theme:" + pick(p.rng, []string{"wood", "dark"})
	case 13:
		if p.rng.IntN(3) == 0 {
			return "/lasca privacy delete"
		}
		return "/lasca help"
	}
	return "/lasca resign" + game()
}

// look notes since when the boards in their places have shown the turns.
func (p *pressing) look() {
	for id, r := range p.all() {
		m := &r.Match
		if m.Phase != match.Playing || p.shown[id].moved.Equal(m.Moved) {
			continue
		}
		if msg, ok := p.sim.Message("", r.Place.Channel, r.Screen.Message); ok && r.Screen.Channel == r.Place.Channel &&
			strings.Contains(msg.Content, "<@"+string(m.Seats[m.Turn()].User)+">") && r.Screen.Version == m.Version {
			p.shown[id] = announced{m.Moved, p.clock.Now()}
		}
	}
}

// judge looks at the games that have just ended.
func (p *pressing) judge(what string, games map[match.ID]storage.Record) {
	p.t.Helper()
	for id, r := range games {
		if r.Match.Phase != match.Finished || p.finished[id] {
			continue
		}
		p.finished[id] = true
		if r.Match.Ending != match.Abandonment {
			continue
		}
		p.claimed++
		told := p.shown[id]
		limit, timed := r.Match.Limit()
		if waited := p.clock.Now().Sub(told.since); !told.moved.Equal(r.Match.Moved) || !timed || waited < limit+r.Match.Extra {
			p.t.Errorf("%s: the game %s was claimed %v after its turn was announced (move %v, announced %+v)", what, id, waited, r.Match.Moved, told)
		}
	}
}

// deleted holds that nothing names somebody who has been told that everything is
// deleted.
func (p *pressing) deleted(what string, who *discordsim.Actor, reply *discordsim.Reply) {
	p.t.Helper()
	m, ok := p.sim.Message(who.ID(), reply.ChannelID, reply.MessageID)
	if !ok || !strings.Contains(m.Content, "I have deleted everything") && !strings.Contains(m.Content, "Ich habe alles gelöscht") {
		return
	}
	p.deletions++
	list, err := p.store.ListOf(p.ctx, storage.Of{User: match.UserID(who.ID())}, "", 100)
	if err != nil || len(list) > 0 {
		p.t.Errorf("%s: %d games still name them, %v", what, len(list), err)
	}
	if set, err := p.store.Settings(p.ctx, "person "+who.ID()); err != nil || !set.IsZero() {
		p.t.Errorf("%s: settings %+v, %v", what, set, err)
	}
}

// boards waits until every running game is shown as it is, and holds that its
// players can reach it.
func (p *pressing) boards() {
	p.t.Helper()
	p.stored("every screen shows its game", func() bool {
		for _, r := range p.all() {
			if r.Match.Phase == match.Playing && (r.Screen.Version < r.Match.Version || r.Match.MachineDue()) {
				return false
			}
		}
		return true
	})
	for id, r := range p.all() {
		m := &r.Match
		if m.Phase != match.Playing {
			continue
		}
		for side, seat := range m.Seats {
			if seat.User == "" || seat.User == storage.Deleted {
				continue
			}
			board, ok := p.sim.Message(string(seat.User), r.Screen.Channel, r.Screen.Message)
			switch {
			case !ok:
				p.t.Errorf("%s cannot see the board of %s, which is in %+v", seat.User, id, r.Screen)
			case r.Screen.Channel != r.Place.Channel:
				p.t.Errorf("the board of %s is in %s, not in its place %s", id, r.Screen.Channel, r.Place.Channel)
			case int(m.Turn()) == side && len(moveLabels(board)) == 0 && m.Offer == nil && m.Request == nil:
				p.t.Errorf("%s has nothing to press in %s:\n%s", seat.User, id, describe(board))
			}
		}
	}
}
