package check

import "testing"

func TestEmoji(t *testing.T) {
	for _, s := range []string{"💡", "↩", "↩️", "🏳", "🏳️", "🏳️‍🌈", "👍🏽", "👨‍👩‍👧", "1️⃣", "#⃣", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "⚪", "⚫", "❤️", "✅", "⬅️", "⭐", "♟️", "🔄"} {
		if !isEmoji(s) {
			t.Errorf("%q is refused", s)
		}
	}
	for _, s := range []string{"", "a", "ok", "½", "⋯", "1", "💡💡", "💡a", "a💡", "💡x💡", ":bulb:", "\u200d", "\ufe0f", "💡\u200d", "🇩🇪🇩", "→", "ü", "♔", "<:x:1>"} {
		if isEmoji(s) {
			t.Errorf("%q is taken for an emoji", s)
		}
	}
}
