package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// Look is how somebody wants boards to be shown.
type Look struct {
	Theme   render.Theme
	Letters bool // in letters in place of a picture
}

// Game returns the message that shows a game to a channel: the challenge, the
// board with the buttons of whoever is to move, or the end. path holds the
// squares that the mover has chosen so far; what is not the beginning of a
// legal move is left out.
func Game(l i18n.Lang, look Look, m *match.Match, path []engine.Square) Message {
	if m.Phase == match.Proposed || m.Phase == match.Finished && len(m.Moves) == 0 && !wasPlayed(m.Ending) {
		return challenge(l, m)
	}
	g := m.Game()
	pos := g.Position()
	b := board{l: l, m: m, pos: &pos, bottom: Bottom(m)}
	b.next, b.moves = pos.Continue(path)
	if len(b.moves) == 0 || len(b.next) == 0 {
		path = nil
		b.next, b.moves = pos.Continue(nil)
	}
	b.path = path

	msg := Message{Text: b.title() + "\n"}
	if last := b.lastMoves(); last != "" {
		msg.Text += last + "\n"
	}
	scene := b.scene(look.Theme)
	switch {
	case m.Phase == match.Finished:
		msg.Text += ending(l, m)
		if row := b.endRow(); len(row) > 0 {
			msg.Rows = []Row{row}
		}
	default:
		if note := b.note(); note != "" {
			msg.Text += note + "\n"
		}
		questions, answers := b.questions(&msg)
		prompt, rows := b.prompt(&msg, &scene)
		msg.Text += questions + prompt
		msg.Rows = rows
		if len(answers) > 0 {
			msg.Rows = append(msg.Rows, answers)
		}
		msg.Rows = append(msg.Rows, b.standingRow())
	}
	show(&msg, l, look, scene, fmt.Sprintf("lasca-%s-%d%s", m.ID, m.Version, pathName(path)))
	return msg
}

// show puts a board into a message: as a picture with its words, or in letters.
func show(msg *Message, l i18n.Lang, look Look, s render.Scene, name string) {
	if look.Letters {
		msg.Text = clip(msg.Text+"\n"+Letters(l, s.Board, s.Bottom), MaxText)
		return
	}
	msg.Picture = &Picture{Scene: s, Alt: Alt(l, s), Name: name + ".png"}
}

// pathName makes the chosen squares part of a file name.
func pathName(path []engine.Square) string {
	name := ""
	for _, s := range path {
		name += "-" + s.String()
	}
	return name
}

// wasPlayed reports whether an ending is one of a game, not of a challenge.
func wasPlayed(e match.Ending) bool {
	return e != match.Declined && e != match.Withdrawn && e != match.Expired
}

// Bottom returns the side at the lower edge for everybody: the person's against
// the machine, otherwise White's. A board that turns after each move is what
// players complain about most.
func Bottom(m *match.Match) engine.Color {
	if m.Seats[engine.White].Machine() {
		return engine.Black
	}
	return engine.White
}

// board builds one board message.
type board struct {
	l      i18n.Lang
	m      *match.Match
	pos    *engine.Position
	bottom engine.Color
	path   []engine.Square // chosen so far
	next   []engine.Square // what may be chosen next
	moves  []engine.Move   // the legal moves that begin with path
}

func (b *board) ref() intent.Ref { return intent.Ref{Game: b.m.ID, Version: b.m.Version} }

func (b *board) title() string {
	return b.l.T(i18n.BoardTitle,
		"White", seatName(b.l, b.m.Seats[engine.White]), "Black", seatName(b.l, b.m.Seats[engine.Black]),
		"Number", b.pos.Number(), "Rules", rulesName(b.l, b.m.Rules))
}

// lastMoves writes the newest move, and before it the one that it answers when
// the machine made it.
func (b *board) lastMoves() string {
	n := len(b.m.Moves)
	if n == 0 {
		return ""
	}
	from := n - 1
	if n > 1 && b.m.Seats[(n-1)&1].Machine() {
		from--
	}
	return "`" + numbered(b.m.Moves, from) + "`"
}

// Scene returns the picture of a game as it stands, from one side, with its
// last moves.
func Scene(m *match.Match, theme render.Theme, bottom engine.Color) render.Scene {
	g := m.Game()
	pos := g.Position()
	s := render.Scene{Board: pos.Setup(), Bottom: bottom, Theme: theme, Result: m.Result}
	if n := len(m.Moves); n > 0 {
		s.Last = m.Moves[n-1]
		if n > 1 && m.Seats[(n-1)&1].Machine() {
			s.Previous = m.Moves[n-2]
		}
	}
	return s
}

func (b *board) scene(theme render.Theme) render.Scene { return Scene(b.m, theme, b.bottom) }

// note tells what happened besides moves.
func (b *board) note() string {
	if b.m.Notice == nil {
		return ""
	}
	who := seatName(b.l, b.m.Seats[b.m.Notice.By])
	switch b.m.Notice.Kind {
	case match.DrawRefused:
		return b.l.T(i18n.NoteDrawRefused, "Name", who)
	case match.UndoRefused:
		return b.l.T(i18n.NoteUndoRefused, "Name", who)
	case match.TakenBack:
		return b.l.T(i18n.NoteTakenBack, "Name", who)
	}
	return ""
}

// questions tells of the offer and the request that wait, with the buttons to
// answer in one row.
func (b *board) questions(msg *Message) (string, Row) {
	var text string
	var row Row
	if o := b.m.Offer; o != nil {
		name, other := seatName(b.l, b.m.Seats[o.By]), b.m.Seats[o.By.Other()]
		if other.Machine() {
			text += b.l.T(i18n.BoardOfferBot, "Name", name) + "\n"
		} else {
			notify(msg, other.User)
			text += b.l.T(i18n.BoardOffer, "Name", name, "Other", mention(other.User)) + "\n"
			row = append(row,
				Button{Label: b.l.T(i18n.ButtonAgree), Style: Success, Intent: intent.AcceptDraw{Ref: b.ref()}},
				Button{Label: b.l.T(i18n.ButtonDisagree), Intent: intent.DeclineDraw{Ref: b.ref()}})
		}
	}
	if r := b.m.Request; r != nil {
		name, other := seatName(b.l, b.m.Seats[r.By]), b.m.Seats[r.By.Other()]
		notify(msg, other.User)
		text += b.l.T(i18n.BoardRequest, "Name", name, "Other", mention(other.User),
			"Move", numbered(b.m.Moves[:r.To+1], r.To)) + "\n"
		row = append(row,
			Button{Label: b.l.T(i18n.ButtonAllow), Style: Success, Intent: intent.AllowUndo{Ref: b.ref()}},
			Button{Label: b.l.T(i18n.ButtonRefuse), Intent: intent.RefuseUndo{Ref: b.ref()}})
	}
	return text, row
}

// notify adds a person to those whom a message reaches.
func notify(msg *Message, u match.UserID) {
	if !slices.Contains(msg.Notify, u) {
		msg.Notify = append(msg.Notify, u)
	}
}

// prompt says who is to move and offers what may be chosen next.
func (b *board) prompt(msg *Message, s *render.Scene) (string, []Row) {
	mover := b.m.Seats[b.m.Turn()]
	if mover.Machine() {
		return b.l.T(i18n.BoardThinking), nil
	}
	if len(msg.Notify) == 0 {
		notify(msg, mover.User)
	}
	// While somebody else has a question to answer, the mover is named only: a
	// message reaches those who hold the game up.
	who := seatName(b.l, mover)
	if slices.Contains(msg.Notify, mover.User) {
		who = mention(mover.User)
	}
	captures := b.pos.MustCapture()
	if captures && len(b.path) == 0 {
		s.Must = render.Squares(b.next...)
	}
	switch {
	case len(b.path) > 0:
		s.Must = 0
		s.Targets = render.Squares(b.next...)
		s.Picked = render.Squares(b.path[0])
		if len(b.path) > 1 {
			s.Picked = 0
			s.Partial, _ = engine.NewMove(b.path...)
		}
		rows := b.buttons(engine.Square.String) // one row: at most four squares
		rows[0] = append(rows[0], Button{Label: b.l.T(i18n.ButtonBack), Intent: b.step(b.path[:len(b.path)-1])})
		return b.l.T(i18n.BoardWhere, "Who", who, "Path", pathText(b.path, captures)), rows
	case len(b.moves) == 1:
		only := b.moves[0]
		return b.l.T(i18n.BoardOnly, "Who", who, "Move", only), []Row{{{
			Label: b.l.T(i18n.ButtonOnly, "Move", only), Style: Primary, Intent: b.step(only.Path()),
		}}}
	case captures:
		return b.l.T(i18n.BoardCapture, "Who", who, "Squares", alternatives(b.l, bold(b.next))), b.buttons(func(sq engine.Square) string {
			most := 0
			for _, mv := range b.moves {
				if mv.From() == sq {
					most = max(most, mv.Jumps())
				}
			}
			return sq.String() + " ×" + strconv.Itoa(most)
		})
	}
	return b.l.T(i18n.BoardTurn, "Who", who), b.buttons(engine.Square.String)
}

func (b *board) step(path []engine.Square) intent.Step { return intent.Step{Ref: b.ref(), Path: path} }

// buttons makes one button for each square that may be chosen next.
func (b *board) buttons(label func(engine.Square) string) []Row {
	style := Secondary
	if len(b.path) > 0 || b.pos.MustCapture() {
		style = Primary
	}
	var rows []Row
	for i, sq := range b.next {
		if i%MaxButtons == 0 {
			rows = append(rows, nil)
		}
		path := append(append([]engine.Square(nil), b.path...), sq)
		last := &rows[len(rows)-1]
		*last = append(*last, Button{Label: label(sq), Style: style, Intent: b.step(path)})
	}
	return rows
}

// standingRow holds what can be asked for at any time.
func (b *board) standingRow() Row {
	r := b.ref()
	return Row{
		{Label: b.l.T(i18n.ButtonHint), Emoji: "💡", Intent: intent.Hint{Ref: r}, Disabled: b.m.Seats[b.m.Turn()].Machine()},
		{Label: b.l.T(i18n.ButtonUndo), Emoji: "↩️", Intent: intent.Undo{Ref: r}, Disabled: b.m.Request != nil || !b.somebodyMoved()},
		{Label: b.l.T(i18n.ButtonDraw), Intent: intent.Draw{Ref: r}, Disabled: b.m.Offer != nil},
		{Label: b.l.T(i18n.ButtonResign), Emoji: "🏳️", Style: Danger, Intent: intent.AskResign{Ref: r}},
		{Label: b.l.T(i18n.ButtonMore), Intent: intent.More{Ref: r}},
	}
}

// somebodyMoved reports whether a person has a move to take back.
func (b *board) somebodyMoved() bool {
	for c, s := range b.m.Seats {
		if _, ok := b.m.UndoPly(engine.Color(c)); ok && !s.Machine() {
			return true
		}
	}
	return false
}

// endRow holds what can be asked for after the end.
func (b *board) endRow() Row {
	r := b.ref()
	var row Row
	if b.m.Seats[0].User != storage.Deleted && b.m.Seats[1].User != storage.Deleted {
		row = append(row, Button{Label: b.l.T(i18n.ButtonRematch), Emoji: "🔁", Style: Primary, Intent: intent.Rematch{Ref: r}})
	}
	if len(b.m.Moves) > 0 {
		row = append(row,
			Button{Label: b.l.T(i18n.ButtonReview), Emoji: "📈", Intent: intent.Review{Ref: r}},
			Button{Label: b.l.T(i18n.ButtonFilm), Emoji: "🎞️", Intent: intent.Film{Ref: r}},
			Button{Label: b.l.T(i18n.ButtonText), Emoji: "📄", Intent: intent.GameText{Ref: r}})
	}
	return row
}

// pathText writes the squares chosen so far as the beginning of a move.
func pathText(path []engine.Square, captures bool) string {
	sep := "-"
	if captures {
		sep = "x"
	}
	return strings.Join(names(path), sep)
}

// moveDays is the time for a move in days.
const moveDays = int(match.MoveTime / (24 * time.Hour))

// ending says how a game ended.
func ending(l i18n.Lang, m *match.Match) string {
	switch m.Ending {
	case match.Repetition:
		return l.T(i18n.EndRepetition)
	case match.NoProgress:
		return l.T(i18n.EndNoProgress)
	case match.Agreement:
		return l.T(i18n.EndAgreement)
	case match.Aborted:
		return l.T(i18n.EndAborted)
	}
	winner := engine.White
	if m.Result == engine.BlackWins {
		winner = engine.Black
	}
	key := i18n.EndNoMoves
	switch m.Ending {
	case match.Resignation:
		key = i18n.EndResignation
	case match.Abandonment:
		key = i18n.EndAbandonment
	}
	return l.T(key, "Disc", disc(winner), "Side", colorName(l, winner), "Other", colorName(l, winner.Other()),
		"Winner", seatName(l, m.Seats[winner]), "Loser", seatName(l, m.Seats[winner.Other()]), "Days", moveDays)
}

// challenge returns the message of a match that has not begun.
func challenge(l i18n.Lang, m *match.Match) Message {
	by, other := m.Seats[m.By], m.Seats[m.By.Other()]
	name := seatName(l, by)
	switch m.Ending {
	case match.Declined:
		return Message{Text: l.T(i18n.ChallengeDeclined, "Name", seatName(l, other), "Other", name)}
	case match.Withdrawn:
		return Message{Text: l.T(i18n.ChallengeWithdrawn, "Name", name, "Other", seatName(l, other))}
	case match.Expired:
		return Message{Text: l.T(i18n.ChallengeExpired, "Name", name, "Other", seatName(l, other))}
	}
	side := i18n.ChallengeLots
	if !m.Lots {
		side = i18n.ChallengeWhite
		if m.By == engine.Black {
			side = i18n.ChallengeBlack
		}
	}
	r := intent.Ref{Game: m.ID, Version: m.Version}
	return Message{
		Text: l.T(i18n.ChallengeText, "Who", mention(other.User), "Name", name, "Rules", rulesName(l, m.Rules),
			"Side", l.T(side, "Name", name), "Days", moveDays, "Until", timestamp(m.Expires)),
		Notify: []match.UserID{other.User},
		Rows: []Row{{
			{Label: l.T(i18n.ButtonAccept), Style: Success, Intent: intent.Accept{Ref: r}},
			{Label: l.T(i18n.ButtonDecline), Style: Danger, Intent: intent.Decline{Ref: r}},
			{Label: l.T(i18n.ButtonWithdraw), Intent: intent.Withdraw{Ref: r}},
		}},
	}
}

// timestamp writes a time so that each reader sees it in words, relative to now.
func timestamp(t time.Time) string { return "<t:" + strconv.FormatInt(t.Unix(), 10) + ":R>" }
