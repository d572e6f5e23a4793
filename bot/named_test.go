package bot_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
)

// gameCommands are the commands that may name a game. In a game that begin makes, the
// command is possible for Ann.
var gameCommands = map[string]struct {
	options string
	done    []string // one of these, on a board or in words for the person alone
	begin   func(w *world, channel string, other *discordsim.Actor, name string)
}{
	"board":  {done: []string{"your move"}, begin: begun},
	"move":   {options: " path:c3-d4", done: []string{"c3-d4"}, begin: begun},
	"hint":   {done: []string{"I would play"}, begin: againstLasca},
	"undo":   {done: []string{"asks to take back", "asked to take back"}, begin: begunAndMoved},
	"draw":   {done: []string{"offers a draw", "offered a draw"}, begin: begun},
	"resign": {done: []string{"Resign the game against"}, begin: begun},
	"abort":  {done: []string{"called off", "called the game off"}, begin: begun},
	"plan":   {done: []string{"If-then lines against"}, begin: begunAndMoved},
}

// begun is a game in which Ann is to move.
func begun(w *world, channel string, other *discordsim.Actor, name string) {
	w.challengeIn(channel, w.ann, other, name)
}

// begunAndMoved is a game in which Ann has moved.
func begunAndMoved(w *world, channel string, other *discordsim.Actor, name string) {
	w.moved(w.ann, w.challengeIn(channel, w.ann, other, name), "c3", "d4")
}

func againstLasca(w *world, channel string, _ *discordsim.Actor, _ string) {
	w.typedIn(channel, w.ann, "/lasca play level:1 colour:white")
	w.allRecorded(w.ann)
	w.clock.Advance(time.Minute)
}

// state returns the versions of all games of Ann's.
func (w *world) state() (versions uint64) {
	w.t.Helper()
	duels, machine := w.gamesOf(w.ann)
	for _, r := range slices.Concat(duels, machine) {
		versions += r.Match.Version
	}
	return versions
}

// TestACommandWithoutAGameNeverGuesses gives every command that may name a game
// without one: where it is possible in one game, in two, only elsewhere, and nowhere.
func TestACommandWithoutAGameNeverGuesses(t *testing.T) {
	t.Parallel()
	for name, c := range gameCommands {
		line := "/lasca " + name + c.options
		t.Run(name+" with one game or none", func(t *testing.T) {
			w := newWorld(t)
			w.stranger()
			refused := func(where string, want ...string) {
				t.Helper()
				before := w.state()
				m := w.typedIn(where, w.ann, line)
				w.private(w.ann, m)
				w.says(m, want...)
				if after := w.state(); after != before {
					t.Errorf("something has changed in a game: %s", describe(m))
				}
			}
			refused(w.channel, "You have no game")

			c.begin(w, w.channel, w.ben, "Ben")
			refused(w.sim.AddChannel(w.guild, "hall"), "no game in this channel", w.channel+"/")
			refused(w.ann.OpenDM(), "no game in this channel", w.channel+"/")

			w.typed(w.ann, "/lasca challenge user:@Cleo colour:white") // it is not running
			w.clock.Advance(time.Minute)
			w.hears(w.typed(w.ann, line), c.done)
		})
		t.Run(name+" with two games", func(t *testing.T) {
			w := newWorld(t)
			cleo := w.stranger()
			c.begin(w, w.channel, w.ben, "Ben")
			c.begin(w, w.channel, cleo, "Cleo")
			before := w.state()
			asked := w.typed(w.ann, line)
			w.private(w.ann, asked)
			w.says(asked, "Which one do you mean?")
			if l := labels(asked); len(l) != 2 || w.state() != before {
				t.Fatalf("%d buttons, versions %d and then %d\n%s", len(l), before, w.state(), describe(asked))
			}
			w.stop()
			w.start()
			w.hears(w.click(w.ann, asked, labels(asked)[1]), c.done)
		})
	}
}

// hears fails unless an answer says that a command was given in a game.
func (w *world) hears(m discordsim.Message, done []string) {
	w.t.Helper()
	if !slices.ContainsFunc(done, func(text string) bool { return strings.Contains(m.Content, text) }) {
		w.t.Errorf("the command was not given: %s", describe(m))
	}
}

func TestEveryCommandThatMayNameAGameIsTriedWithoutOne(t *testing.T) {
	w := newWorld(t)
	var seen []string
	for _, c := range w.sim.Commands("") {
		data, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		var spec struct {
			Options []struct {
				Name    string
				Options []struct{ Name string }
			}
		}
		if err := json.Unmarshal(data, &spec); err != nil {
			t.Fatal(err)
		}
		for _, sub := range spec.Options {
			for _, o := range sub.Options {
				if o.Name == "game" {
					seen = append(seen, sub.Name)
				}
			}
		}
	}
	if len(seen) < 7 {
		t.Fatalf("found only %v", seen)
	}
	for _, name := range seen {
		if _, ok := gameCommands[name]; !ok && name != "stop" { // that is about other people's games
			t.Errorf("/lasca %s is not among the commands", name)
		}
	}
}
