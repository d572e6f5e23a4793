package view

import (
	"github.com/lascabot/lascabot/render"
	"github.com/lascabot/lascabot/storage"
)

// LookFrom turns a stored choice into a look. A theme that is not known any more
// falls back to the default.
func LookFrom(s storage.Settings) Look {
	theme, err := render.ParseTheme(s.Theme)
	if err != nil {
		theme = render.Wood
	}
	return Look{Theme: theme, Letters: s.Text}
}
