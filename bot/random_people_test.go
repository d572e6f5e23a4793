package bot_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/lascabot/lascabot/bot/discordsim"
	"github.com/lascabot/lascabot/bot/discordsim/check"
	"github.com/lascabot/lascabot/bot/intent"
	"github.com/lascabot/lascabot/engine/match"
	"github.com/lascabot/lascabot/storage"
)

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// action is something that somebody does.
type action struct {
	who  *discordsim.Actor
	what string
	do   func(context.Context) (*discordsim.Reply, error)
}

// press is a component of a message.
type press struct {
	place, message string
	check.Component
}

// choose makes up what somebody does next. Half of it makes games go on.
func (r *random) choose() (action, bool) {
	n := r.rng.IntN(100)
	if r.chance(25) {
		if a, ok := r.rare(); ok {
			return a, true
		}
	}
	switch {
	case n < 50:
		if a, ok := r.goOn(); ok {
			return a, true
		}
		fallthrough
	case n < 60:
		return r.begin(), true
	}
	who := pick(r.rng, r.people)
	place := r.placeOf(who)
	switch {
	case n < 74:
		return r.someCommand(who, place)
	case n < 84: // what was just shown to them alone
		return r.press(who, place, 3, true)
	case n < 95:
		return r.press(who, place, 12, false)
	case n < 97:
		return r.press(who, place, 1000, false)
	case n < 98 && len(r.stale) > 0:
		p := pick(r.rng, r.stale)
		return action{who, fmt.Sprintf("%s presses the old %q on %s in %s", who.ID(), p.Label, p.message, p.place), func(ctx context.Context) (*discordsim.Reply, error) {
			return who.ClickStale(ctx, p.place, p.message, p.CustomID)
		}}, true
	}
	return r.inMenu(who, place)
}

// rare presses a button of a kind that has been pressed here three times at most.
func (r *random) rare() (action, bool) {
	for _, who := range r.people {
		for _, place := range append(slices.Clone(r.places), who.OpenDM()) {
			list := r.sim.Messages(who.ID(), place)
			for _, m := range list[max(0, len(list)-12):] {
				for _, p := range pressable(m) {
					in := intentOf(p)
					if in == nil {
						continue
					}
					if kind := reflect.TypeOf(in).Name(); r.rarely[kind] < 3 {
						r.rarely[kind]++
						return r.pressing(who, p), true
					}
				}
			}
		}
	}
	return action{}, false
}

// placeOf returns where somebody is.
func (r *random) placeOf(who *discordsim.Actor) string {
	if n := r.rng.IntN(len(r.places) + 1); n < len(r.places) {
		return r.places[n]
	}
	return who.OpenDM()
}

// running returns the games that are being played, the oldest first.
func (r *random) running() []storage.Record {
	return r.those(func(g *storage.Record) bool { return g.Match.Phase == match.Playing })
}

// goOn makes one of the oldest games go on: somebody answers what waits for an answer,
// or enters a move or a part of it.
func (r *random) goOn() (action, bool) {
	games := r.running()
	if len(games) == 0 || len(games) < 6 && r.chance(6) {
		return action{}, false
	}
	g := games[r.rng.IntN(min(len(games), 8))]
	m := &g.Match
	asked := m.Seats[m.Turn()].User
	if m.Request != nil {
		asked = m.Seats[m.Request.By.Other()].User
	} else if m.Offer != nil {
		asked = m.Seats[m.Offer.By.Other()].User
	}
	if asked == "" || asked == storage.Deleted {
		return action{}, false
	}
	if waits := m.Seats[m.Turn().Other()].User; waits != "" && waits != storage.Deleted && r.chance(6) {
		return r.waiting(r.sim.As(string(waits)), &g), true
	}
	who := r.sim.As(string(asked))
	if r.chance(8) && m.Seats[m.Turn()].User == asked {
		pos := m.Game().Position()
		line := map[string]any{"path": pick(r.rng, pos.Moves()).String(), "game": string(m.ID)}
		return action{who, fmt.Sprintf("%s types the move %v", asked, line), func(ctx context.Context) (*discordsim.Reply, error) {
			return who.Slash(ctx, g.Place.Channel, "lasca move", line)
		}}, true
	}
	msg, ok := r.sim.Message(string(asked), g.Screen.Channel, g.Screen.Message)
	list := steps(msg)
	if answers := slices.DeleteFunc(pressable(msg), func(p press) bool { return !answersIt(p) }); len(answers) > 0 {
		list = answers
		if m.Seats[m.Turn()].User == asked && r.chance(4) {
			list = steps(msg)
		}
	}
	if !ok || len(list) == 0 { // a board that somebody has deleted, or that the place does not take
		return action{who, fmt.Sprintf("%s asks for the board of %s", asked, m.ID), func(ctx context.Context) (*discordsim.Reply, error) {
			return who.Slash(ctx, g.Place.Channel, "lasca board", map[string]any{"game": string(m.ID)})
		}}, true
	}
	return r.pressing(who, pick(r.rng, list)), true
}

// waiting has somebody who waits for the opponent ask for something, or make an if-then
// line with some presses.
func (r *random) waiting(who *discordsim.Actor, g *storage.Record) action {
	msg, _ := r.sim.Message(who.ID(), g.Screen.Channel, g.Screen.Message)
	var list []press
	for _, p := range pressable(msg) {
		switch intentOf(p).(type) {
		case intent.Undo, intent.Draw, intent.DropUndo, intent.DropDraw, intent.More:
			if r.chance(3) {
				list = append(list, p)
			}
		}
	}
	if len(list) > 0 && r.chance(2) {
		return r.pressing(who, pick(r.rng, list))
	}
	seeds := []int{r.rng.IntN(100), r.rng.IntN(100), r.rng.IntN(100), r.rng.IntN(100), r.rng.IntN(100)}
	return action{who, fmt.Sprintf("%s plans in %s", who.ID(), g.Match.ID), func(ctx context.Context) (*discordsim.Reply, error) {
		reply, err := who.Slash(ctx, g.Place.Channel, "lasca plan", map[string]any{"game": string(g.Match.ID)})
		for _, seed := range seeds {
			if err != nil {
				return reply, err
			}
			plan, _ := r.sim.Message(who.ID(), reply.ChannelID, reply.MessageID)
			list := slices.DeleteFunc(pressable(plan), func(p press) bool {
				switch intentOf(p).(type) {
				case intent.Plan, intent.DropPlan:
					return false
				}
				return true
			})
			if len(list) == 0 {
				break
			}
			p := list[seed%len(list)]
			next, err := who.Click(ctx, p.place, p.message, p.CustomID)
			if err != nil {
				if errors.Is(err, discordsim.ErrNoComponent) || errors.Is(err, discordsim.ErrUnknownMessage) {
					break
				}
				return reply, err
			}
			reply = next
		}
		return reply, err
	}}
}

// answersIt reports whether a button answers an offer or a request. A draw ends a game
// that could go on, and so is rarely accepted.
func answersIt(p press) bool {
	switch intentOf(p).(type) {
	case intent.DeclineDraw, intent.AllowUndo, intent.RefuseUndo:
		return true
	}
	return false
}

// begin looks for a game in some way, most often a rated one.
func (r *random) begin() action {
	who := pick(r.rng, r.people)
	place := r.placeOf(who)
	options := map[string]any{}
	maybe := func(name string, values ...any) {
		if r.chance(2) {
			options[name] = pick(r.rng, values)
		}
	}
	maybe("rules", "open", "roundabout", "kawu", "classic")
	path := "lasca open"
	switch r.rng.IntN(4) {
	case 0:
		path = "lasca play"
		options["level"] = 1 + r.rng.IntN(2)
		maybe("rated", "yes")
	case 1, 2:
		path = "lasca challenge"
		options["user"] = pick(r.rng, r.people).ID()
		fallthrough
	default:
		maybe("rated", "yes", "yes", "yes", "no")
		maybe("days", "1", "3", "7", "none")
		if r.chance(5) {
			options = map[string]any{"hints": true}
			if path == "lasca challenge" {
				options["user"] = pick(r.rng, r.people).ID()
			}
		}
	}
	for _, leaf := range r.leaves(who, place) { // rulesets have other names some day
		if leaf.path == path {
			for _, o := range leaf.options {
				if v, ok := options[o.Name].(string); ok && len(o.Choices) > 0 && !slices.ContainsFunc(o.Choices, func(c check.Choice) bool { return c.Value == v }) {
					options[o.Name] = pick(r.rng, o.Choices).Value
				}
			}
		}
	}
	return r.slash(who, place, path, options)
}

func (r *random) slash(who *discordsim.Actor, place, path string, options map[string]any) action {
	return action{who, fmt.Sprintf("%s types /%s %v in %s", who.ID(), path, options, place), func(ctx context.Context) (*discordsim.Reply, error) {
		return who.Slash(ctx, place, path, options)
	}}
}

// leaf is a command that can be typed.
type leaf struct {
	path    string
	options []check.CommandOption
}

// leaves returns what somebody can type in a place, as it is registered.
func (r *random) leaves(who *discordsim.Actor, place string) (list []leaf) {
	commands, err := who.Available(place)
	if err != nil && !errors.Is(err, discordsim.ErrForbidden) {
		r.t.Errorf("%s in %s: %v", who.ID(), place, err)
	}
	var walk func(path string, options []check.CommandOption)
	walk = func(path string, options []check.CommandOption) {
		if len(options) == 0 || options[0].Type > check.SubCommandGroup {
			list = append(list, leaf{path, options})
			return
		}
		for _, o := range options {
			walk(path+" "+o.Name, o.Options)
		}
	}
	for _, c := range commands {
		if c.Type == check.ChatInputCommand {
			walk(c.Name, c.Options)
		}
	}
	return list
}

// someCommand types one of the registered commands, or begins to.
func (r *random) someCommand(who *discordsim.Actor, place string) (action, bool) {
	leaves := r.leaves(who, place)
	if len(leaves) == 0 {
		return action{}, false
	}
	l := pick(r.rng, leaves)
	options := map[string]any{}
	for _, o := range l.options {
		if o.Required || r.chance(2) {
			options[o.Name] = r.value(who, l, o)
		}
	}
	completed := slices.DeleteFunc(slices.Clone(l.options), func(o check.CommandOption) bool { return !o.Autocomplete })
	if len(completed) == 0 || r.chance(2) {
		return r.slash(who, place, l.path, options), true
	}
	o := pick(r.rng, completed)
	text := pick(r.rng, []string{"", "c", "a", "c3", "1", "ann", "zzz", strings.Repeat("x", 90)})
	return action{who, fmt.Sprintf("%s begins to type %s:%s of /%s %v in %s, and takes what is suggested", who.ID(), o.Name, text, l.path, options, place),
		func(ctx context.Context) (*discordsim.Reply, error) {
			list, err := who.Complete(ctx, place, l.path, options, o.Name, text)
			if err != nil || len(list) == 0 {
				return nil, err
			}
			options[o.Name] = list[len(text)%len(list)].Value
			return who.Slash(ctx, place, l.path, options)
		}}, true
}

// value makes up a value for an option, sometimes a senseless one.
func (r *random) value(who *discordsim.Actor, l leaf, o check.CommandOption) any {
	if len(o.Choices) > 0 {
		list := o.Choices
		if o.Name == "level" && !r.chance(20) { // the others think for long
			list = list[:min(3, len(list))]
		}
		return pick(r.rng, list).Value
	}
	whole := func(low, high float64) int {
		if o.MinValue != nil {
			low = *o.MinValue
		}
		if o.MaxValue != nil {
			high = *o.MaxValue
		}
		return int(low) + r.rng.IntN(int(high-low)+1)
	}
	switch o.Type {
	case check.UserOption, check.MentionableOption:
		if r.chance(12) {
			return r.sim.BotID()
		}
		return pick(r.rng, r.people).ID()
	case check.ChannelOption:
		return pick(r.rng, r.places)
	case check.BooleanOption:
		return r.chance(2)
	case check.IntegerOption:
		return whole(-2, 30)
	case check.NumberOption:
		return float64(whole(-2, 30))
	}
	var texts []string
	for _, g := range r.all() {
		_, err := g.Match.SeatOf(match.UserID(who.ID()))
		switch {
		case o.Name == "game" && (err == nil || r.chance(50)):
			texts = append(texts, string(g.Match.ID))
		case o.Name == "path" && err == nil && g.Match.Phase == match.Playing:
			pos := g.Match.Game().Position()
			texts = append(texts, pick(r.rng, pos.Moves()).String())
		}
	}
	if len(texts) == 0 || r.chance(6) {
		texts = []string{"c3-d4", "c3", "xyz", "0", "1 2 3", "🙂", "<@" + who.ID() + ">", strings.Repeat("c3xe5", 15), "7"}
	}
	return pick(r.rng, texts)
}

// inMenu uses a command in the menu of a person.
func (r *random) inMenu(who *discordsim.Actor, place string) (action, bool) {
	commands, _ := who.Available(place)
	commands = slices.DeleteFunc(commands, func(c check.Command) bool { return c.Type != check.UserCommand })
	if len(commands) == 0 {
		return action{}, false
	}
	c, on := pick(r.rng, commands), pick(r.rng, r.people)
	return action{who, fmt.Sprintf("%s uses %q on %s in %s", who.ID(), c.Name, on.ID(), place), func(ctx context.Context) (*discordsim.Reply, error) {
		return who.UserCommand(ctx, place, c.Name, on.ID())
	}}, true
}

// someMessage returns one of the messages in a place that somebody sees.
func (r *random) someMessage(viewer, place string) (discordsim.Message, bool) {
	list := r.sim.Messages(viewer, place)
	if len(list) == 0 {
		return discordsim.Message{}, false
	}
	return pick(r.rng, list), true
}

// press presses something on one of the newest messages that somebody sees in a place.
// Whatever ends something is pressed less often.
func (r *random) press(who *discordsim.Actor, place string, newest int, private bool) (action, bool) {
	list := r.sim.Messages(who.ID(), place)
	list = slices.DeleteFunc(list, func(m discordsim.Message) bool {
		return len(pressable(m)) == 0 || private && m.EphemeralFor == ""
	})
	if len(list) == 0 {
		return action{}, false
	}
	m := list[len(list)-1-r.rng.IntN(min(len(list), newest))]
	p := pick(r.rng, pressable(m))
	for range 3 {
		if !ends(p) || r.chance(8) {
			break
		}
		p = pick(r.rng, pressable(m))
	}
	if len(r.stale) < 300 {
		r.stale = append(r.stale, p)
	} else {
		r.stale[r.rng.IntN(len(r.stale))] = p
	}
	return r.pressing(who, p), true
}

// ends reports whether a button may be the end of a game or of a person's data.
func ends(p press) bool {
	switch intentOf(p).(type) {
	case intent.AskResign, intent.Resign, intent.Abort, intent.AcceptDraw, intent.Stop, intent.DeleteData, intent.Block, intent.Withdraw, intent.Decline:
		return true
	}
	return false
}

func intentOf(p press) intent.Intent {
	in, err := intent.ParseCustomID(p.CustomID)
	if err != nil {
		return nil
	}
	return in
}

// pressing uses a button or a menu.
func (r *random) pressing(who *discordsim.Actor, p press) action {
	if p.Type == check.Button {
		what := fmt.Sprintf("%s presses %q (%s) on %s in %s", who.ID(), p.Label, p.CustomID, p.message, p.place)
		return action{who, what, func(ctx context.Context) (*discordsim.Reply, error) {
			return who.Click(ctx, p.place, p.message, p.CustomID)
		}}
	}
	values := r.selection(&p.Component)
	what := fmt.Sprintf("%s chooses %q of %s on %s in %s", who.ID(), values, p.CustomID, p.message, p.place)
	return action{who, what, func(ctx context.Context) (*discordsim.Reply, error) {
		return who.Select(ctx, p.place, p.message, p.CustomID, values...)
	}}
}

// pressable returns the buttons and menus of a message that can be used.
func pressable(m discordsim.Message) (list []press) {
	check.Walk(m.Components, func(c *check.Component) {
		if c.CustomID != "" && !c.Disabled {
			list = append(list, press{m.ChannelID, m.ID, *c})
		}
	})
	return list
}

// steps returns the buttons of a message that lead to moves.
func steps(m discordsim.Message) []press {
	return slices.DeleteFunc(pressable(m), func(p press) bool {
		_, is := intentOf(p).(intent.Step)
		return !is
	})
}

// selection chooses values of a menu.
func (r *random) selection(c *check.Component) []string {
	var all []string
	for _, o := range c.Options {
		all = append(all, o.Value)
	}
	switch c.Type {
	case check.UserSelect, check.MentionableSelect:
		for _, who := range r.people {
			all = append(all, who.ID())
		}
	case check.ChannelSelect:
		all = slices.Clone(r.places)
	}
	low, high := c.Count()
	high = min(high, len(all))
	n := low
	if high > low {
		n += r.rng.IntN(high - low + 1)
	}
	r.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return append([]string{}, all[:min(n, len(all))]...)
}

// fill fills in a form.
func (r *random) fill(who *discordsim.Actor, form *discordsim.Modal) action {
	values := map[string]any{}
	check.Walk(form.Components, func(c *check.Component) {
		if c.CustomID == "" || r.chance(4) {
			return
		}
		switch c.Type {
		case check.TextInput:
			values[c.CustomID] = pick(r.rng, []string{"c3-d4", "7", "", "many words 🙂", strings.Repeat("long ", 40)})
		case check.Checkbox:
			values[c.CustomID] = r.chance(2)
		case check.RadioGroup:
			if list := r.selection(c); len(list) > 0 {
				values[c.CustomID] = list[0]
			}
		case check.StringSelect, check.UserSelect, check.ChannelSelect, check.CheckboxGroup:
			values[c.CustomID] = r.selection(c)
		}
	})
	return action{who, fmt.Sprintf("%s fills in %q with %v", who.ID(), form.Title, values), func(ctx context.Context) (*discordsim.Reply, error) {
		return who.Submit(ctx, form, values)
	}}
}
