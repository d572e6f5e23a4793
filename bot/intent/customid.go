package intent

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
)

// MaxIDLen is the most bytes that a custom ID has, by Discord's rule.
const MaxIDLen = 100

// MaxGameLen is the most bytes of a game's ID: twenty digits, the largest
// snowflake. It keeps every custom ID below [MaxIDLen].
const MaxGameLen = 20

// MaxUserLen is the most bytes of a person's ID in a custom ID.
const MaxUserLen = 20

// format is the first byte of the custom IDs that this program writes.
const format = '1'

var (
	// ErrMalformed says that a custom ID is not one of ours.
	ErrMalformed = errors.New("malformed custom ID")
	// ErrOutdated says that a custom ID was written by another version of this
	// program.
	ErrOutdated = errors.New("custom ID of another version")
)

// refKinds gives each intent that holds nothing but a [Ref] its letter.
var refKinds = []struct {
	letter byte
	make   func(Ref) Intent
}{
	{'a', func(r Ref) Intent { return Accept{r} }},
	{'d', func(r Ref) Intent { return Decline{r} }},
	{'w', func(r Ref) Intent { return Withdraw{r} }},
	{'b', func(r Ref) Intent { return Board{r} }},
	{'y', func(r Ref) Intent { return MySide{r} }},
	{'m', func(r Ref) Intent { return More{r} }},
	{'h', func(r Ref) Intent { return Hint{r} }},
	{'u', func(r Ref) Intent { return Undo{r} }},
	{'U', func(r Ref) Intent { return AllowUndo{r} }},
	{'V', func(r Ref) Intent { return RefuseUndo{r} }},
	{'r', func(r Ref) Intent { return Draw{r} }},
	{'R', func(r Ref) Intent { return AcceptDraw{r} }},
	{'S', func(r Ref) Intent { return DeclineDraw{r} }},
	{'q', func(r Ref) Intent { return AskResign{r} }},
	{'Q', func(r Ref) Intent { return Resign{r} }},
	{'k', func(r Ref) Intent { return Keep{r} }},
	{'x', func(r Ref) Intent { return Abort{r} }},
	{'c', func(r Ref) Intent { return Claim{r} }},
	{'n', func(r Ref) Intent { return Rematch{r} }},
	{'t', func(r Ref) Intent { return GameText{r} }},
	{'f', func(r Ref) Intent { return Film{r} }},
	{'o', func(r Ref) Intent { return Replay{r} }},
	{'v', func(r Ref) Intent { return Review{r} }},
}

// refOf returns the reference of an intent that holds nothing else.
func refOf(in Intent) (Ref, bool) {
	switch v := in.(type) {
	case Accept:
		return v.Ref, true
	case Decline:
		return v.Ref, true
	case Withdraw:
		return v.Ref, true
	case Board:
		return v.Ref, true
	case MySide:
		return v.Ref, true
	case More:
		return v.Ref, true
	case Hint:
		return v.Ref, true
	case Undo:
		return v.Ref, true
	case AllowUndo:
		return v.Ref, true
	case RefuseUndo:
		return v.Ref, true
	case Draw:
		return v.Ref, true
	case AcceptDraw:
		return v.Ref, true
	case DeclineDraw:
		return v.Ref, true
	case AskResign:
		return v.Ref, true
	case Resign:
		return v.Ref, true
	case Keep:
		return v.Ref, true
	case Abort:
		return v.Ref, true
	case Claim:
		return v.Ref, true
	case Rematch:
		return v.Ref, true
	case GameText:
		return v.Ref, true
	case Film:
		return v.Ref, true
	case Replay:
		return v.Ref, true
	case Review:
		return v.Ref, true
	}
	return Ref{}, false
}

// CustomID writes an intent as a custom ID of at most [MaxIDLen] bytes. It
// panics for intents that stand behind no button (Challenge, Move) and for game
// IDs that are not 1 to [MaxGameLen] letters and digits: both are faults of the
// program, not of its input.
func CustomID(in Intent) string {
	id := customID(in)
	if back, err := ParseCustomID(id); err != nil {
		panic(fmt.Sprintf("intent: %T cannot be a custom ID: %v (%v)", in, err, back))
	}
	return id
}

func customID(in Intent) string {
	ref := func(letter byte, r Ref) string {
		return string([]byte{format, letter}) + string(r.Game) + "." + strconv.FormatUint(r.Version, 36)
	}
	switch v := in.(type) {
	case Step:
		b := []byte(ref('s', v.Ref))
		b = append(b, '.')
		for _, s := range v.Path {
			b = append(b, 'a'+byte(s))
		}
		return string(b)
	case Play:
		return fmt.Sprintf("%cp%d.%s.%v", format, v.Level, v.Side, v.Rules)
	case Rules:
		return fmt.Sprintf("%cz.%d", format, v.Page)
	case Look:
		return fmt.Sprintf("%cl%s.%s.%t", format, v.Theme, v.Text, v.Everyone)
	case Help:
		return string(format) + "?"
	case Games:
		return string(format) + "g"
	case MyData:
		return string(format) + "Ds"
	case ExportData:
		return string(format) + "De"
	case AskDeleteData:
		return string(format) + "Dd"
	case KeepData:
		return string(format) + "Dk"
	case DeleteData:
		return string(format) + "DD" + string(v.Of)
	}
	if r, ok := refOf(in); ok {
		for _, k := range refKinds {
			if k.make(r) == in {
				return ref(k.letter, r)
			}
		}
	}
	return ""
}

// ParseCustomID reads a custom ID. The error wraps [ErrMalformed] or
// [ErrOutdated]. What it returns is well-formed, not necessarily possible: the
// game may not exist and the path may not be legal.
func ParseCustomID(id string) (Intent, error) {
	in, err := parseCustomID(id)
	if err != nil {
		if len(id) > MaxIDLen {
			id = id[:MaxIDLen]
		}
		return nil, fmt.Errorf("%w: %q", err, id)
	}
	return in, nil
}

func parseCustomID(id string) (Intent, error) {
	if len(id) < 2 || len(id) > MaxIDLen {
		return nil, ErrMalformed
	}
	if id[0] != format {
		if id[0] >= '0' && id[0] <= '9' {
			return nil, ErrOutdated
		}
		return nil, ErrMalformed
	}
	letter, fields := id[1], strings.Split(id[2:], ".")
	switch {
	case letter == '?' && id[2:] == "":
		return Help{}, nil
	case letter == 'g' && id[2:] == "":
		return Games{}, nil
	case letter == 'D':
		return parseData(id[2:])
	case letter == 'z' && len(fields) == 2 && fields[0] == "":
		n, err := strconv.Atoi(fields[1])
		if err != nil || n < 0 || n > 99 || strconv.Itoa(n) != fields[1] {
			return nil, ErrMalformed
		}
		return Rules{n}, nil
	case letter == 'l' && len(fields) == 3:
		v := Look{Theme: fields[0], Text: fields[1], Everyone: fields[2] == "true"}
		if !word(v.Theme) || v.Text != "" && v.Text != "on" && v.Text != "off" || !v.Everyone && fields[2] != "false" {
			return nil, ErrMalformed
		}
		return v, nil
	case letter == 'p' && len(fields) == 3:
		level, err := strconv.Atoi(fields[0])
		rules, rulesErr := engine.ParseRules(fields[2])
		side := Side(fields[1])
		if err != nil || rulesErr != nil || level < 1 || level > match.MaxLevel || strconv.Itoa(level) != fields[0] ||
			side != White && side != Black && side != Random {
			return nil, ErrMalformed
		}
		return Play{Level: level, Side: side, Rules: rules}, nil
	case letter == 's' && len(fields) == 3:
		r, err := parseRef(fields)
		if err != nil {
			return nil, err
		}
		if len(fields[2]) > engine.MaxPath {
			return nil, ErrMalformed
		}
		v := Step{Ref: r}
		for i := range len(fields[2]) {
			s := engine.Square(fields[2][i] - 'a')
			if !s.Valid() {
				return nil, ErrMalformed
			}
			v.Path = append(v.Path, s)
		}
		return v, nil
	case len(fields) == 2:
		r, err := parseRef(fields)
		if err != nil {
			return nil, err
		}
		for _, k := range refKinds {
			if k.letter == letter {
				return k.make(r), nil
			}
		}
	}
	return nil, ErrMalformed
}

// parseData reads what follows the letter of the intents about stored data.
func parseData(text string) (Intent, error) {
	switch text {
	case "s":
		return MyData{}, nil
	case "e":
		return ExportData{}, nil
	case "d":
		return AskDeleteData{}, nil
	case "k":
		return KeepData{}, nil
	}
	if of, ok := strings.CutPrefix(text, "D"); ok && of != "" && len(of) <= MaxUserLen && word(of) {
		return DeleteData{Of: match.UserID(of)}, nil
	}
	return nil, ErrMalformed
}

func parseRef(fields []string) (Ref, error) {
	v, err := strconv.ParseUint(fields[1], 36, 64)
	if err != nil || strconv.FormatUint(v, 36) != fields[1] || fields[0] == "" || len(fields[0]) > MaxGameLen || !word(fields[0]) {
		return Ref{}, ErrMalformed
	}
	return Ref{Game: match.ID(fields[0]), Version: v}, nil
}

// word reports whether a text has letters and digits only.
func word(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// RefOf returns the game that an intent is about, the zero Ref when it is about
// none or names none.
func RefOf(in Intent) Ref {
	switch v := in.(type) {
	case Step:
		return v.Ref
	case Move:
		return v.Ref
	}
	r, _ := refOf(in)
	return r
}
