package notation

import (
	"strconv"
	"strings"

	"github.com/lascabot/lascabot/engine"
)

// The limits of game text.
const (
	MaxGameText = 1 << 20 // bytes that ReadGame and ReadGames read
	MaxGames    = 1000    // games in one text
	MaxPlies    = 5000    // plies in one game
	MaxTags     = 64      // tags of one game
	MaxTagValue = 512     // bytes in the value of one tag
)

// Game is a game as text holds it. The result is the recorded one, which may come
// from resignation or agreement; nothing checks it against the board.
type Game struct {
	Tags   []Tag // without Result, Rules and Position, which the fields below hold
	Start  engine.Setup
	Moves  []engine.Move
	Result engine.Result
}

// Tag returns the value of a tag, and "" when there is no tag of this name.
func (g *Game) Tag(name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// FormatGame writes a game as text: the tag pairs, an empty line, the numbered moves
// in lines of at most 80 bytes, and the result. Result and Rules are always among
// the tags, and Position when the game does not start from the usual set-up.
// [ReadGame] reads the text back when Start is a position and the moves are legal
// from there.
//
// FormatGame leaves out tags whose name is not 1 to 32 letters, digits and
// underscores, is repeated, belongs to a field of [Game] or may give the moves another
// meaning (see [ReadGame]), and all tags beyond [MaxTags]. Control characters in values
// become spaces, and values are cut at [MaxTagValue] bytes.
func FormatGame(g Game) string {
	var b strings.Builder
	for _, t := range tagsToWrite(g) {
		b.WriteString("[" + t.Name + ` "` + tagEscaper.Replace(t.Value) + "\"]\n")
	}
	b.WriteByte('\n')
	column := 0
	word := func(w string) {
		switch {
		case column == 0:
		case column+1+len(w) > 80:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	for i, m := range g.Moves {
		switch number, side := g.Start.Ply(i); {
		case side == engine.White:
			word(strconv.Itoa(number) + ".")
		case i == 0:
			word(strconv.Itoa(number) + "...")
		}
		word(m.String())
	}
	word(g.Result.String())
	b.WriteByte('\n')
	return b.String()
}

// tagsToWrite returns all tags of the text, cleaned and in the order of writing.
func tagsToWrite(g Game) []Tag {
	own := []Tag{{tagResult, g.Result.String()}, {tagRules, g.Start.Rules.String()}}
	if g.Start != engine.StartSetup(g.Start.Rules) {
		own = append(own, Tag{tagPosition, FormatPosition(g.Start)})
	}
	var tags []Tag
	seen := map[string]bool{}
	for _, t := range g.Tags {
		if validTagName(t.Name) && !ownField(t.Name) && !seen[t.Name] && len(tags) < MaxTags {
			seen[t.Name] = true
			tags = append(tags, Tag{t.Name, cleanTagValue(t.Value)})
		}
	}
	tags = append(own, tags...)
	sortTags(tags)
	return tags
}
