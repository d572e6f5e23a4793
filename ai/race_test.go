//go:build race

package ai

const raceDetector = true
