package config

import (
	"fmt"
	"strings"
)

// help returns the help text of a command.
func help(c command) string {
	var b strings.Builder
	if c == version {
		fmt.Fprintf(&b, "Usage: %s\n\nPrints the version. There are no settings.\n", c)
		return b.String()
	}
	arg, about := c.argOf()
	fmt.Fprintf(&b, "Usage: %s\n\n", strings.TrimSpace(c.String()+" [settings] "+arg))
	if about != "" {
		fmt.Fprintf(&b, "%s\n\n", about)
	}
	b.WriteString("Each setting is a flag or an environment variable; the flag wins.\n")
	for i := range settings {
		s := &settings[i]
		if s.commands&c == 0 {
			continue
		}
		b.WriteString("\n  ")
		if s.flag != "" {
			b.WriteString(s.usage() + ", ")
		}
		b.WriteString(s.variable())
		if s.def != "" {
			fmt.Fprintf(&b, " (default %s)", s.def)
		}
		fmt.Fprintf(&b, "\n        %s\n", s.help)
	}
	return b.String()
}

// usage returns the flag with what stands for its value.
func (s *setting) usage() string { return strings.TrimSpace("-" + s.flag + " " + s.arg) }

// Table returns every setting of every command as a table in Markdown, for the
// README.
func Table() string {
	var b strings.Builder
	b.WriteString("| Flag | Variable | Default | Of | Meaning |\n|---|---|---|---|---|\n")
	code := func(text string) string {
		if text == "" {
			return ""
		}
		return "`" + text + "`"
	}
	for i := range settings {
		s := &settings[i]
		usage := ""
		if s.flag != "" {
			usage = s.usage()
		}
		of := "`" + strings.ReplaceAll(strings.ReplaceAll(s.commands.String(), "lascabot ", ""), ", ", "`, `") + "`"
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", code(usage), code(s.variable()), code(s.def), of, s.help)
	}
	return b.String()
}
