package play

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/engine/rating"
	"github.com/lascabot/lascabot/storage"
)

const (
	// statsGames is how many of a person's results are read, the newest ones.
	statsGames = 1999
	// rankedPeople is how many people of a ranking are read, the highest ones.
	rankedPeople = 10_000
	// PageRanks is how many people are on a page of a leaderboard.
	PageRanks = 10
	// levelTries and levelWins decide which level to try next: the one above the
	// highest that lost levelWins of its last levelTries rated games to the person.
	levelTries = 3
	levelWins  = 2
)

// Ranked is a person's place in a ranking.
type Ranked struct {
	User   match.UserID
	Name   string // as they were last called in a rated game
	Rating rating.Rating
	Games  int
	// Rank counts from 1 and leaves out those whose rating is provisional, who have
	// none: 0.
	Rank int
}

// ranking returns the people of a scope as they are ranked now: by rating, those whose
// rating is provisional last.
func (s *Service) ranking(ctx context.Context, scope string) ([]Ranked, error) {
	list, _, err := s.opt.Store.Ranking(ctx, scope, 0, rankedPeople)
	if err != nil {
		return nil, err
	}
	now := s.opt.Now()
	var settled, others []Ranked
	for _, r := range list {
		p := Ranked{User: r.User, Name: r.Rating.Name, Rating: rested(r.Rating, now), Games: r.Rating.Games}
		if p.Rating.IsProvisional() {
			others = append(others, p)
			continue
		}
		p.Rank = len(settled) + 1
		settled = append(settled, p)
	}
	return append(settled, others...), nil
}

// Leaderboard is a page of a server's ranking and the caller's own place.
type Leaderboard struct {
	List  []Ranked
	Page  int // from 0
	Pages int // at least 1
	All   int // people in the ranking
	Own   *Ranked
}

// Leaderboard returns a page of the ranking of the caller's server; a page that does
// not exist is the nearest one. In direct messages there is no list, only the caller's
// own place among all people. It reads a whole ranking, for one person at a time; the
// error is as for [Service.Stored].
func (s *Service) Leaderboard(ctx context.Context, who Caller, page int) (Leaderboard, error) {
	list, err := s.rankingFor(ctx, cmp.Or(who.Place.Guild, storage.Overall))
	if err != nil {
		return Leaderboard{}, err
	}
	b := Leaderboard{All: len(list), Pages: max(1, (len(list)+PageRanks-1)/PageRanks), Own: placeOf(list, who.ID)}
	b.Page = min(max(page, 0), b.Pages-1)
	if who.Place.Guild != "" {
		b.List = list[b.Page*PageRanks : min((b.Page+1)*PageRanks, len(list))]
	}
	return b, nil
}

// rankingFor is ranking for one person at a time.
func (s *Service) rankingFor(ctx context.Context, scope string) ([]Ranked, error) {
	done, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return s.ranking(ctx, scope)
}

func placeOf(list []Ranked, who match.UserID) *Ranked {
	for i := range list {
		if list[i].User == who {
			return &list[i]
		}
	}
	return nil
}

// Tally counts results.
type Tally struct{ Wins, Draws, Losses int }

// Games returns how many results there are.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

func (t *Tally) add(o *storage.Outcome) {
	switch o.Result {
	case engine.Draw:
		t.Draws++
	case engine.Wins(o.Colour):
		t.Wins++
	default:
		t.Losses++
	}
}

// Against is a person's results against another.
type Against struct {
	Opponent match.Seat // storage.Deleted for all who asked to be forgotten
	Tally
}

// Stats are a person's rated games, all or those on one server.
type Stats struct {
	Of      match.UserID
	Name    string
	Own     bool   // the caller's
	Guild   string // the server's, "" for all
	Rating  rating.Rating
	Games   int // in the rating
	Rank    int // on the server; 0 for none
	Ranked  int // people who have one there
	Overall *rating.Rating

	// Values are the ratings after each game, behind the one before the first of them,
	// which has the number First. They are nil without games.
	Values []float64
	First  int
	Best   int // the first highest of Values
	BestAt time.Time

	Total       Tally
	Opponents   []Against // people, those with the most games first; only the caller's own
	Levels      [match.MaxLevel + 1]Tally
	Colours     [2]Tally
	Rules       map[engine.Rules]Tally
	Column      int // the height of the tallest column
	Jump        int // the most jumps in one move
	Next        int // the level to try next, 0 for none
	NextBecause int // the level whose results say so; 0 if the rating does
}

// Stats returns a person's results: where they are asked for on a server those of that
// server, else all. Of others, only what they have played on this server is to be seen,
// and not against whom; the error wraps [ErrNoStats] elsewhere, and is otherwise as for
// [Service.Stored].
func (s *Service) Stats(ctx context.Context, who Caller, in intent.Stats) (Stats, error) {
	st := Stats{Of: who.ID, Name: who.Name, Own: true, Guild: who.Place.Guild, First: 1, Rules: map[engine.Rules]Tally{}}
	if in.User != "" && in.User != who.ID {
		st.Of, st.Name, st.Own = in.User, in.Name, false
		if st.Guild == "" {
			return st, ErrNoStats
		}
	}
	list, err := s.opt.Store.Outcomes(ctx, st.Of, statsGames)
	if err != nil {
		return st, err
	}
	if err := s.standing(ctx, &st); err != nil {
		return st, err
	}
	if st.Guild != "" {
		list = slices.DeleteFunc(list, func(o storage.Outcome) bool { return o.Scope != st.Guild })
	}
	slices.Reverse(list)
	st.sum(list)
	if st.Own {
		st.next(list)
		return st, s.against(ctx, &st, list)
	}
	return st, nil
}

// standing finds out how strong the person is.
func (s *Service) standing(ctx context.Context, st *Stats) error {
	now := s.opt.Now()
	here, err := s.opt.Store.Rating(ctx, cmp.Or(st.Guild, storage.Overall), st.Of)
	if err != nil {
		return err
	}
	st.Rating, st.Games = rested(here, now), here.Games
	if st.Name == "" {
		st.Name = here.Name
	}
	if st.Guild == "" {
		return nil
	}
	if st.Own {
		all, err := s.opt.Store.Rating(ctx, storage.Overall, st.Of)
		if err != nil {
			return err
		}
		overall := rested(all, now)
		st.Overall = &overall
	}
	list, err := s.rankingFor(ctx, st.Guild)
	for _, p := range list {
		if p.Rank > 0 {
			st.Ranked++
		}
		if p.User == st.Of {
			st.Rank = p.Rank
		}
	}
	return err
}

// sum adds up results, the oldest first.
func (st *Stats) sum(list []storage.Outcome) {
	for i := range list {
		o := &list[i]
		st.Total.add(o)
		st.Colours[o.Colour].add(o)
		rules := st.Rules[o.Rules]
		rules.add(o)
		st.Rules[o.Rules] = rules
		if o.Level > 0 && o.Level < len(st.Levels) {
			st.Levels[o.Level].add(o)
		}
		st.Column, st.Jump = max(st.Column, o.Column), max(st.Jump, o.Jump)
		value := o.After
		if st.Guild != "" {
			value = o.AfterHere
		}
		if len(st.Values) == 0 { // before it
			st.Values = []float64{rating.New().Value}
			if st.Games > len(list) { // older results were not read
				st.Values[0], st.First = value, st.Games-len(list)+1
			}
		}
		st.Values = append(st.Values, value)
		if n := len(st.Values) - 1; value > st.Values[st.Best] {
			st.Best, st.BestAt = n, o.At
		}
	}
}

// next finds the level to try next: above the highest that has lost two of its last
// three rated games to the person; without one, the level nearest to the rating.
func (st *Stats) next(list []storage.Outcome) {
	for level := match.MaxLevel; level > 0; level-- {
		games, wins := 0, 0
		for _, o := range slices.Backward(list) {
			if o.Level == level && games < levelTries {
				games++
				if o.Result == engine.Wins(o.Colour) {
					wins++
				}
			}
		}
		if wins >= levelWins {
			st.Next, st.NextBecause = min(level+1, match.MaxLevel), level
			return
		}
	}
	far := func(level int) float64 {
		d := rating.Level(engine.Kawu, level).Value - st.Rating.Value
		return max(d, -d)
	}
	st.Next = 1
	for level := 2; level <= match.MaxLevel; level++ {
		if far(level) < far(st.Next) {
			st.Next = level
		}
	}
}

// against sums up the results against people.
func (s *Service) against(ctx context.Context, st *Stats, list []storage.Outcome) error {
	tallies := map[match.UserID]*Tally{}
	for i := range list {
		if u := list[i].Opponent; u != "" {
			if tallies[u] == nil {
				tallies[u] = &Tally{}
			}
			tallies[u].add(&list[i])
		}
	}
	for u, t := range tallies {
		st.Opponents = append(st.Opponents, Against{match.Seat{User: u}, *t})
	}
	slices.SortFunc(st.Opponents, func(a, b Against) int {
		return cmp.Or(b.Games()-a.Games(), cmp.Compare(a.Opponent.User, b.Opponent.User))
	})
	st.Opponents = st.Opponents[:min(len(st.Opponents), MaxOpponents)]
	for i := range st.Opponents {
		o := &st.Opponents[i].Opponent
		r, err := s.opt.Store.Rating(ctx, cmp.Or(st.Guild, storage.Overall), o.User)
		if err != nil {
			return err
		}
		o.Name = r.Name
	}
	return nil
}

// MaxOpponents is how many opponents [Stats] names.
const MaxOpponents = 5
