package view

import (
	"github.com/lascabot/lascabot/bot/i18n"
	"github.com/lascabot/lascabot/render"
)

// ErrorsWithSentences returns the errors that have a sentence of their own.
func ErrorsWithSentences() []error {
	var list []error
	for _, p := range problems {
		list = append(list, p.err)
	}
	return list
}

// Show puts a scene into a message.
func Show(msg *Message, l i18n.Lang, look Look, s render.Scene) { show(msg, l, look, s, "lasca") }
