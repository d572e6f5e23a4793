package intent

import "github.com/lascabot/lascabot/engine/match"

// ValidGame reports whether a text can be a game's ID: 1 to [MaxGameLen] ASCII
// letters and digits. The game may not exist.
func ValidGame(id match.ID) bool {
	return id != "" && len(id) <= MaxGameLen && lettersAndDigits(string(id))
}

// lettersAndDigits reports whether a text has nothing but ASCII letters and digits.
// An empty text has.
func lettersAndDigits(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}
