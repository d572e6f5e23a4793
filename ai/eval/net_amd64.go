package eval

import "golang.org/x/sys/cpu"

// useAVX2 reports whether the machine has the instructions that net_amd64.s
// needs. The results are the same with and without them.
var useAVX2 = cpu.X86.HasAVX2

//go:noescape
func updateAVX2(dst, src *sums, rows *[NumRows][Hidden]int16, plus *uint16, nPlus int, minus *uint16, nMinus int)

//go:noescape
func outputAVX2(mover, other *sums, out *[2 * Hidden]int16) int32

func update(dst, src *sums, rows *[NumRows][Hidden]int16, plus, minus []uint16) {
	if useAVX2 && len(plus) > 0 && len(minus) > 0 {
		updateAVX2(dst, src, rows, &plus[0], len(plus), &minus[0], len(minus))
		return
	}
	updateGo(dst, src, rows, plus, minus)
}

func output(mover, other *sums, out *[2 * Hidden]int16) int32 {
	if useAVX2 {
		return outputAVX2(mover, other, out)
	}
	return outputGo(mover, other, out)
}
