package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"thera/arena"
)

// History is the strength of all versions in a database.
type History struct {
	Groups   []Group  `json:"groups"` // those with most games first
	Warnings []string `json:"warnings"`

	Width int `json:"-"` // columns of a line of the terminal form; 0: no limit
}

// marks are what makes the figures of a version less than they seem.
func marks(v *Version) string {
	var words []string
	if v.Biased {
		words = append(words, "biased")
	}
	if v.Opponents < 2 {
		words = append(words, "one opponent")
	}
	return strings.Join(words, ", ")
}

// HistoryTitle says what a group is.
func HistoryTitle(g *Group) string {
	said := arena.Map(g.Said, func(c arena.Condition) string { return c.Key + " " + c.Value })
	return Printable(strings.Join(append([]string{g.Game, g.Limit}, said...), ", "))
}

func historyTable(g *Group) *Table {
	return tableOf(HistoryTitle(g), g.Versions, func(l *line, v *Version) {
		l.word("Version", "name", v.Name)
		l.elo(&v.Score, ratedBar)
		l.score(&v.Score)
		l.count("Against", "opponents", v.Opponents).Drop = 1
		first := Cell{v.First.Local().Format("2006-01-02 15:04"), v.First.Format(time.RFC3339)}
		l.add(Heading{Head: "First played", Name: "first_run", Left: true, Drop: 3}, first)
		l.long("Subject", "subject", v.Subject).only(v.Subject != "")
		l.long("Mark", "marks", marks(v)).only(marks(v) != "")
	})
}

// Write writes all groups. CSV has the first one alone.
func (h *History) Write(w io.Writer, form Format) error {
	if form == CSV && len(h.Groups) > 0 {
		return historyTable(&h.Groups[0]).Write(w, form)
	}
	p := &prose{w: w, form: form, width: h.Width}
	for i := range h.Groups {
		g := &h.Groups[i]
		t := historyTable(g)
		t.Notes = append(t.Notes, fmt.Sprintf("%s of %s", games(g.Games), arena.Plural(len(g.Runs), "run")))
		if slices.ContainsFunc(g.Versions, func(v Version) bool { return v.Biased }) {
			t.Notes = append(t.Notes, "biased: games of sequential tests, which stop when a version is ahead or behind, show it too far ahead or behind")
		}
		t.Notes = append(t.Notes, marked("warning: ", g.Warnings)...)
		p.table(t)
	}
	p.list(h.Warnings)
	return p.err
}
