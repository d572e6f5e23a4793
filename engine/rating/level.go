package rating

import "github.com/lascabot/lascabot/engine"

// anchor is the level that is as strong as a newcomer is taken to be. Nobody has
// measured people yet. It is the level that the bot gives to people who do not choose
// one, so that the first game tells most: against an even opponent either result does.
const anchor = 3

// steps are by how many points of Elo each level from the second on is stronger than
// the level below it, under each ruleset: package ai's own measurements. Games by the
// other rules are drawn less often, so the better player wins more points.
var steps = [...][7]float64{
	engine.Kawu:       {203, 229, 231, 211, 219, 225, 225},
	engine.MindSports: {222, 312, 279, 266, 279, 272, 363},
	engine.Lasker:     {233, 288, 198, 315, 241, 305, 288},
}

// levelDeviation is how sure the levels' strength is. It is the rest of what 400 games
// a step leave open, about 15 points each.
const levelDeviation = 35

// Level returns the strength of one of the machine's levels, 1 to 8, by a ruleset. It
// never changes. A level that does not exist counts as the nearest one.
func Level(rules engine.Rules, level int) Rating {
	if int(rules) >= len(steps) {
		rules = engine.Kawu
	}
	step := steps[rules]
	r := Rating{Value: newcomer, Deviation: levelDeviation, Volatility: 0.06}
	for l := anchor; l < min(level, len(step)+1); l++ {
		r.Value += step[l-1]
	}
	for l := anchor; l > max(level, 1); l-- {
		r.Value -= step[l-2]
	}
	return r
}
