package engine_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/enginetest"
)

// ruleCase is a drawn position with what a rule says about it.
type ruleCase struct {
	name  string
	rules []engine.Rules // every ruleset when empty
	turn  engine.Color
	board string
	moves string // all legal moves, sorted, or "none"; not checked when ""
	play  string // a move to play, if any
	after string // the board after it
}

func runRules(t *testing.T, cases []ruleCase) {
	t.Helper()
	for _, c := range cases {
		rulesets := c.rules
		if rulesets == nil {
			rulesets = engine.AllRules()
		}
		for _, rules := range rulesets {
			t.Run(c.name+"/"+rules.String(), func(t *testing.T) {
				p := enginetest.Draw(t, rules, c.turn, c.board)
				if c.moves != "" {
					got := enginetest.Texts(p.Moves())
					slices.Sort(got)
					want := strings.Fields(strings.TrimPrefix(c.moves, "none"))
					if diff := cmp.Diff(want, got, cmp.Transformer("none", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
						t.Errorf("moves (-want +got)\n%s", diff)
					}
				}
				if c.play != "" {
					m, err := engine.ParseMove(c.play)
					if err != nil {
						t.Fatal(err)
					}
					next, err := p.Play(m)
					if err != nil {
						t.Fatal(err)
					}
					want := enginetest.Draw(t, rules, c.turn.Other(), c.after)
					for sq := range engine.Square(engine.NumSquares) {
						if got, want := next.Stack(sq), want.Stack(sq); got != want {
							t.Errorf("%v holds %q, want %q", sq, got, want)
						}
					}
				}
			})
		}
	}
}

func TestQuietMove(t *testing.T) {
	runRules(t, []ruleCase{
		{
			name: "white_soldier_goes_one_square_up_only",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3-b4 c3-d4",
		},
		{
			name: "black_soldier_goes_one_square_down_only",
			turn: engine.Black,
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   b   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "e5-d4 e5-f4",
		},
		{
			name: "officer_goes_one_square_in_every_direction",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   W   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "d4-c3 d4-c5 d4-e3 d4-e5",
		},
		{
			name: "columns_block_each_other_of_either_colour",
			board: `
				7  .   .   .   .
				6    b   .   .
				5  b   .   .   .
				4    w   .   .
				3  w   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "b4-c5",
		},
		{
			name: "whole_column_moves_with_its_prisoners",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   wBwb
				2    .   .   .
				1  .   .   .   .`,
			moves: "g3-f4",
			play:  "g3-f4",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   wBwb
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "commander_decides_how_a_column_moves",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    wW   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   Ww`,
			moves: "b4-a5 b4-c5 g1-f2",
		},
		{
			name: "opponents_columns_do_not_move",
			board: `
				7  .   .   .   .
				6    .   bw   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "none",
		},
	})
}

func TestPromotion(t *testing.T) {
	runRules(t, []ruleCase{
		{
			name: "soldier_on_the_far_rank_becomes_an_officer",
			board: `
				7  .   .   .   .
				6    w   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			play: "b6-c7",
			after: `
				7  .   W   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "black_is_promoted_on_rank_one",
			turn: engine.Black,
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    b   .   .
				1  .   .   .   .`,
			play: "b2-a1",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  B   .   .   .`,
		},
		{
			name: "only_the_commander_is_promoted",
			board: `
				7  .   .   .   .
				6    wwbw   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			play: "b6-a7",
			after: `
				7  Wwbw   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "promotion_ends_a_capture_that_could_go_on",
			board: `
				7  .   .   .   .
				6    b   b   .
				5  w   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "a5xc7",
			play:  "a5xc7",
			after: `
				7  .   Wb   .   .
				6    .   b   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "officer_goes_on_from_the_far_rank",
			board: `
				7  .   .   .   .
				6    b   b   .
				5  W   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "a5xc7xe5",
		},
		{
			name: "captured_officer_stays_an_officer",
			turn: engine.Black,
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   b   .   .
				4    .   Ww   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			play: "c5xe3",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   w   .
				3  .   .   bW   .
				2    .   .   .
				1  .   .   .   .`,
		},
	})
}

func TestCapture(t *testing.T) {
	runRules(t, []ruleCase{
		{
			name: "prisoner_goes_under_the_capturer",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   b   .
				3  .   wwB   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3xe5",
			play:  "c3xe5",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   wwBb   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "only_the_commander_of_a_column_is_taken",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   bbW   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			play: "c3xe5",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   wb   .
				4    .   bW   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "prisoners_are_freed_when_the_last_one_above_them_is_taken",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   bWw   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			play: "c3xe5",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   wb   .
				4    .   Ww   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "capturing_is_compulsory",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   b   .
				3  .   w   .   w
				2    .   .   .
				1  W   .   .   .`,
			moves: "c3xe5",
		},
		{
			name: "choice_between_captures_is_free_whatever_their_size",
			board: `
				7  .   .   .   .
				6    .   .   b
				5  .   .   .   .
				4    b   b   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3xa5 c3xe5xg7",
		},
		{
			name: "capture_must_be_completed",
			board: `
				7  .   .   .   .
				6    .   b   .
				5  .   .   .   .
				4    .   b   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3xe5xc7",
			play:  "c3xe5xc7",
			after: `
				7  .   Wbb   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "square_behind_must_be_empty",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   b   .
				4    .   b   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3-b4",
		},
		{
			name: "edge_square_cannot_be_jumped",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  b   .   .   .
				4    w   .   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "b4-c5",
		},
		{
			name: "own_column_cannot_be_jumped",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   w   .
				3  .   w   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3-b4 d4-c5 d4-e5",
		},
		{
			name: "soldier_does_not_jump_backward",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   w   .   .
				4    .   b   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c5-b6 c5-d6",
		},
		{
			name: "officer_jumps_backward",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   W   .   .
				4    .   b   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c5xe3",
		},
		{
			name: "square_left_counts_as_empty_and_a_circle_may_end_there",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   b   b
				3  .   W   .   .
				2    .   b   b
				1  .   .   .   .`,
			moves: "c3xe1xg3xe5xc3 c3xe5xg3xe1xc3",
			play:  "c3xe5xg3xe1xc3",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   Wbbbb   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name: "column_freed_in_the_move_is_not_jumped",
			board: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   bw   .
				3  .   W   .   .
				2    .   .   .
				1  .   .   .   .`,
			moves: "c3xe5",
		},
	})
}

func TestJumpingAColumnTwice(t *testing.T) {
	straightBack := `
		7  .   .   .   .
		6    .   .   .
		5  .   .   .   .
		4    .   bb   .
		3  .   W   .   .
		2    .   .   .
		1  .   .   .   .`
	roundabout := `
		7  .   .   .   .
		6    .   .   .
		5  .   .   .   .
		4    .   bb   b
		3  .   W   .   .
		2    .   b   b
		1  .   .   .   .`
	runRules(t, []ruleCase{
		{
			name:  "straight_back_is_compulsory_where_allowed",
			rules: []engine.Rules{engine.Kawu},
			board: straightBack,
			moves: "c3xe5xc3",
			play:  "c3xe5xc3",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   .   .
				4    .   .   .
				3  .   Wbb   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name:  "straight_back_is_forbidden",
			rules: []engine.Rules{engine.MindSports, engine.Lasker},
			board: straightBack,
			moves: "c3xe5",
			play:  "c3xe5",
			after: `
				7  .   .   .   .
				6    .   .   .
				5  .   .   Wb   .
				4    .   b   .
				3  .   .   .   .
				2    .   .   .
				1  .   .   .   .`,
		},
		{
			name:  "roundabout_is_allowed",
			rules: []engine.Rules{engine.MindSports},
			board: roundabout,
			moves: "c3xe1xg3xe5xc3 c3xe5xg3xe1xc3xe5",
		},
		{
			name:  "each_square_once",
			rules: []engine.Rules{engine.Lasker},
			board: roundabout,
			moves: "c3xe1xg3xe5xc3 c3xe5xg3xe1xc3",
		},
	})
}

func TestRulesetsFirstDifferAtDepthEleven(t *testing.T) {
	want := map[engine.Rules]uint64{engine.Kawu: 37130, engine.MindSports: 37124, engine.Lasker: 37124}
	for rules, n := range want {
		if got := engine.Perft(engine.Start(rules), 11); got != n {
			t.Errorf("%v: %d, want %d", rules, got, n)
		}
		if a, b := engine.Perft(engine.Start(rules), 10), engine.Perft(engine.Start(engine.Kawu), 10); a != b {
			t.Errorf("%v: depth 10 %d, kawu %d", rules, a, b)
		}
	}
}
