package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/history"
)

// History is the strength of all versions in a database.
type History struct {
	Groups   []HistoryGroup `json:"groups"` // those with most games first
	Warnings []string       `json:"warnings"`

	Width int `json:"-"` // columns of a line of the terminal form; 0: no limit
}

// HistoryGroup is one fit: all games of one game, with its rules, limit and openings.
type HistoryGroup struct {
	Game       string            `json:"game"`
	Limit      string            `json:"limit"`
	Conditions map[string]string `json:"conditions"` // the others, by key of a match file
	Runs       []string          `json:"runs"`
	Games      int               `json:"games"` // in the figures
	Versions   []HistoryRow      `json:"versions"`
	Warnings   []string          `json:"warnings"`

	conditions []string // "openings.random_plies 4"
}

// HistoryRow is one version.
type HistoryRow struct {
	Name    string            `json:"name"` // unique in its group
	Engines []string          `json:"engines"`
	Commit  string            `json:"commit,omitempty"`
	Subject string            `json:"subject,omitempty"` // of the commit, if its repository is there
	Binary  string            `json:"binary"`
	Options map[string]string `json:"options"`
	First   time.Time         `json:"first_run"`
	Rank    int               `json:"rank"`
	Score
	Opponents   int      `json:"opponents"`
	OpponentElo *float64 `json:"opponent_elo"` // mean over its games
	Stopped     int      `json:"stopped_games"`
	Biased      bool     `json:"biased"`         // some of its games are of tests that stopped when it was ahead or behind
	Few         bool     `json:"few_opponents"`  // fewer than fewOpponents
	Weak        bool     `json:"weak_opponents"` // weaker by weakOpponents or more
}

const (
	fewOpponents  = 2
	weakOpponents = 200.0 // Elo: beyond it a rating says more about the model than about games
)

// NewHistory rates the versions of each group.
func NewHistory(groups []history.Group) (*History, error) {
	h := &History{Groups: []HistoryGroup{}, Warnings: []string{}}
	for i := range groups {
		g, err := historyGroup(&groups[i])
		if err != nil {
			return nil, err
		}
		h.Groups = append(h.Groups, *g)
	}
	return h, nil
}

func historyGroup(from *history.Group) (*HistoryGroup, error) {
	r, err := New(from.Summary)
	if err != nil {
		return nil, err
	}
	g := &HistoryGroup{
		Game: r.Game, Limit: r.Limit, Conditions: map[string]string{}, Runs: from.Runs, Games: r.Games, Versions: []HistoryRow{}, Warnings: r.Warnings,
	}
	for _, c := range from.Conditions {
		if c.Key != "game" && c.Key != "limit" {
			g.Conditions[c.Key] = c.Value
			g.conditions = append(g.conditions, c.Key+" "+c.Value)
		}
	}
	if from.Self > 0 {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%s of a version against itself: in no figure", games(from.Self)))
	}
	engines := map[string]*EngineRow{}
	for i := range r.Engines {
		engines[r.Engines[i].Name] = &r.Engines[i]
	}
	for i := range from.Versions {
		v := &from.Versions[i]
		e := engines[v.Spec.Name]
		if e.Games == 0 {
			continue
		}
		row := HistoryRow{
			Name: v.Spec.Name, Engines: v.Names, Commit: v.Commit(), Binary: e.Binary, Options: e.Options, First: v.First.UTC(),
			Rank: e.Rank, Score: e.Score, Stopped: v.Stopped, Biased: v.Stopped > 0,
		}
		row.meet(r, engines)
		g.Versions = append(g.Versions, row)
	}
	return g, nil
}

// meet fills in what is known about a version's opponents.
func (h *HistoryRow) meet(r *Report, engines map[string]*EngineRow) {
	sum, n := 0.0, 0.0
	for i := range r.Pairings {
		for side, name := range r.Pairings[i].Engines {
			if name != h.Name {
				continue
			}
			h.Opponents++
			if elo := engines[r.Pairings[i].Engines[1-side]].Elo; elo != nil {
				sum += *elo * float64(r.Pairings[i].Games)
				n += float64(r.Pairings[i].Games)
			}
		}
	}
	h.OpponentElo = ratio(sum, n)
	h.Few = h.Opponents < fewOpponents
	h.Weak = h.Elo != nil && h.OpponentElo != nil && *h.Elo-*h.OpponentElo >= weakOpponents
}

// marks are what makes the figures of a version less than they seem.
func (h *HistoryRow) marks() string {
	var words []string
	for _, m := range []struct {
		is   bool
		word string
	}{{h.Biased, "biased"}, {h.Few, "one opponent"}, {h.Weak, "weak opponents"}} {
		if m.is {
			words = append(words, m.word)
		}
	}
	return strings.Join(words, ", ")
}

// Title says what a group is.
func (g *HistoryGroup) Title() string {
	return Printable(strings.Join(append([]string{g.Game, g.Limit}, g.conditions...), ", "))
}

// Table is the table of a group.
func (g *HistoryGroup) Table() *Table {
	type row = HistoryRow
	of := func(r *row) *Score { return &r.Score }
	return tableOf(g.Title(), g.Versions, []column[row]{
		{head: "Version", name: "name", kind: words, cell: func(r *row) Cell { return text(r.Name) }},
	}, eloColumns(of, ratedBar), gamesAndScore(of), []column[row]{
		{head: "Against", name: "opponents", drop: 1, cell: func(r *row) Cell { return count(r.Opponents) }},
		{head: "First played", name: "first_run", kind: words, drop: 3, cell: func(r *row) Cell {
			return Cell{r.First.Local().Format("2006-01-02 15:04"), r.First.Format(time.RFC3339)}
		}},
		{head: "Subject", name: "subject", kind: folded, shown: anyRow(func(r *row) bool { return r.Subject != "" }), cell: func(r *row) Cell { return text(r.Subject) }},
		{head: "Mark", name: "marks", kind: folded, shown: anyRow(func(r *row) bool { return r.marks() != "" }), cell: func(r *row) Cell { return text(r.marks()) }},
	})
}

// Write writes all groups. CSV has the first one alone.
func (h *History) Write(w io.Writer, form Format) error {
	if form == CSV && len(h.Groups) > 0 {
		return h.Groups[0].Table().Write(w, form)
	}
	for i := range h.Groups {
		g := &h.Groups[i]
		t := g.Table()
		t.Notes = append(t.Notes, fmt.Sprintf("%s of %s", games(g.Games), arena.Plural(len(g.Runs), "run")))
		if slices.ContainsFunc(g.Versions, func(r HistoryRow) bool { return r.Biased }) {
			t.Notes = append(t.Notes, "biased: games of sequential tests, which stop when a version is ahead or behind, show it too far ahead or behind")
		}
		for _, text := range g.Warnings {
			t.Notes = append(t.Notes, "warning: "+text)
		}
		if err := t.Fit(h.Width).Write(w, form); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
	}
	for _, text := range h.Warnings {
		if _, err := fmt.Fprintln(w, Printable(text)); err != nil {
			return err
		}
	}
	return nil
}
