package bot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// gamesOf returns somebody's unfinished games: those with a person, and those
// against the machine.
func (w *world) gamesOf(who *discordsim.Actor) (duels, machine []storage.Record) {
	w.t.Helper()
	list, err := w.store.ListByUser(w.ctx, match.UserID(who.ID()), 50)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, r := range list {
		if r.Match.Seats[0].Machine() || r.Match.Seats[1].Machine() {
			machine = append(machine, r)
		} else {
			duels = append(duels, r)
		}
	}
	return duels, machine
}

// both starts a game of Ann's against the machine, in which both have moved, and
// then a duel with Ben in the same channel.
func (w *world) both() (machine, duel discordsim.Message) {
	w.t.Helper()
	machine = w.typed(w.ann, "/lasca play level:1 colour:white")
	machine = w.moved(w.ann, machine, "c3", "d4")
	machine = w.until(w.ann, machine, "<@"+w.ann.ID()+">")
	w.clock.Advance(time.Minute)
	return machine, w.duel()
}

func TestUndoTakesBackInTheOnlyGameThatItFits(t *testing.T) {
	w := newWorld(t)
	w.both() // last acted in the duel, where there is nothing to take back
	w.typed(w.ann, "/lasca undo")
	duels, machine := w.gamesOf(w.ann)
	if duels[0].Match.Request != nil || len(machine[0].Match.Moves) != 0 {
		t.Errorf("%d moves left against the machine", len(machine[0].Match.Moves))
	}
}

func TestATypedMoveGoesToTheOneGameWhereItIsLegal(t *testing.T) {
	w := newWorld(t)
	_, board := w.both()
	w.moved(w.ann, board, "c3", "b4") // now it is Ben's turn there
	_, machine := w.gamesOf(w.ann)
	pos := machine[0].Match.Game().Position()
	m := w.typed(w.ann, "/lasca move path:"+pos.Moves()[0].String())
	w.says(m, "Lasca (level 1)")
	if duels, _ := w.gamesOf(w.ann); len(duels[0].Match.Moves) != 1 {
		t.Errorf("the duel has %d moves", len(duels[0].Match.Moves))
	}
}

// twoMachines starts two games of Ann's against the machine in which every first
// move is legal.
func (w *world) twoMachines() {
	w.t.Helper()
	w.typed(w.ann, "/lasca play level:1 colour:white")
	w.clock.Advance(time.Minute)
	w.typed(w.ann, "/lasca play level:2 colour:white")
}

// withMoves returns the levels of Ann's games in which there are moves.
func (w *world) withMoves() (levels []int) {
	w.t.Helper()
	_, machine := w.gamesOf(w.ann)
	for _, r := range machine {
		if len(r.Match.Moves) > 0 {
			levels = append(levels, r.Match.Seats[1].Level)
		}
	}
	return levels
}

func TestATypedMoveThatIsLegalInSeveralGamesIsAskedAbout(t *testing.T) {
	w := newWorld(t)
	w.twoMachines()
	asked := w.typed(w.ann, "/lasca move path:c3 d4")
	w.private(w.ann, asked)
	w.says(asked, "Which one do you mean?", "discord.com/channels")
	l := labels(asked)
	if len(l) != 2 || !strings.Contains(l[1], "c3-d4 · Ann – Lasca (level 1)") {
		t.Fatalf("buttons %q", l)
	}
	if got := w.withMoves(); len(got) != 0 {
		t.Errorf("moved before it was asked: %v", got)
	}
	done := w.click(w.ann, asked, l[1])
	if left := labels(done); !slices.Equal(left, []string{"Next game (1)"}) {
		t.Errorf("the question can be answered again: %q", left)
	}
	if got := w.withMoves(); !slices.Equal(got, []int{1}) {
		t.Errorf("moved at levels %v", got)
	}
}

func TestAChoiceOfAGameThatHasMovedOnOrEndedDoesNothing(t *testing.T) {
	w := newWorld(t)
	w.twoMachines()
	var asked []discordsim.Message
	for range 3 { // none is answered at once
		asked = append(asked, w.typed(w.ann, "/lasca move path:c3-d4"))
	}
	l := labels(asked[0])
	w.click(w.ann, asked[0], l[1])
	w.says(w.click(w.ann, asked[1], l[1]), "moved on")
	if got := w.withMoves(); !slices.Equal(got, []int{1}) {
		t.Errorf("moved at levels %v", got)
	}
	_, machine := w.gamesOf(w.ann)
	for _, r := range machine {
		if r.Match.Seats[1].Level == 2 {
			resigned, err := r.Match.Apply(match.Resign{}, w.clock.Now())
			if err == nil {
				err = w.store.Save(w.ctx, resigned, r.Match.Version)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	w.says(w.click(w.ann, asked[2], l[0]), "moved on")
	if got := w.withMoves(); !slices.Equal(got, []int{1}) {
		t.Errorf("moved at levels %v", got)
	}
}

func TestSuggestionsCoverAllGamesInTheChannel(t *testing.T) {
	w := newWorld(t)
	w.twoMachines()
	list, err := w.ann.Autocomplete(w.ctx, w.channel, "/lasca move path:c3-d4")
	if err != nil || len(list) != 2 || !strings.Contains(list[1].Name, "level 1") {
		t.Fatalf("%+v, %v", list, err)
	}
	w.says(w.typed(w.ann, "/lasca move path:"+list[1].Name), "Lasca (level 1)", "1. c3-d4")
	r, err := w.ann.Slash(w.ctx, w.channel, "lasca move", map[string]any{"path": list[0].Value})
	if err != nil {
		t.Fatal(err)
	}
	w.says(w.message(w.ann, r), "Lasca (level 2)", "1. c3-d4")
}

func TestRunningGamesComeBeforeChallenges(t *testing.T) {
	w := newWorld(t)
	w.duel()
	w.clock.Advance(time.Minute)
	w.typed(w.ben, "/lasca challenge user:@Ann")
	w.says(w.typed(w.ann, "/lasca board"), "your move")
}

func TestGamesElsewhereAreNamedWithALink(t *testing.T) {
	w := newWorld(t)
	board := w.duel()
	other := w.sim.AddChannel(w.guild, "hall")
	for _, command := range []string{"board", "undo", "draw", "resign", "hint", "move path:c3-d4"} {
		m := w.typedIn(other, w.ann, "/lasca "+command)
		w.private(w.ann, m)
		w.says(m, "no game in this channel", "against Ben", board.ChannelID+"/"+board.ID)
	}
	if duels, _ := w.gamesOf(w.ann); len(duels[0].Match.Moves) != 0 || duels[0].Match.Offer != nil {
		t.Error("something has happened in the game")
	}
	w.typedIn(other, w.ann, "/lasca play level:1 colour:white")
	w.says(w.typedIn(other, w.ann, "/lasca draw"), "Lasca (level 1)") // the game here
	w.moved(w.ann, board, "c3", "d4")
	w.says(w.typedIn(other, w.ann, "/lasca undo"), "against Ben", board.ChannelID+"/")
}

func TestADrawIsAskedAboutWhereAnotherHasOfferedOne(t *testing.T) {
	w := newWorld(t)
	w.duel()
	w.typed(w.ben, "/lasca draw")
	w.clock.Advance(time.Minute)
	w.typed(w.ann, "/lasca play level:1 colour:white") // last acted in
	asked := w.typed(w.ann, "/lasca draw")
	w.private(w.ann, asked)
	if l := labels(asked); len(l) != 2 {
		t.Fatalf("buttons %q", l)
	}
	if duels, machine := w.gamesOf(w.ann); len(duels) != 1 || machine[0].Match.Offer != nil {
		t.Error("a draw was offered or accepted before it was asked which")
	}
}

func TestAGameThatIsNamedAndDoesNotFitIsTheOneThatIsRefused(t *testing.T) {
	w := newWorld(t)
	w.both()
	duels, machine := w.gamesOf(w.ann)
	r, err := w.ann.Slash(w.ctx, w.channel, "lasca undo", map[string]any{"game": string(duels[0].Match.ID)})
	if err != nil {
		t.Fatal(err)
	}
	m := w.message(w.ann, r)
	w.private(w.ann, m)
	if _, now := w.gamesOf(w.ann); now[0].Match.Version != machine[0].Match.Version {
		t.Error("the other game has changed")
	}
}

func TestANameOfSeveralGamesIsAskedAbout(t *testing.T) {
	w := newWorld(t)
	w.twoMachines()
	asked := w.typed(w.ann, "/lasca move path:c3-d4 game:your move")
	w.private(w.ann, asked)
	if l := labels(asked); len(l) != 2 {
		t.Fatalf("buttons %q", l)
	}
	w.click(w.ann, asked, labels(asked)[0])
	if got := w.withMoves(); !slices.Equal(got, []int{2}) {
		t.Errorf("moved at levels %v", got)
	}
}
