package eval

import (
	"math/bits"

	"github.com/lascabot/lascabot/engine"
)

// packed holds a term's value for the full board in the low and for the bare
// board in the high half, so that one addition adds both.
type packed int32

func pack(full, bare int) packed { return packed(bare<<16 + full) }

func (p packed) full() int { return int(int16(p)) }
func (p packed) bare() int { return int(int16((p + 0x8000) >> 16)) }

const (
	fullPhase = 256
	fadeFrom  = 16
)

// phase returns the share of the full board's weights, 0 to fullPhase.
func phase(columns int) int { return min(max(columns-4, 0), 14) * fullPhase / 14 }

// terms calls add for the terms that depend on how the columns stand to each
// other, White's positive and Black's negative.
func terms(loaded uint32, p *engine.Position, add func(Term, int)) {
	turn := p.Turn()
	f := [2]forces{forcesOf(p, engine.White), forcesOf(p, engine.Black)}
	both := f[0].own | f[1].own
	empty := engine.BoardMask &^ both
	for c, sign := engine.White, 1; c <= engine.Black; c, sign = c+1, -1 {
		me, foe := &f[c], &f[c^1]
		all, safe, threatened := mobility(me, foe, empty)
		if c == turn {
			add(SafeMover+Term(min(safe, 8)), sign)
			add(Threatened, sign*bits.OnesCount32(threatened))
			add(ThreatenedLoaded, sign*bits.OnesCount32(threatened&loaded))
			add(Tempo, sign)
		} else {
			add(SafeWaiter+Term(min(safe, 8)), sign)
		}
		add(Mobility, sign*all)
		behind := me.own<<4 | me.own<<5
		if c == engine.Black {
			behind = me.own>>4 | me.own>>5
		}
		add(Backed, sign*bits.OnesCount32(me.own&behind))
		if mine := me.own & loaded; mine != 0 {
			add(LoadedNear, sign*bits.OnesCount32(mine&neighbours(foe.own)))
			add(LoadedGuarded, sign*bits.OnesCount32(mine&neighbours(me.own&p.Officers())))
		}
		if me.own != 0 {
			add(Columns+Term(min(bits.OnesCount32(me.own), 11)-1), sign)
		}
	}
	if n := bits.OnesCount32(both); n <= 6 && bits.OnesCount32(both&oddRanks)&1 != 0 {
		sign := 1
		if turn == engine.Black {
			sign = -1
		}
		add(Parity+Term(max(n, 3)-3), sign)
	}
}
