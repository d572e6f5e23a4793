package view

import (
	"fmt"
	"slices"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
)

// Game returns the message that shows a game to a channel: the challenge, the
// board with the buttons of whoever is to move, or the end. path holds the squares
// that the mover has chosen so far, as in [Turn].
func Game(l i18n.Lang, look Look, m *match.Match, path []engine.Square) Message {
	if neverPlayed(m) {
		return challenge(l, m)
	}
	t := turnOf(m, bottomOf(m))
	msg := Message{Text: heading(l, m, &t)}
	if m.Phase == match.Finished {
		if text := note(l, m); text != "" { // a stored reply was the last move
			msg.Text += text + "\n"
		}
		msg.Text += ending(l, m)
		if m.Ending == match.Stopped { // nobody there has done it
			notifyPlayers(&msg, m)
		}
		msg.Rows = endRows(l, m)
	} else {
		ask(l, look, m, &msg, &t, path)
	}
	name := fmt.Sprintf("lasca-%s-%d", m.ID, m.Version)
	for _, sq := range t.choice().path {
		name += "-" + sq.String()
	}
	if look.Theme != render.Wood {
		name += "-" + look.Theme.String()
	}
	show(&msg, l, look, t.Scene(look.Theme), name)
	return msg
}

// heading names a game's players, move and rules, and the newest moves.
func heading(l i18n.Lang, m *match.Match, t *Turn) string {
	text := l.T(i18n.BoardTitle,
		"White", seatName(l, m.Seats[engine.White]), "Black", seatName(l, m.Seats[engine.Black]),
		"Number", t.Position.Number(), "Rules", termsOf(l, m, " · ")+unusualTime(l, m, " · ")) + "\n"
	if last := lastMoves(m); last != "" {
		text += "`" + last + "`\n"
	}
	return text
}

// MySide returns a game's board as it looks from one side, for one person.
func MySide(l i18n.Lang, look Look, m *match.Match, side engine.Color) Message {
	msg := Said(l, i18n.MySideTitle, "Side", colorName(l, side))
	t := turnOf(m, side)
	show(&msg, l, look, t.Scene(look.Theme), fmt.Sprintf("lasca-%s-%d-%v", m.ID, m.Version, side))
	return msg
}

// bottomOf returns the side at the lower edge for everybody: the person's against
// the machine, otherwise White. A board that turns after each move is what players
// complain about most.
func bottomOf(m *match.Match) engine.Color {
	if m.Seats[engine.White].Machine() {
		return engine.Black
	}
	return engine.White
}

// refTo names a game as it is now.
func refTo(m *match.Match) intent.Ref { return intent.Ref{Game: m.ID, Version: m.Version} }

// turnOf returns a game's position, in which nobody is asked yet. It shows the
// result and the newest move, and with a move of the machine's the one that it
// answers.
func turnOf(m *match.Match, bottom engine.Color) Turn {
	t := Turn{Position: m.Game().Position(), Bottom: bottom, Result: m.Result}
	if shown := m.Moves[firstShown(m):]; len(shown) > 0 {
		t.Last = shown[len(shown)-1]
		if len(shown) > 1 {
			t.Previous = shown[0]
		}
	}
	return t
}

// lastMoves writes the moves that [turnOf] shows, "" if there are none.
func lastMoves(m *match.Match) string {
	from := firstShown(m)
	return numbered(m, from, m.Moves[from:])
}

// firstShown returns the first of the one or two plies that the board shows.
func firstShown(m *match.Match) int {
	n := len(m.Moves)
	atOnce := m.Notice != nil && m.Notice.Kind == match.RepliedAtOnce
	if n > 1 && (atOnce || m.Seats[m.Mover(n-1)].Machine()) {
		return n - 2
	}
	return max(n-1, 0)
}

// ask adds to the message of a running game what waits for an answer, and has the
// turn ask the person to move.
func ask(l i18n.Lang, look Look, m *match.Match, msg *Message, t *Turn, path []engine.Square) {
	if text := note(l, m); text != "" {
		msg.Text += text + "\n"
	}
	answers := questions(l, m, msg)
	if mover := m.Seats[m.Turn()]; mover.Machine() {
		msg.Text += l.T(i18n.BoardThinking)
	} else {
		if len(msg.Notify) == 0 {
			notify(msg, mover.User)
		}
		// While another question waits for somebody else, the mover is only named:
		// a message notifies those who hold up the game.
		t.Who = seatName(l, mover)
		if slices.Contains(msg.Notify, mover.User) {
			t.Who = mention(mover.User)
		}
		t.Path = path
		if look.Moves {
			t.Whole = (MaxRows - 1) * MaxButtons // one row is the standing one
			if len(answers) > 0 {
				t.Whole -= MaxButtons
			}
		}
		_, moves := t.Position.Continue(path)
		whole := len(path) > 0 && len(moves) == 1 && moves[0].Len() == len(path)
		t.Intent = func(next []engine.Square) intent.Intent {
			return intent.Step{Ref: refTo(m), Path: next, Sure: whole && slices.Equal(next, path)}
		}
		msg.Text += t.Prompt(l)
		msg.Rows = t.Rows(l)
	}
	if len(answers) > 0 {
		msg.Rows = append(msg.Rows, answers)
	}
	msg.Rows = append(msg.Rows, standingRow(l, m))
}

// note says what happened besides moves, "" if nothing did.
func note(l i18n.Lang, m *match.Match) string {
	if m.Notice == nil {
		return ""
	}
	who := seatName(l, m.Seats[m.Notice.By])
	switch m.Notice.Kind {
	case match.DrawRefused:
		return l.T(i18n.NoteDrawRefused, "Name", who)
	case match.UndoRefused:
		return l.T(i18n.NoteUndoRefused, "Name", who)
	case match.TakenBack:
		return l.T(i18n.NoteTakenBack, "Name", who)
	case match.DrawDropped:
		return l.T(i18n.NoteDrawDropped, "Name", who)
	case match.UndoDropped:
		return l.T(i18n.NoteUndoDropped, "Name", who)
	case match.ChangesLost:
		return l.T(i18n.NoteChangesLost)
	case match.RepliedAtOnce:
		return l.T(i18n.NoteReplied, "Name", who)
	}
	return ""
}

// questions adds the draw offer and the request to take back that wait, and
// returns the row of buttons that answer them.
func questions(l i18n.Lang, m *match.Match, msg *Message) Row {
	ref := refTo(m)
	var row Row
	if o := m.Offer; o != nil {
		name, other := seatName(l, m.Seats[o.By]), m.Seats[o.By.Other()]
		if other.Machine() {
			msg.Text += l.T(i18n.BoardOfferBot, "Name", name) + "\n"
		} else {
			notify(msg, other.User)
			msg.Text += l.T(i18n.BoardOffer, "Name", name, "Other", mention(other.User)) + "\n"
			row = append(row,
				Button{Label: l.T(i18n.ButtonAgree), Style: Success, Intent: intent.AcceptDraw{Ref: ref}},
				Button{Label: l.T(i18n.ButtonDisagree), Intent: intent.DeclineDraw{Ref: ref}})
		}
	}
	if r := m.Request; r != nil {
		name, other := seatName(l, m.Seats[r.By]), m.Seats[r.By.Other()]
		notify(msg, other.User)
		msg.Text += l.T(i18n.BoardRequest, "Name", name, "Other", mention(other.User),
			"Move", numbered(m, r.To, m.Moves[r.To:r.To+1]))
		if m.Terms.Rated {
			msg.Text += " " + l.T(i18n.BoardRequestRated)
		}
		msg.Text += "\n"
		row = append(row,
			Button{Label: l.T(i18n.ButtonAllow), Style: Success, Intent: intent.AllowUndo{Ref: ref}},
			Button{Label: l.T(i18n.ButtonRefuse), Intent: intent.RefuseUndo{Ref: ref}})
	}
	return row
}

// notify adds a person to those whom a message notifies.
func notify(msg *Message, u match.UserID) {
	if !slices.Contains(msg.Notify, u) {
		msg.Notify = append(msg.Notify, u)
	}
}

// standingRow holds what can be asked for at any time in a running game. While an offer
// or a request waits for a person, its button takes it back.
func standingRow(l i18n.Lang, m *match.Match) Row {
	ref := refTo(m)
	machine := m.Seats[0].Machine() || m.Seats[1].Machine()
	var row Row
	if machine || m.Terms.Hints {
		row = append(row, Button{Label: l.T(i18n.ButtonHint), Emoji: "💡", Intent: intent.Hint{Ref: ref}, Disabled: m.Seats[m.Turn()].Machine()})
	} else {
		row = append(row, Button{Label: l.T(i18n.ButtonPlan), Emoji: "🔮", Intent: intent.Plan{Ref: ref}})
	}
	undo := Button{Label: l.T(i18n.ButtonUndo), Emoji: "↩️", Intent: intent.Undo{Ref: ref}, Disabled: !somebodyMoved(m)}
	if m.Request != nil {
		undo = Button{Label: l.T(i18n.ButtonDropUndo), Emoji: "↩️", Intent: intent.DropUndo{Ref: ref}}
	}
	draw := Button{Label: l.T(i18n.ButtonDraw), Intent: intent.Draw{Ref: ref}, Disabled: m.Offer != nil}
	if m.Offer != nil && !machine {
		draw = Button{Label: l.T(i18n.ButtonDropDraw), Intent: intent.DropDraw{Ref: ref}}
	}
	return append(row, Row{
		undo,
		draw,
		{Label: l.T(i18n.ButtonResign), Emoji: "🏳️", Style: Danger, Intent: intent.AskResign{Ref: ref}},
		{Label: l.T(i18n.ButtonMore), Intent: intent.More{Ref: ref}},
	}...)
}

// somebodyMoved reports whether a person has a move to take back.
func somebodyMoved(m *match.Match) bool {
	for c, s := range m.Seats {
		if _, ok := m.UndoPly(engine.Color(c)); ok && !s.Machine() {
			return true
		}
	}
	return false
}
