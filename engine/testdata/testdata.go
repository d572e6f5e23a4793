// Package testdata holds verified values for tests of the rules. Package enginetest
// reads them.
//
// # Design
//
// Go can only embed files next to the source, and several packages use these for
// their tests. So they have a package of their own, in a folder that ./... does not
// match. The values come from two programs that were written independently of the
// engine and that agree.
package testdata

import _ "embed"

// Cases holds one position per line in JSON: the start and difficult set-ups, with
// facts worked out by hand and perft counts of depths 1, 2, 3, …
//
//go:embed cases.jsonl
var Cases string

// Positions holds one reachable position per line in JSON, with its moves for each
// ruleset, sorted by bytes, and the position after each move.
//
//go:embed positions.jsonl
var Positions string

// Games holds one complete game per line in JSON, with the position after each ply.
//
//go:embed games.jsonl
var Games string

// Historic holds published games and openings as game text.
//
//go:embed historic.txt
var Historic string
