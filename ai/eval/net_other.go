//go:build !amd64

package eval

func update(dst, src *sums, rows *[NumRows][Hidden]int16, plus, minus []uint16) {
	updateGo(dst, src, rows, plus, minus)
}

func output(mover, other *sums, out *[2 * Hidden]int16) int32 { return outputGo(mover, other, out) }
