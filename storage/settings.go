package storage

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"
)

// Settings are the choices of a person or a server. The zero value is the default:
// nothing is chosen. A field that is not for one of them stays zero. The store does not
// judge the values.
type Settings struct {
	Theme string `json:"theme,omitempty"` // of the board pictures
	Text  bool   `json:"text,omitempty"`  // show boards in letters instead of pictures
	Emoji bool   `json:"emoji,omitempty"` // show boards in emoji instead; Text goes first
	// Buttons says what is chosen on boards: Columns, or "", or Moves.
	Buttons string `json:"buttons,omitempty"`
	// Language is that of what everybody on the server sees, or of what the person
	// reads, such as "de".
	Language string `json:"language,omitempty"`

	// Of a server.

	Channels []string `json:"channels,omitempty"` // where games may be played; empty for everywhere
	Threads  bool     `json:"threads,omitempty"`  // each game gets a thread
	// Mention says how somebody hears that it is their turn: MentionQuiet,
	// MentionPing, MentionDM, or "".
	Mention string `json:"mention,omitempty"`
	Days    int    `json:"days,omitempty"`  // of new games: match.Terms
	Rated   bool   `json:"rated,omitempty"` // new games are, where nothing else is said

	// Of a person.

	Confirm      string `json:"confirm,omitempty"`       // whether a move is asked for once more
	Notices      string `json:"notices,omitempty"`       // how the person wants to hear of a turn, as Mention
	NoChallenges bool   `json:"no_challenges,omitempty"` // nobody may challenge the person
	Vacations    []Span `json:"vacations,omitempty"`     // when the person's time does not count, the oldest first
}

// What [Settings].Buttons may be: a column and then its landings, or whole moves.
const (
	Columns = "columns"
	Moves   = "moves"
)

// What [Settings].Mention and Notices may be.
const (
	MentionQuiet = "quiet"   // nobody is notified
	MentionPing  = "mention" // by a mention in the game's channel
	MentionDM    = "dm"      // by a direct message
)

// MaxChosen is the greatest number of channels, and of vacations, in [Settings].
const MaxChosen = 100

// Span is a time from a moment until just before another.
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// IsZero reports whether nothing is chosen.
func (s Settings) IsZero() bool { return s.Equal(Settings{}) }

// Equal reports whether two choices are the same. Times are compared as moments.
func (s Settings) Equal(other Settings) bool { return reflect.DeepEqual(s.Normal(), other.Normal()) }

// Normal returns an independent copy in the form that every store returns: times as in
// [Record.Normal], and nil for empty lists.
func (s Settings) Normal() Settings {
	s.Channels = append([]string(nil), s.Channels...)
	s.Vacations = append([]Span(nil), s.Vacations...)
	for i, v := range s.Vacations {
		s.Vacations[i] = Span{v.From.UTC(), v.To.UTC()}
	}
	return s
}

// Check returns an error when the settings are such that stores refuse them: a text is
// longer than [MaxKey] or not UTF-8, or a list longer than [MaxChosen].
func (s Settings) Check() error {
	for _, text := range append(slices.Clone(s.Channels), s.Theme, s.Buttons, s.Language, s.Mention, s.Confirm, s.Notices) {
		if len(text) > MaxKey || !utf8.ValidString(text) {
			return fmt.Errorf("a text of %d bytes in settings is too long or not UTF-8", len(text))
		}
	}
	if n := max(len(s.Channels), len(s.Vacations)); n > MaxChosen {
		return fmt.Errorf("%d entries in a list in settings; at most %d can be stored", n, MaxChosen)
	}
	return nil
}
