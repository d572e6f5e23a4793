package eval

// pinned positions are of every stage, with single and mixed columns.
var pinned = []struct {
	position string
	value    int
}{
	{"b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w w 0 1", 45},
	{"b,b,b,b/b,b,b/b,b,b,b/,,/w,w,w,w/w,w,w/w,w,w,w b 0 1", 45},
	{",,,B/,,/,,,/,,/,,,/W,,/W,W,, w 0 1", 352},
	{",,,B/,,/,,,/,,/,,,/,,/W,,, w 0 1", -32},
	{"b,b,,b/,b,b/wb,,b,/,bww,/,w,,w/w,,w/w,,,w w 0 9", 162},
	{"b,,b,/,bbw,/,w,,bw/,,wwb/w,,,/w,,Bw/w,,w, b 3 20", -67},
	{"Wb,,,/,Bww,/,,wwb,/,,/bbw,,,/,,w/,,, w 12 40", 258},
	{",,,/W,Wbb,Wb/,,WWwWB,B/,,/,,,/,,/,Bw,,WwwBBbBB b 1 97", -699},
	{",,,/Wb,b,wB/,BbbWwwwwwWwW,,/,,bbb/,,,/b,,/,,B, b 1 35", 564},
	{",W,,/,,b/,,,/,W,/,,,B/,,/,,, b 30 60", -56},
}
