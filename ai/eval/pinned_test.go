package eval

// pinned positions are of every stage, with single and mixed columns.
var pinned = []struct {
	position string
	value    int
}{
	{"b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w w 0 1", 0},
	{"b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w b 0 1", 0},
	{",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 0 1", 0},
	{",,,B/,,/,,,/,,/,,,/,,/W,,, w 0 1", 0},
	{"b,b,,b/,b,b/wb,,b,/,bww,/,w,,w/w,,w/w,,,w w 0 9", 0},
	{"b,,b,/,bbw,/,w,,bw/,,wwb/w,,,/w,,Bw/w,,w, b 3 20", 0},
	{"Wb,,,/,Bww,/,,wwb,/,,/bbw,,,/,,w/,,, w 12 40", 0},
	{",,,/W,Wbb,Wb/,,WWwWB,B/,,/,,,/,,/,Bw,,WwwBBbBB b 1 97", 0},
	{",,,/Wb,b,wB/,BbbWwwwwwWwW,,/,,bbb/,,,/b,,/,,B, b 1 35", 0},
	{",W,,/,,b/,,,/,W,/,,,B/,,/,,, b 30 60", 0},
}
