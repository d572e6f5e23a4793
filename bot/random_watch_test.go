package bot_test

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/bot/view"
	"github.com/lascabot/lascabot/engine"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

// see looks at what people are shown and told, at the moment when they are.
func (r *random) see(e discordsim.Event) {
	switch {
	case e.Kind == discordsim.EventResync:
		r.fail("the test missed some of what was shown")
		return
	case e.Message == nil || e.Message.Author.ID != r.sim.BotID():
		return
	}
	m := *e.Message
	ref, ok := refOf(m)
	for _, u := range m.Pings[min(len(m.Pings), r.pinged[m.ID]):] { // the others were before
		if !ok && !r.reminds(m, match.UserID(u)) && !r.closed(m.ChannelID, u) {
			r.fail("%s is notified by a message that is about no game:\n%s", u, describe(m))
		} else if ok && !r.played(ref.Game, u) {
			r.fail("%s is notified of the game %s of others:\n%s", u, ref.Game, describe(m))
		}
		r.count("notices")
	}
	r.pinged[m.ID] = len(m.Pings)
	if ok {
		r.boards[m.ID] = ref.Game
	}
	if m.PingsEveryone {
		r.fail("everybody is notified:\n%s", describe(m))
	}
	reader := cmp.Or(m.EphemeralFor, e.UserID)
	if !ok || reader != "" && !ref.Copy || m.Loading || !isScreen(m) {
		return
	}
	then, now, ok := r.version(ref.Game, ref.Version)
	if !ok {
		r.fail("game %s: version %d was shown but never stored:\n%s", ref.Game, ref.Version, describe(m))
		return
	}
	// Names and ratings may have been entered without a new version.
	before := storage.Record{Match: then, Place: now.Place}
	after := now
	after.Match = then
	after.Match.Seats = now.Match.Seats
	l := langOf(&before)
	if reader == "" {
		r.count("boards shown")
	} else {
		r.count("private boards shown")
		l = r.langs[reader]
	}
	if now.Match.ID != "" && !r.showsIn(l, m, &before) && !r.showsIn(l, m, &after) {
		r.fail("game %s, version %d, was not shown as it was stored:\n%s\n%s\nwant, in pictures:\n%s", ref.Game, ref.Version,
			describe(m), altsOf(m), view.Game(l, view.Look{}, &then, picked(m)).Text)
	}
}

// showsIn reports whether a message shows a game in a language, or in another one: people
// and servers may have chosen that.
func (r *random) showsIn(l i18n.Lang, m discordsim.Message, g *storage.Record) bool {
	chosen := func(tag string) bool { return r.showsAs(i18n.For(tag), m, g) }
	return r.showsAs(l, m, g) || slices.ContainsFunc(i18n.Locales(), chosen)
}

// reminds reports whether a message is about the time of some of a person's games, to
// whose boards it links.
func (r *random) reminds(m discordsim.Message, u match.UserID) bool {
	links := boardLinks.FindAllStringSubmatch(m.Content, -1)
	for _, link := range links {
		if !r.played(r.boards[link[1]], string(u)) {
			return false
		}
	}
	return len(links) > 0
}

var boardLinks = regexp.MustCompile(`/channels/(?:@me|\d+)/\d+/(\d+)`)

// isScreen reports whether a message shows a game: its buttons are those of a board, a
// challenge or an end of one game, and not those of a question or a list.
func isScreen(m discordsim.Message) (is bool) {
	games := map[match.ID]bool{}
	for _, p := range pressable(m) {
		in := intentOf(p)
		if in == nil || in.About().Version == 0 { // of a sentence about what went wrong
			continue
		}
		if in.About().Game != "" {
			games[in.About().Game] = true
		}
		switch in.(type) {
		case intent.More, intent.Rematch, intent.Withdraw:
			is = true
		}
	}
	return is && len(games) == 1
}

// picked returns the squares that are chosen on a board: all buttons that lead further
// begin with them, and one leads back.
func picked(m discordsim.Message) (path []engine.Square) {
	var paths [][]engine.Square
	for _, p := range steps(m) {
		paths = append(paths, intentOf(p).(intent.Step).Path)
	}
	if len(paths) < 2 {
		return nil
	}
	slices.SortFunc(paths, func(a, b []engine.Square) int { return len(a) - len(b) })
	back, on := paths[0], paths[1:]
	path = on[0]
	for _, other := range on {
		for !slices.Equal(path, other[:min(len(other), len(path))]) {
			path = path[:len(path)-1]
		}
	}
	if len(path) <= len(back) || !slices.Equal(back, path[:len(back)]) {
		return nil
	}
	return path
}

// langOf returns the language of a game's message.
func langOf(g *storage.Record) i18n.Lang { return i18n.For(g.Place.Locale) }

func altsOf(m discordsim.Message) string {
	var list []string
	for _, a := range m.Attachments {
		list = append(list, a.Description)
	}
	return strings.Join(list, "\n")
}

// showsAs reports whether a message shows a game as it is stored, in whatever look.
func (r *random) showsAs(l i18n.Lang, m discordsim.Message, g *storage.Record) bool {
	ids := map[string]string{}
	for _, e := range r.sim.Emoji() {
		ids[e.Name] = e.ID
	}
	looks := []view.Look{{}, {Boards: view.InLetters}, {Boards: view.InEmoji, Emoji: view.NewEmojiSet(ids)}}
	for _, look := range looks {
		for _, moves := range []bool{false, true} {
			look.Moves = moves
			want := view.GameOf(l, look, g, picked(m))
			if altOf(want) != altsOf(m) {
				continue
			}
			// Above it may stand that it is a copy, and below it what the bot may not do
			// there, or who was not there.
			if strings.Contains("\n"+m.Content+"\n", "\n"+want.Text+"\n") {
				return true
			}
		}
	}
	return false
}

// look notes since when the boards in their places have shown the turns.
func (r *random) look() {
	for _, g := range r.running() {
		m := &g.Match
		if r.shown[m.ID].moved.Equal(m.Moved) {
			continue
		}
		if msg, ok := r.sim.Message("", g.Place.Channel, g.Screen.Message); ok && g.Screen.Channel == g.Place.Channel &&
			strings.Contains(msg.Content, "<@"+string(m.Seats[m.Turn()].User)+">") && g.Screen.Version == m.Version {
			r.shown[m.ID] = announced{m.Moved, r.world.clock.Now()}
		}
	}
}

// judge looks at the games that have just ended.
func (r *random) judge() {
	r.t.Helper()
	for _, g := range r.those(func(g *storage.Record) bool { return g.Match.Phase == match.Finished && !r.ended[g.Match.ID] }) {
		m := &g.Match
		r.ended[m.ID] = true
		if m.Ending != match.Abandonment {
			continue
		}
		told := r.shown[m.ID]
		limit, timed := m.Limit()
		if waited := r.world.clock.Now().Sub(told.since); !told.moved.Equal(m.Moved) || !timed || waited < limit+m.Extra {
			r.t.Errorf("the game %s was claimed %v after its turn was announced (move %v, announced %+v)", m.ID, waited, m.Moved, told)
		}
	}
}

// claim has those who wait for another's move for long try to claim the win.
func (r *random) claim() {
	r.t.Helper()
	for _, g := range r.running() {
		m := &g.Match
		waits := m.Seats[m.Turn().Other()].User
		if waits == "" || waits == storage.Deleted || m.Seats[m.Turn()].User == "" || !r.chance(2) {
			continue
		}
		who := r.sim.As(string(waits))
		more := intent.CustomID(intent.More{Ref: intent.Ref{Game: m.ID, Version: m.Version}})
		r.perform(action{who, "to claim, " + string(waits) + " opens the menu of " + string(m.ID), func(ctx context.Context) (*discordsim.Reply, error) {
			reply, err := who.Click(ctx, g.Screen.Channel, g.Screen.Message, more)
			if err != nil {
				return nil, err
			}
			menu, _ := r.sim.Message(who.ID(), reply.ChannelID, reply.MessageID)
			for _, p := range pressable(menu) {
				if _, is := intentOf(p).(intent.Claim); is {
					reply, err = who.Click(ctx, p.place, p.message, p.CustomID)
					if errors.Is(err, discordsim.ErrNoComponent) || errors.Is(err, discordsim.ErrUnknownMessage) {
						return nil, nil
					}
					return reply, err
				}
			}
			return reply, nil
		}})
		r.judge()
	}
}

// deleted holds that nothing names somebody who has been told that everything is
// deleted.
func (r *random) deleted(a action, answer discordsim.Message) {
	r.t.Helper()
	is := false
	for _, tag := range []string{"en", "de", "it", "fr", "es"} {
		is = is || strings.HasPrefix(answer.Content, i18n.For(tag).T(i18n.DataDeleted))
	}
	if !is {
		return
	}
	r.count("people who had their data deleted")
	who := match.UserID(a.who.ID())
	list, err := r.store.ListOf(r.ctx, storage.Of{User: who}, "", 100)
	if err != nil || len(list) > 0 {
		r.t.Errorf("%s: %d games still name them, %v", a.what, len(list), err)
	}
	if set, err := r.store.Settings(r.ctx, "person "+string(who)); err != nil || !set.IsZero() {
		r.t.Errorf("%s: settings %+v, %v", a.what, set, err)
	}
	if rating, err := r.store.Rating(r.ctx, storage.Overall, who); err != nil || rating.Games > 0 {
		r.t.Errorf("%s: rating %+v, %v", a.what, rating, err)
	}
}
