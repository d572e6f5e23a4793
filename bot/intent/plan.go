package intent

import (
	"strings"
)

// MaxPlan is the most plies of an if-then line, so that it fits behind a button.
const MaxPlan = 24

// places are the letters of the places in a line. No position has so many moves.
const places = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func writeLine(line []int) string {
	var b strings.Builder
	for _, i := range line {
		if i < 0 || i >= len(places) {
			return "?" // which cannot be read back
		}
		b.WriteByte(places[i])
	}
	return b.String()
}

func readLine(text string) (line []int, ok bool) {
	if len(text) > MaxPlan {
		return nil, false
	}
	for i := range len(text) {
		n := strings.IndexByte(places, text[i])
		if n < 0 {
			return nil, false
		}
		line = append(line, n)
	}
	return line, true
}

func writePlan(in Plan) string {
	return writeStep(Step{Ref: in.Ref, Path: in.Path}) + "." + writeLine(in.Line)
}

func readPlan(text string) (in Plan, ok bool) {
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return in, false
	}
	step, ok := readStep(text[:dot])
	line, fits := readLine(text[dot+1:])
	return Plan{Ref: step.Ref, Line: line, Path: step.Path}, ok && fits
}

func writeDropPlan(in DropPlan) string { return writeRef(in.Ref) + "." + writeLine(in.Line) }

func readDropPlan(text string) (in DropPlan, ok bool) {
	dot := strings.LastIndexByte(text, '.')
	if dot < 0 {
		return in, false
	}
	in.Ref, ok = readRef(text[:dot])
	line, fits := readLine(text[dot+1:])
	in.Line = line
	return in, ok && fits
}
