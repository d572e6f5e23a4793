package view

import (
	"fmt"
	"math"
	"strings"

	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/play"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// GameOf is [Game] with what the record knows besides the match: the time of the person
// to move, and what the result has changed in the ratings.
func GameOf(l i18n.Lang, look Look, r *storage.Record, path []engine.Square) Message {
	msg := Game(l, look, &r.Match, path)
	if note := timeNote(l, r); length(msg.Text+note) <= MaxText-newsRoom {
		msg.Text += note
	}
	if words := ratingChanges(l, r); words != "" {
		msg.Text += "\n" + words
	}
	return msg
}

// ratingChanges says what a counted result has changed: "" where it was not to count or
// has not been counted yet.
func ratingChanges(l i18n.Lang, r *storage.Record) string {
	if !r.Counted {
		return ""
	}
	var list []string
	for c, seat := range r.Match.Seats {
		if seat.User == storage.Deleted {
			continue
		}
		if s := r.Ratings[c]; s.To != 0 {
			from := s.From
			if from == 0 {
				from = rating.New().Value
			}
			list = append(list, fmt.Sprintf("%s **%d** (%s)", seatName(l, seat), round(s.To), signed(round(s.To)-round(from))))
		}
	}
	switch {
	case len(list) > 0:
		return l.T(i18n.RatingChanges, "Changes", strings.Join(list, " · "))
	case r.Match.Seats[0].User == storage.Deleted || r.Match.Seats[1].User == storage.Deleted:
		return ""
	}
	return l.T(i18n.RatingNot, "Most", play.MaxRated)
}

func round(f float64) int { return int(math.Round(f)) }

// signed writes a number with its sign, as typographers do.
func signed(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	}
	return "±0"
}

// ratingWords writes a rating: "1612 ± 60", and whether it is provisional.
func ratingWords(l i18n.Lang, r rating.Rating) string {
	words := fmt.Sprintf("**%d** ± %d", round(r.Value), round(r.Deviation))
	if r.IsProvisional() {
		words += " (" + l.T(i18n.RatingProvisional) + ")"
	}
	return words
}

// tally writes results as chess players do: won, drawn, lost.
func tally(t play.Tally) string { return fmt.Sprintf("+%d =%d −%d", t.Wins, t.Draws, t.Losses) }

// Stats shows a person's rated games: to the person who asked alone or, if show, to
// everybody. The message's file lacks its data, a PNG of the graph that Stats returns;
// without games there is neither.
func Stats(l i18n.Lang, look Look, st play.Stats, show bool) (Message, render.RatingsSpec) {
	name := Escape(st.Name)
	if st.Name == "" {
		name = l.T(i18n.Someone)
	}
	msg := Message{Text: l.T(i18n.StatsTitle, "Name", name), Private: !show}
	if st.Total.Games() == 0 {
		key := i18n.StatsNone
		if st.Own {
			key = i18n.StatsNoneOwn
		}
		msg.Text += "\n" + l.T(key)
		return msg, render.RatingsSpec{}
	}
	lines := []string{standing(l, st), l.N(i18n.StatsTotal, st.Total.Games(), "Tally", tally(st.Total)), colours(st)}
	lines = append(lines, rulesLine(l, st), levels(l, st), opponents(l, st, show), l.T(i18n.StatsFeats, "Column", st.Column, "Jump", st.Jump))
	if st.Own && !show {
		lines = append(lines, nextLevel(l, st))
	}
	for _, line := range lines {
		if line != "" {
			msg.Text += "\n" + line
		}
	}
	msg.Text = clip(msg.Text, MaxText)
	if st.Own && !show && st.Guild != "" {
		msg.Rows = []Row{{showAll(l, intent.Stats{Show: true})}}
	}
	last := len(st.Values) - 1
	alt := l.N(i18n.AltRatings, last, "From", round(st.Values[0]), "To", round(st.Values[last]))
	if st.Best > 0 {
		alt += " " + l.T(i18n.AltRatingsBest, "Best", round(st.Values[st.Best]), "Date", st.BestAt.UTC().Format("2006-01-02"))
	}
	msg.File = &File{Name: "lasca-ratings.png", Alt: clip(alt, MaxAlt)}
	return msg, render.RatingsSpec{Values: st.Values, First: st.First, Theme: look.Theme}
}

// showAll shows to everybody what the person sees alone.
func showAll(l i18n.Lang, in intent.Intent) Button {
	return Button{Label: l.T(i18n.ButtonShowAll), Emoji: "📣", Intent: in}
}

// standing says how strong somebody is, and in which place.
func standing(l i18n.Lang, st play.Stats) string {
	words := l.T(i18n.StatsRating, "Rating", ratingWords(l, st.Rating))
	if st.Rank > 0 {
		words += " · " + l.T(i18n.StatsPlace, "Rank", st.Rank, "All", st.Ranked)
	}
	if st.Overall != nil {
		words += " · " + l.T(i18n.StatsOverall, "Rating", ratingWords(l, *st.Overall))
	}
	return words
}

func colours(st play.Stats) string {
	return disc(engine.White) + " " + tally(st.Colours[engine.White]) + " · " + disc(engine.Black) + " " + tally(st.Colours[engine.Black])
}

// rulesLine tells the rulesets apart where somebody has played by several.
func rulesLine(l i18n.Lang, st play.Stats) string {
	if len(st.Rules) < 2 {
		return ""
	}
	var list []string
	for _, r := range engine.AllRules() {
		if t := st.Rules[r]; t.Games() > 0 {
			list = append(list, rulesName(l, r)+" "+tally(t))
		}
	}
	return strings.Join(list, " · ")
}

func levels(l i18n.Lang, st play.Stats) string {
	var list []string
	for level, t := range st.Levels {
		if t.Games() > 0 {
			list = append(list, l.T(i18n.StatsLevel, "Level", level)+" "+tally(t))
		}
	}
	return strings.Join(list, " · ")
}

// opponents names those whom the person has played most often. Others are not to see
// them.
func opponents(l i18n.Lang, st play.Stats, show bool) string {
	if show {
		return ""
	}
	var list []string
	for _, o := range st.Opponents {
		list = append(list, seatName(l, o.Opponent)+" "+tally(o.Tally))
	}
	return strings.Join(list, " · ")
}

// nextLevel says which level to try next, and why.
func nextLevel(l i18n.Lang, st play.Stats) string {
	switch {
	case st.NextBecause == match.MaxLevel:
		return l.T(i18n.StatsNextTop, "Level", st.Next)
	case st.NextBecause > 0:
		return l.T(i18n.StatsNext, "Level", st.Next, "Won", st.NextBecause)
	}
	return l.T(i18n.StatsNextNear, "Level", st.Next)
}

// Leaderboard shows a page of a server's ranking: to one person, with their own place
// and buttons to turn the pages or, if show, to everybody. In direct messages it shows
// the person's own place among all people.
func Leaderboard(l i18n.Lang, b play.Leaderboard, guild, show bool) Message {
	own := ownPlace(l, b)
	switch {
	case !guild:
		return Message{Text: l.T(i18n.RanksDM) + "\n" + own, Private: true}
	case b.All == 0:
		return Said(l, i18n.RanksNone)
	}
	msg := Message{Text: l.N(i18n.RanksTitle, b.All), Private: !show}
	for _, p := range b.List {
		place, mark := "–", "?"
		if p.Rank > 0 {
			place, mark = fmt.Sprint(p.Rank), ""
		}
		msg.Text += fmt.Sprintf("\n**%s** · %s · %d%s · %s", place, seatName(l, match.Seat{User: p.User, Name: p.Name}),
			round(p.Rating.Value), mark, l.N(i18n.RanksGames, p.Games))
	}
	msg.Text += "\n-# "
	if b.Pages > 1 {
		msg.Text += l.T(i18n.RulesPages, "Page", b.Page+1, "Pages", b.Pages) + " · "
	}
	msg.Text += l.T(i18n.RanksLegend)
	if show {
		return msg
	}
	msg.Text += "\n" + own
	var row Row
	if b.Pages > 1 {
		row = Row{
			{Label: l.T(i18n.ButtonPrevious), Intent: intent.Leaderboard{Page: max(b.Page-1, 0)}, Disabled: b.Page == 0},
			{Label: l.T(i18n.ButtonNext), Intent: intent.Leaderboard{Page: b.Page + 1}, Disabled: b.Page == b.Pages-1},
		}
	}
	msg.Rows = []Row{append(row, showAll(l, intent.Leaderboard{Page: b.Page, Show: true}))}
	return msg
}

func ownPlace(l i18n.Lang, b play.Leaderboard) string {
	switch {
	case b.Own == nil:
		return l.T(i18n.RanksOwnNone)
	case b.Own.Rank == 0:
		return l.T(i18n.RanksOwnNew, "Rating", ratingWords(l, b.Own.Rating))
	}
	return l.T(i18n.RanksOwn, "Rating", ratingWords(l, b.Own.Rating), "Rank", b.Own.Rank)
}
