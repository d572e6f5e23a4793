package bot

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
)

// trait is something that this package has to know about a kind of intent before
// it is answered.
type trait uint8

const (
	// slow answers are deferred at once. They are for the person alone.
	slow trait = 1 << iota
	// public answers to a command are for everybody if all goes well. A deferral
	// has to say so before it is known.
	public
	// makes a game, and so a screen.
	makes
	// changes the screen of the game that the intent is about.
	changes
	// attaches a file, without which there is nothing to answer.
	attaches
)

// row says how a kind of intent is answered.
type row struct {
	of     reflect.Type
	answer func(*Bot, context.Context, *call, intent.Intent) answer
	traits trait
}

// rows has one row for every kind of intent.
var rows = table(
	on((*Bot).help, 0),
	on((*Bot).rules, 0),
	on((*Bot).games, 0),
	on((*Bot).look, 0),
	on((*Bot).stats, 0),
	on((*Bot).leaderboard, 0),

	on((*Bot).play, public|makes),
	on((*Bot).challenge, public|makes),
	on((*Bot).open, public|makes),
	on((*Bot).join, changes),
	on((*Bot).challenges, 0),
	on((*Bot).rematch, makes),
	on(act[intent.Accept], changes),
	on(act[intent.Decline], changes),
	on(act[intent.Withdraw], changes),
	on((*Bot).block, changes),
	on((*Bot).setBlock, 0),

	on(act[intent.Step], changes),
	on(act[intent.Move], public|changes),
	on(act[intent.Undo], public|changes),
	on(act[intent.AllowUndo], changes),
	on(act[intent.RefuseUndo], changes),
	on(act[intent.Draw], public|changes),
	on(act[intent.AcceptDraw], changes),
	on(act[intent.DeclineDraw], changes),
	on((*Bot).askResign, 0),
	on(act[intent.Resign], changes),
	on((*Bot).keepPlaying, 0),
	on(act[intent.GiveTime], changes),
	on(act[intent.DropUndo], changes),
	on(act[intent.DropDraw], changes),
	on(act[intent.Abort], public|changes),
	on((*Bot).askStop, 0),
	on((*Bot).stop, changes),
	on((*Bot).letBe, 0),
	on((*Bot).claim, changes),

	on((*Bot).board, public|changes),
	on((*Bot).ownBoard, 0),
	on((*Bot).next, 0),
	on((*Bot).watching, 0),
	on((*Bot).watch, 0),
	on((*Bot).mySide, 0),
	on((*Bot).more, 0),
	on((*Bot).plan, 0),
	on((*Bot).dropPlan, 0),
	on((*Bot).hint, slow),
	on((*Bot).review, slow),
	on((*Bot).film, slow|attaches),
	on((*Bot).replay, slow|attaches),
	on((*Bot).shareFilm, slow|attaches),
	on((*Bot).shareReview, slow|attaches),
	on((*Bot).gameText, 0),

	on((*Bot).settings, 0),
	on((*Bot).set, 0),
	on((*Bot).myVacation, 0),
	on((*Bot).vacation, 0),
	on((*Bot).endVacation, 0),

	on((*Bot).myData, 0),
	on((*Bot).exportData, attaches),
	on((*Bot).askDeleteData, 0),
	on((*Bot).deleteData, 0),
	on((*Bot).keepData, 0),
)

// on makes the row of the intents that a method answers.
func on[I intent.Intent](method func(*Bot, context.Context, *call, I) answer, traits trait) row {
	return row{
		of: reflect.TypeFor[I](), traits: traits,
		answer: func(b *Bot, ctx context.Context, c *call, in intent.Intent) answer { return method(b, ctx, c, in.(I)) },
	}
}

func table(list ...row) map[reflect.Type]row {
	m := make(map[reflect.Type]row, len(list))
	for _, r := range list {
		if _, twice := m[r.of]; twice {
			panic(fmt.Sprintf("bot: two rows for %v", r.of))
		}
		m[r.of] = r
	}
	return m
}

// rowOf returns an intent's row. An intent without one, which tests exclude, is
// answered as a bug.
func rowOf(in intent.Intent) row {
	if r, ok := rows[reflect.TypeOf(in)]; ok {
		return r
	}
	return row{answer: func(b *Bot, _ context.Context, c *call, in intent.Intent) answer {
		return b.refuse(c, fmt.Errorf("no row for %T", in), nil)
	}}
}

func (r row) is(t trait) bool { return r.traits&t != 0 }

// screen returns the game whose screen an interaction is about to change, "" when
// it changes none.
func (r row) screen(c *call) match.ID {
	switch {
	case r.is(makes):
		return c.who.Request
	case r.is(changes):
		return c.in.About().Game
	}
	return ""
}

// intentName names an intent in logs and metrics, by its type.
func intentName(in intent.Intent) string {
	if in == nil {
		return "none"
	}
	return strings.ToLower(reflect.TypeOf(in).Name())
}
