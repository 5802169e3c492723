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
	if err := r.head(w, Terminal); err != nil {
		return err
	}
	for _, name := range r.briefTables() {
		t, err := r.Table(name)
		if err != nil {
			return err
		}
		if more := len(t.Rows) - briefRows; more > 0 {
			t.Rows, t.Notes = t.Rows[:briefRows], append(t.Notes, fmt.Sprintf("… %d more", more))
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := t.Fit(r.Width).Write(w, Terminal); err != nil {
			return err
		}
	}
	said, err := r.verdict()
	if err != nil {
		return err
	}
	if len(said) > 0 {
		said[0] = "\n" + said[0]
	}
	if again != "" {
		said = append(said, "\n"+Wrap("All tables: "+Printable(r.command(again)), r.Width, 2)+"\n")
	}
	_, err = io.WriteString(w, strings.Join(said, ""))
	return err
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

// verdict returns the answer, what was decided, faults and warnings, each with
// its end of line. The last are counted where there are too many.
func (r *Report) verdict() ([]string, error) {
	var all []string
	switch {
	case r.SPRT != nil:
		all = append(all, "SPRT: "+r.SPRT.text())
	case len(r.Standings) > 0: // the notes say who won
	case len(r.Engines) > 1 && r.Engines[0].Games > 0 && r.Engines[1].Games > 0:
		c, err := Compare(r.sum, r.Engines[1].Name, r.Engines[0].Name)
		if err != nil {
			return nil, err
		}
		all = append(all, c.Sentence)
	}
	for i := range r.Earlier {
		all = append(all, "SPRT with earlier bounds: "+r.Earlier[i].text())
	}
	all = append(all, r.faults()...)
	if d := r.Difference; d != nil {
		all = append(all, "The rules of the engines differ: "+r.command("replay "+arena.Short(d.Game))+" shows where")
	}
	for _, warning := range r.Warnings {
		all = append(all, "Warning: "+warning)
	}
	for _, text := range r.decided() {
		all = append(all, "Note: "+text)
	}
	used := 0
	for i, sentence := range all {
		all[i] = Wrap(Printable(sentence), r.Width, 2) + "\n"
		used += strings.Count(all[i], "\n")
		if last := i == len(all)-1; used > briefLines || used == briefLines && !last {
			return append(all[:i], fmt.Sprintf("… and %s\n", arena.Plural(len(all)-i, "more line"))), nil
		}
	}
	return all, nil
}

// faults says which engines lost games by a fault, and how.
func (r *Report) faults() []string {
	var lines []string
	for i := range r.Engines {
		e := &r.Engines[i]
		var how []string
		lost := 0
		for _, end := range r.Ends {
			if end.Source == arena.Faulted && end.Engine == e.Name {
				lost += end.Games
				how = append(how, fmt.Sprintf("%d %s", end.Games, end.Reason))
			}
		}
		if len(how) > 0 {
			lines = append(lines, fmt.Sprintf("Faults: %s lost %s by a fault (%s); %s shows them", e.Name, games(lost), strings.Join(how, ", "), r.command("games --faults")))
		}
	}
	return lines
}
