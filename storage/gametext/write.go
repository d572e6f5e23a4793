package gametext

import (
	"io"
	"strconv"
	"time"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/notation"
	"github.com/lascabot/lascabot/storage"
)

// The tags for what game text usually does not hold.
const (
	tagGame    = "Game"
	tagVersion = "Version"
	tagBy      = "Challenger" // the colour
	tagLots    = "Lots"       // "yes": the colours were drawn at random
	tagDays    = "Days"       // for a move; "none"
	tagRated   = "Rated"      // "yes"
	tagHints   = "Hints"      // "yes"
	tagExtra   = "Extra"      // for this turn: "24h0m0s"
	tagOpen    = "Open"       // "yes": nobody had the other seat
	tagCreated = "Created"
	tagChanged = "Changed"
	tagMoved   = "Moved"
	tagTold    = "Told"
	tagGuild   = "Guild"
	tagOutside = "Outside"
	tagChannel = "Channel"
	tagLocale  = "Locale"

	tagScreenChannel = "ScreenChannel"
	tagScreenMessage = "ScreenMessage"
	tagScreenVersion = "ScreenVersion"

	tagEnding = "Termination" // the usual name
)

// noDays is the value of tagDays where there is no limit.
const noDays = "none"

// seatTag returns the name of a tag about one side, such as "WhiteUser".
func seatTag(c engine.Color, what string) string {
	if c == engine.White {
		return "White" + what
	}
	return "Black" + what
}

// Writes reports whether a game can be written: all but open challenges can.
func Writes(r *storage.Record) bool { return r.Match.Phase != match.Proposed }

// Write writes a game, which must be one that [Writes] accepts, and an empty line
// after it. The error is that of w.
func Write(w io.Writer, r storage.Record) error {
	m := &r.Match
	var tags []notation.Tag
	add := func(name, value string) {
		if value != "" {
			tags = append(tags, notation.Tag{Name: name, Value: value})
		}
	}
	addTime := func(name string, t time.Time) {
		if !t.IsZero() {
			add(name, t.UTC().Format(time.RFC3339Nano))
		}
	}
	add("Event", "Lasca on Discord")
	add("Date", m.Created.UTC().Format("2006.01.02"))
	for c, seat := range m.Seats {
		side := engine.Color(c)
		if seat.Machine() {
			add(seatTag(side, ""), "Lasca level "+strconv.Itoa(seat.Level))
			add(seatTag(side, "Level"), strconv.Itoa(seat.Level))
		} else {
			add(seatTag(side, ""), seat.Name)
			add(seatTag(side, "User"), string(seat.User))
		}
		addTime(seatTag(side, "Seen"), m.Seen[c])
	}
	add(tagEnding, string(m.Ending))
	add(tagGame, string(m.ID))
	add(tagVersion, strconv.FormatUint(m.Version, 10))
	add(tagBy, m.By.String())
	yes := func(name string, is bool) {
		if is {
			add(name, "yes")
		}
	}
	yes(tagLots, m.Lots)
	yes(tagRated, m.Terms.Rated)
	yes(tagHints, m.Terms.Hints)
	yes(tagOpen, m.Open)
	switch days := m.Terms.Days; {
	case days == match.NoLimit:
		add(tagDays, noDays)
	case days > 0:
		add(tagDays, strconv.Itoa(days))
	}
	if m.Extra > 0 {
		add(tagExtra, m.Extra.String())
	}
	addTime(tagCreated, m.Created)
	addTime(tagChanged, m.Changed)
	addTime(tagMoved, m.Moved)
	addTime(tagTold, r.Told())
	add(tagGuild, r.Place.Guild)
	add(tagOutside, r.Place.Outside)
	add(tagChannel, r.Place.Channel)
	add(tagLocale, r.Place.Locale)
	add(tagScreenChannel, r.Screen.Channel)
	add(tagScreenMessage, r.Screen.Message)
	if r.Screen.Version > 0 {
		add(tagScreenVersion, strconv.FormatUint(r.Screen.Version, 10))
	}
	start := m.StartPosition()
	_, err := io.WriteString(w, notation.FormatGame(notation.Game{
		Tags: tags, Start: start.Setup(), Moves: m.Moves, Result: m.Result,
	})+"\n")
	return err
}
