package eval

// packed holds a term's value for the full board in the low half and for the
// bare board in the high half, so that one addition adds both.
type packed int32

func pack(full, bare int) packed { return packed(bare<<16 + full) }

func (p packed) full() int { return int(int16(p)) }
func (p packed) bare() int { return int(int16((p + 0x8000) >> 16)) }

const (
	fullPhase = 256
	fadeFrom  = 16 // plies without progress, after which values fade
)

// phase returns the weight of the full board's values, 0 to fullPhase.
func phase(columns int) int { return min(max(columns-4, 0), 14) * fullPhase / 14 }
