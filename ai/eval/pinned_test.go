package eval

import "github.com/lascabot/lascabot/engine"

// pinned holds positions of every stage, with single pieces and mixed columns,
// and their values by ruleset.
var pinned = []struct {
	position string
	values   [engine.NumRules]int
}{
	{"b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w w 0 1", [engine.NumRules]int{89, 76, 63}},
	{"b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w b 0 1", [engine.NumRules]int{89, 76, 63}},
	{",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 0 1", [engine.NumRules]int{468, 503, 527}},
	{",,,B/,,/,,,/,,/,,,/,,/W,,, w 0 1", [engine.NumRules]int{22, 36, 36}},
	{"b,b,,b/,b,b/wb,,b,/,bww,/,w,,w/w,,w/w,,,w w 0 9", [engine.NumRules]int{318, 5, 159}},
	{"b,,b,/,bbw,/,w,,bw/,,wwb/w,,,/w,,Bw/w,,w, b 3 20", [engine.NumRules]int{-309, -112, -119}},
	{"Wb,,,/,Bww,/,,wwb,/,,/bbw,,,/,,w/,,, w 12 40", [engine.NumRules]int{203, 261, 263}},
	{",,,/W,Wbb,Wb/,,WWwWB,B/,,/,,,/,,/,Bw,,WwwBBbBB b 1 97", [engine.NumRules]int{-870, -950, -1130}},
	{",,,/Wb,b,wB/,BbbWwwwwwWwW,,/,,bbb/,,,/b,,/,,B, b 1 35", [engine.NumRules]int{585, 746, 666}},
	{",W,,/,,b/,,,/,W,/,,,B/,,/,,, b 30 60", [engine.NumRules]int{-117, -30, -32}},
}
