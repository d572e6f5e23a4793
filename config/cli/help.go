package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// usage returns a command as it is written.
func (p *Program) usage(c Command) string {
	text := p.title(c)
	if len(c.Rows()) > 0 {
		text += " [flags]"
	}
	return strings.TrimSpace(text + " " + c.Args)
}

// overview prints the list of commands.
func (p *Program) overview(w io.Writer) error {
	notes := p.Notes
	if notes != "" {
		notes = "\n" + strings.TrimSpace(notes) + "\n"
	}
	_, err := fmt.Fprintf(w, `%s

%s
"%s help COMMAND" lists a command's flags, which may stand before, between
and after its arguments.
%s`, p.About, p.List("  "), p.Name, notes)
	return err
}

// List returns a line for each command, with what it does, behind an indent.
func (p *Program) List(indent string) string {
	width := 0
	called := func(c Command) string { return strings.TrimSpace(p.title(c) + " " + c.Args) }
	for _, c := range p.all() {
		width = max(width, len(called(c)))
	}
	var b strings.Builder
	for _, c := range p.all() {
		fmt.Fprintf(&b, "%s%-*s  %s\n", indent, width, called(c), c.Short)
	}
	return b.String()
}

// help explains a command.
func (p *Program) help(w io.Writer, c Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "usage: %s\n\n%s %s.\n", p.usage(c), p.title(c), c.Short)
	if c.Long != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.Long))
	}
	f := newFlags(noVariable)
	c.Setup(f)
	if len(c.Rows()) > 0 {
		b.WriteString("\nflags:\n")
		f.SetOutput(&b)
		f.PrintDefaults()
	}
	for _, s := range f.settings {
		if s.flag == "" {
			fmt.Fprintf(&b, "  %s\n    \t%s\n", s.variable, s.usage)
		}
	}
	if len(f.settings) > 0 {
		b.WriteString("\nA flag beats its environment variable, which beats the default.\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func noVariable(string) string { return "" }

// Row is a flag or an environment variable of a command.
type Row struct {
	Flag     string // with what stands for its value, such as "-data FILE"; "" for a variable alone
	Variable string // "" for a flag alone
	Default  string
	Usage    string
}

// Rows returns the flags of a command by name, behind its variables that have
// no flag.
func (c Command) Rows() []Row {
	f := newFlags(noVariable)
	c.Setup(f)
	var list []Row
	of := map[string]setting{}
	for _, s := range f.settings {
		if s.flag == "" {
			list = append(list, Row{Variable: s.variable, Usage: s.usage})
		}
		of[s.flag] = s
	}
	f.VisitAll(func(g *flag.Flag) {
		arg, usage := flag.UnquoteUsage(g)
		row := Row{Flag: strings.TrimSpace("-" + g.Name + " " + arg), Default: g.DefValue, Usage: usage}
		if s, ok := of[g.Name]; ok {
			_, row.Usage = flag.UnquoteUsage(&flag.Flag{Usage: s.usage})
			row.Variable, row.Default = s.variable, s.value
		}
		list = append(list, row)
	})
	return list
}

// Table returns rows as a table in Markdown.
func Table(list []Row) string {
	var b strings.Builder
	b.WriteString("| Flag | Variable | Default | Meaning |\n|---|---|---|---|\n")
	for _, r := range list {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code(r.Flag), code(r.Variable), code(r.Default), r.Usage)
	}
	return b.String()
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// Page returns the program's commands and flags as a page in Markdown.
func (p *Program) Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", p.Name, p.About)
	if p.Commands[0].Name != "" {
		fmt.Fprintf(&b, "\n```text\n%s```\n", p.List(""))
	}
	for _, c := range p.Commands {
		list := c.Rows()
		if c.Name != "" {
			fmt.Fprintf(&b, "\n## %s\n\n`%s` %s.\n", p.title(c), p.usage(c), c.Short)
		}
		if c.Long != "" {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.Long))
		}
		if len(list) > 0 {
			fmt.Fprintf(&b, "\n%s", Table(list))
		}
	}
	b.WriteString("\nA flag beats its environment variable, which beats the default. " +
		"Flags may stand\nbefore, between and after the arguments.\n")
	if p.Notes != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(p.Notes))
	}
	return b.String()
}
