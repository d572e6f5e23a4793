package notation

import (
	"slices"
	"strings"
	"unicode"
)

// Tag is one tag pair of a game, such as White "Ada".
type Tag struct{ Name, Value string }

// tagOrder is the order in which tags are written. Other tags follow in the order in
// which they were given.
var tagOrder = []string{"Event", "Site", "Date", "Round", "White", "Black", tagResult, tagRules, tagPosition, "Termination"}

// The tags for which [Game] has fields of its own.
const (
	tagResult   = "Result"
	tagRules    = "Rules"
	tagPosition = "Position"
)

// Tags that other programs write and that may give the moves another meaning.
const (
	tagGameType  = "GameType" // a number for a game of the draughts family; Lasca has none
	tagVariant   = "Variant"
	tagBoardSize = "BoardSize"
	tagFEN       = "FEN" // a position in a notation of another game
	tagSetUp     = "SetUp"
)

// ownTags are the tags that [Game.Tags] does not hold.
var ownTags = []string{tagResult, tagRules, tagPosition, tagGameType, tagVariant, tagBoardSize, tagFEN, tagSetUp}

// ownField reports whether a tag says what game the text holds, in any case of its
// letters.
func ownField(name string) bool {
	return slices.ContainsFunc(ownTags, func(own string) bool { return strings.EqualFold(own, name) })
}

// strangeTag returns what is wrong with a tag that says that the moves mean something
// else than this package reads from them, and "" for any other.
func strangeTag(t Tag) string {
	if own := slices.IndexFunc(ownTags, func(own string) bool { return strings.EqualFold(own, t.Name) }); own >= 0 && t.Name != ownTags[own] {
		return "the tag is written " + ownTags[own]
	}
	value := strings.ToLower(strings.TrimSpace(t.Value))
	switch t.Name {
	case tagGameType, tagVariant:
		if value != "lasca" && value != "laska" {
			return "this is another game than Lasca; for other rules of Lasca there is the tag Rules"
		}
	case tagBoardSize:
		if value != "7" && value != "7x7" {
			return "Lasca is played on a board of 7x7 squares"
		}
	case tagFEN:
		return "put the position, as this program writes it, into a tag Position"
	}
	return ""
}

// tagPlace returns the place of a tag in the order of writing.
func tagPlace(name string) int {
	if i := slices.Index(tagOrder, name); i >= 0 {
		return i
	}
	return len(tagOrder)
}

func sortTags(tags []Tag) {
	slices.SortStableFunc(tags, func(a, b Tag) int { return tagPlace(a.Name) - tagPlace(b.Name) })
}

// validTagName reports whether a name consists of 1 to 32 letters, digits and
// underscores.
func validTagName(name string) bool {
	if name == "" || len(name) > 32 {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_') {
			return false
		}
	}
	return true
}

// cleanTagValue makes text fit into a tag pair: valid UTF-8 on one line, with at
// most MaxTagValue bytes.
func cleanTagValue(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text) // also replaces invalid UTF-8
	if len(text) > MaxTagValue {
		text = strings.ToValidUTF8(text[:MaxTagValue], "")
	}
	return text
}

var tagEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// parseTag reads a line such as [White "Ada"], and returns false for any other.
func parseTag(line string) (Tag, bool) {
	inside, ok := strings.CutPrefix(line, "[")
	if !ok {
		return Tag{}, false
	}
	inside, ok = strings.CutSuffix(inside, "]")
	if !ok {
		return Tag{}, false
	}
	name, quoted, ok := strings.Cut(strings.TrimSpace(inside), " ")
	if !ok || !validTagName(name) {
		return Tag{}, false
	}
	quoted = strings.TrimSpace(quoted)
	if len(quoted) < 2 || quoted[0] != '"' || quoted[len(quoted)-1] != '"' {
		return Tag{}, false
	}
	value, ok := unescape(quoted[1 : len(quoted)-1])
	return Tag{name, value}, ok && len(value) <= MaxTagValue
}

// unescape undoes tagEscaper. It returns false when a quotation mark is not escaped
// or a backslash ends the text.
func unescape(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && (text[i+1] == '\\' || text[i+1] == '"'):
			i++
			b.WriteByte(text[i])
		case c == '"' || c == '\\' && i+1 == len(text):
			return "", false
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}
