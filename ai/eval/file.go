package eval

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"

	"github.com/lascabot/lascabot/engine"
)

// ErrWeights says that data is not a weights file for this program. The error
// that wraps it says why.
var ErrWeights = errors.New("unusable weights")

// Weights are the numbers of the evaluation for one ruleset.
type Weights struct {
	// Linear holds each term's value in points, for the full and for the bare
	// board.
	Linear [NumTerms][2]int16
	Net    Net
}

// The file: magic, format, length and name of the feature set, number of
// values, the values as little-endian 16-bit numbers, and a CRC-32 of all that.
const (
	magic      = "LascaEvl"
	format     = 1
	featureSet = "columns-125 net-3500-64-4"
)

// Set holds the weights of every ruleset, by [engine.Rules].
type Set [engine.NumRules]*Weights

//go:embed kawu.bin
var kawu []byte

//go:embed mindsports.bin
var mindSports []byte

//go:embed lasker.bin
var lasker []byte

// Default returns the weights that come with the program; weights.txt says how
// they were made. The caller must not change them.
var Default = sync.OnceValue(func() (set Set) {
	for r, data := range [engine.NumRules][]byte{engine.Kawu: kawu, engine.MindSports: mindSports, engine.Lasker: lasker} {
		w, err := Decode(data)
		if err != nil {
			panic("eval: embedded weights: " + err.Error()) // a broken build; tested
		}
		set[r] = w
	}
	return set
})

// Everywhere returns a set with the same weights for every ruleset.
func Everywhere(w *Weights) (set Set) {
	for r := range set {
		set[r] = w
	}
	return set
}

// Decode reads a weights file. The error wraps [ErrWeights] and says what is
// wrong: data is damaged, has another format, or was made for other features.
func Decode(data []byte) (*Weights, error) {
	body, crc := data, uint32(0)
	if len(data) >= 4 {
		body, crc = data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	}
	head := header()
	switch {
	case len(body) < len(magic) || string(body[:len(magic)]) != magic:
		return nil, fmt.Errorf("%w: not a weights file", ErrWeights)
	case crc32.ChecksumIEEE(body) != crc:
		return nil, fmt.Errorf("%w: the file is damaged (wrong checksum)", ErrWeights)
	case len(body) < len(head) || string(body[:len(head)]) != string(head):
		return nil, fmt.Errorf("%w: made for another version; want format %d, features %s", ErrWeights, format, featureSet)
	}
	w := new(Weights)
	values := w.values()
	body = body[len(head):]
	if len(body) != 2*len(values) {
		return nil, fmt.Errorf("%w: %d bytes of values, want %d", ErrWeights, len(body), 2*len(values))
	}
	for i, v := range values {
		*v = int16(binary.LittleEndian.Uint16(body[2*i:]))
	}
	return w, nil
}

// Encode writes a weights file.
func (w *Weights) Encode() []byte {
	out := header()
	for _, v := range w.values() {
		out = binary.LittleEndian.AppendUint16(out, uint16(*v))
	}
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

func header() []byte {
	out := []byte(magic)
	out = binary.LittleEndian.AppendUint16(out, format)
	out = append(out, byte(len(featureSet)))
	out = append(out, featureSet...)
	return binary.LittleEndian.AppendUint32(out, uint32(numValues))
}

// values returns pointers to all numbers, in the order of the file.
func (w *Weights) values() []*int16 {
	out := make([]*int16, 0, numValues)
	for i := range w.Linear {
		out = append(out, &w.Linear[i][0], &w.Linear[i][1])
	}
	for i := range w.Net.Rows {
		for k := range w.Net.Rows[i] {
			out = append(out, &w.Net.Rows[i][k])
		}
	}
	for k := range w.Net.Bias {
		out = append(out, &w.Net.Bias[k])
	}
	for s := range w.Net.Out {
		for k := range w.Net.Out[s] {
			out = append(out, &w.Net.Out[s][k])
		}
	}
	return out
}

const numValues = 2*int(NumTerms) + NumRows*Hidden + Hidden + NumStages*2*Hidden
