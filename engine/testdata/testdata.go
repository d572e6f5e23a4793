// Package testdata holds verified values for the rules, for tests. Package
// enginetest reads them.
//
// # Design
//
// Go can embed only files beside the source, and several packages test against
// these; hence a package in a folder that ./... does not match. The values were
// made by two programs that were written apart from the engine and agree.
package testdata

import _ "embed"

// Cases holds a position a line in JSON: the start and difficult set-ups, with
// facts that were reasoned by hand and perft counts of depths 1, 2, 3, …
//
//go:embed cases.jsonl
var Cases string

// Positions holds a reachable position a line in JSON, and for each ruleset its
// moves sorted by bytes, each with the position after it.
//
//go:embed positions.jsonl
var Positions string

// Games holds a complete game a line in JSON, with the position after each ply.
//
//go:embed games.jsonl
var Games string

// Historic holds published games and openings as game text.
//
//go:embed historic.txt
var Historic string
