package view

import (
	"fmt"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/storage"
)

const (
	// planMoves is the most moves that are buttons; with more, columns come first.
	planMoves = 3 * MaxButtons
	// planText bounds what is written of the stored lines, in characters, so that a
	// board in letters still fits below them.
	planText = 800
	// then leads from a move on a button to the only reply.
	then = " ⇒ "
)

// Planning shows a person the if-then lines of a game and asks for the next move of
// the one that is being made, on a board as it looks after the moves so far. A move
// that leaves the person one reply brings it along: then one press stores both.
func Planning(l i18n.Lang, look Look, p *play.Plan) Message {
	m := &p.Record.Match
	ref := refTo(m)
	opponent := seatName(l, m.Seats[p.Seat.Other()])
	msg := Said(l, i18n.PlanTitle, "Name", opponent)
	written := 0
	for i, line := range p.Lines {
		words := "\n- " + lineWords(l, line)
		if written += length(words); written > planText {
			msg.Text += "\n" + l.N(i18n.PlanLinesMore, len(p.Lines)-i)
			break
		}
		msg.Text += words
	}
	own := len(p.Line)%2 == 1
	t := Turn{Position: p.Position, Bottom: p.Seat, Path: p.Path, Whole: planMoves}
	if n := len(p.Line); n > 0 {
		t.Last = p.Line[n-1]
	} else if n := len(m.Moves); n > 0 {
		t.Last = m.Moves[n-1]
	}
	if !p.Over && len(p.Line) < intent.MaxPlan {
		t.Intent = func(path []engine.Square) intent.Intent {
			in := intent.Plan{Ref: ref, Line: p.Places, Path: path}
			if next, moves := p.Position.Continue(path); len(moves) == 1 && len(next) == 0 {
				in.Line = append(p.Places[:len(p.Places):len(p.Places)], play.Place(&p.Position, moves[0]))
				in.Path = nil
			}
			return in
		}
	}
	msg.Text += "\n\n" + planPrompt(l, p, &t, opponent)
	msg.Rows = t.Rows(l)
	if c := t.choice(); t.Intent != nil && !own && (c.whole || len(c.moves) == 1) {
		var list []Button
		for _, mv := range t.ordered(c.moves) {
			list = append(list, conditionButton(p, ref, mv))
		}
		msg.Rows = inRows(list)
	}
	var row Row
	if n := len(p.Places); n > 0 {
		row = append(row, Button{Label: l.T(i18n.ButtonBack), Intent: intent.Plan{Ref: ref, Line: p.Places[:n-1]}})
	}
	switch {
	case len(p.Lines) == 0 || own:
	case len(p.Line) > 0:
		row = append(row, Button{Label: l.T(i18n.ButtonDropLine), Style: Danger, Intent: intent.DropPlan{Ref: ref, Line: p.Places}})
	default:
		row = append(row, Button{Label: l.T(i18n.ButtonDropLines), Style: Danger, Intent: intent.DropPlan{Ref: ref}})
	}
	if len(row) > 0 {
		msg.Rows = append(msg.Rows, row)
	}
	show(&msg, l, look, t.Scene(look.Theme), fmt.Sprintf("lasca-%s-%d-plan-%d", m.ID, m.Version, len(p.Line)))
	return msg
}

// planPrompt asks for the next move of a line.
func planPrompt(l i18n.Lang, p *play.Plan, t *Turn, opponent string) string {
	c := t.choice()
	switch n := len(p.Line); {
	case t.Intent == nil:
		return l.T(i18n.PlanEnd)
	case c.back >= 0:
		return l.T(i18n.PlanWhere, "Path", pathText(c.path, p.Position.MustCapture()))
	case n%2 == 1:
		return l.T(i18n.PlanThen, "Name", opponent, "Move", p.Line[n-1])
	case n > 0:
		return l.T(i18n.PlanStored) + " " + l.T(i18n.PlanOn, "Name", opponent, "Move", p.Line[n-1])
	}
	return l.T(i18n.PlanIf, "Name", opponent)
}

// conditionButton is the button of an opponent's move, with the replies that leave no
// choice.
func conditionButton(p *play.Plan, ref intent.Ref, mv engine.Move) Button {
	pos := p.Position
	line := append(p.Places[:len(p.Places):len(p.Places)], play.Place(&pos, mv))
	label, style := moveLabel(mv), Secondary
	if pos.MustCapture() {
		style = Primary
	}
	pos.MakeUnchecked(mv)
	for only := pos.Moves(); len(only) == 1 && len(line) < intent.MaxPlan; only = pos.Moves() {
		line = append(line, 0)
		label += then + moveLabel(only[0])
		pos.MakeUnchecked(only[0])
		next := pos.Moves()
		if len(next) != 1 || len(line)+2 > intent.MaxPlan {
			break
		}
		after := pos
		after.MakeUnchecked(next[0])
		if after.CountMoves() != 1 {
			break // a line that ends with the opponent's move stores nothing
		}
		line = append(line, 0)
		label += then + moveLabel(next[0])
		pos = after
	}
	return Button{Label: clip(label, MaxLabel), Style: style, Intent: intent.Plan{Ref: ref, Line: line}}
}

// lineWords writes a line: if c3-b4 then d6-e5, if b4-a5 then c7-d6.
func lineWords(l i18n.Lang, line []engine.Move) string {
	var parts []string
	for i := 0; i+1 < len(line); i += 2 {
		parts = append(parts, l.T(i18n.PlanPair, "If", line[i], "Then", line[i+1]))
	}
	return strings.Join(parts, ", ")
}

// LeftLines tells a person that a game has left the lines that they stored in it.
func LeftLines(l i18n.Lang, r *storage.Record) Message {
	return Said(l, i18n.PlanLeft, "Link", gameLink(r),
		"White", seatName(l, r.Match.Seats[engine.White]), "Black", seatName(l, r.Match.Seats[engine.Black]))
}
