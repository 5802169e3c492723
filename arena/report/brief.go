package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
)

// A run ends with one screen.
const (
	briefRows  = 10 // engines or roles
	briefLines = 12 // of the verdict, notes and warnings
)

// Brief writes what a run ends with, or has come to: the ranking and the verdict.
// With two engines it has at most 24 lines of 80 columns. again are the words of the
// command that shows the rest, "" for none.
func (r *Report) Brief(w io.Writer, again string) error {
	p := &prose{w: w, form: Terminal, width: r.Width}
	r.head(p)
	for _, name := range r.briefTables() {
		t, err := r.Table(name)
		if err != nil {
			return err
		}
		if more := len(t.Rows) - briefRows; more > 0 {
			t.Rows, t.Notes = t.Rows[:briefRows], append(t.Notes, fmt.Sprintf("… %d more", more))
		}
		p.table(t)
	}
	said, err := r.verdict()
	if err != nil {
		return err
	}
	p.list(said)
	if again != "" {
		p.list([]string{"All tables: " + r.command(again)})
	}
	return p.err
}

// command is a command that reads the same database.
func (r *Report) command(words string) string {
	return strings.TrimSpace("thera " + words + " " + r.Flags)
}

// briefTables names the tables that answer what the run asks.
func (r *Report) briefTables() []string {
	switch {
	case len(r.Standings) > 0:
		return []string{"standings", "ranking"}
	case len(r.Roles) > 1 && len(r.Engines) == 1:
		return []string{"roles"}
	case len(r.Roles) > 1 && r.Format == "cells":
		return []string{"ranking", "roles"}
	}
	return []string{"ranking"}
}

// verdict returns the answer, what was decided, faults and warnings. The last are counted where there are too many.
func (r *Report) verdict() ([]string, error) {
	var all []string
	switch {
	case r.Test != nil:
		all = append(all, "SPRT: "+testText(r.Test))
	case len(r.Standings) > 0: // the notes say who won
	case len(r.Engines) > 1 && r.Engines[0].Games > 0 && r.Engines[1].Games > 0:
		c, err := Compare(r.Summary, r.Engines[1].Name, r.Engines[0].Name)
		if err != nil {
			return nil, err
		}
		all = append(all, c.Sentence)
	}
	all = append(all, r.faults()...)
	if d := r.Difference; d != nil {
		all = append(all, "The rules of the engines differ: "+r.command("replay "+arena.Short(d.Game))+" shows where")
	}
	all = append(all, marked("Warning: ", r.warnings(false))...)
	all = append(all, marked("Note: ", r.decided())...)
	used := 0
	for i, sentence := range all {
		used += strings.Count(Wrap(Printable(sentence), r.Width, 2), "\n") + 1
		if last := i == len(all)-1; used > briefLines || used == briefLines && !last {
			return append(all[:i], fmt.Sprintf("… and %s", arena.Plural(len(all)-i, "more line"))), nil
		}
	}
	return all, nil
}

// faults says which engines lost games by a fault, and how.
func (r *Report) faults() []string {
	var lines []string
	names := r.engineNames()
	for i := range r.Dead {
		names = append(names, r.Dead[i].Engine)
	}
	for _, name := range append([]string{""}, names...) { // "" is both
		var how []string
		lost := 0
		for _, end := range r.Ends {
			if end.Source == arena.Faulted && end.Engine == name {
				lost += end.Games
				how = append(how, fmt.Sprintf("%d %s", end.Games, end.Reason))
			}
		}
		text := fmt.Sprintf("Faults: %s lost %s by a fault (%s)", name, games(lost), strings.Join(how, ", "))
		if name == "" {
			text = fmt.Sprintf("Faults: both engines were at fault in %s, for no points", games(lost))
		}
		if lost > 0 {
			lines = append(lines, text+"; "+r.command("games --faults")+" shows them")
		}
	}
	return lines
}
