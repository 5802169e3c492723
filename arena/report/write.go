package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteJSON writes the report as one JSON object on one line.
func (r *Report) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(r)
}

// Write writes the tables a user wants to see, in text or Markdown; in CSV,
// which holds one table, the ranking.
func (r *Report) Write(w io.Writer, form Form) error {
	if form == CSV {
		return r.ranking().Write(w, CSV)
	}
	if err := r.head(w, form); err != nil {
		return err
	}
	for _, t := range r.chosen() {
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if err := t.Write(w, form); err != nil {
			return err
		}
	}
	return r.foot(w, form)
}

// chosen are the tables that have something to say, shortened to what a
// terminal can take.
func (r *Report) chosen() []*Table {
	var tables []*Table
	if len(r.Standings) > 0 {
		tables = append(tables, r.standingsTable())
	}
	tables = append(tables, r.ranking())
	if n := len(r.Engines); n > 2 && n <= maxCross {
		tables = append(tables, r.cross())
	}
	if t := r.pairingTable(); len(t.Rows) > 0 {
		tables = append(tables, t.short(maxPairings))
	}
	if len(r.Roles) > 1 {
		tables = append(tables, r.roleTable())
	}
	if len(r.Roles) > 2 {
		tables = append(tables, r.matrixTable())
		if t := r.extremeTable(); len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	if n := len(r.Matchups); n > 0 && n <= maxMatchups {
		tables = append(tables, r.matchupTable())
	}
	if r.Baseline != "" && len(r.Changes) > 0 {
		tables = append(tables, r.changeTable().short(maxPairings))
	}
	if len(r.Ends) > 0 {
		tables = append(tables, r.endTable().short(maxPairings))
	}
	if len(r.Noted) > 0 {
		tables = append(tables, r.warningTable().short(maxPairings))
	}
	return tables
}

func (t *Table) short(most int) *Table {
	if len(t.Rows) > most {
		t.Notes = append(t.Notes, fmt.Sprintf("… %d more rows (thera results --table %s)", len(t.Rows)-most, t.Name))
		t.Rows = t.Rows[:most]
	}
	return t
}

func (r *Report) head(w io.Writer, form Form) error {
	words := []string{r.Game, r.Format, games(r.Games), r.Limit, r.State}
	var kept []string
	for _, word := range words {
		if word != "" {
			kept = append(kept, word)
		}
	}
	pattern := "%s: %s\n"
	if form == Markdown {
		pattern = "## %s\n\n%s\n"
	}
	_, err := fmt.Fprintf(w, pattern, Printable(r.Run), Printable(strings.Join(kept, ", ")))
	return err
}

// foot has the first seat's advantage, the test, remarks and warnings.
func (r *Report) foot(w io.Writer, form Form) error {
	var lines []string
	if f := r.FirstSeat; f.Games > 0 {
		lines = append(lines, fmt.Sprintf("First seat: %s %s in %s (%s)", percent(f.Score), scoreBar(f.ScoreError), games(f.Games), record(f.Wins, f.Draws, f.Losses)))
	}
	if s := r.SPRT; s != nil {
		lines = append(lines, "SPRT: "+s.text())
	}
	for _, remark := range r.Remarks {
		lines = append(lines, "Note: "+remark)
	}
	for _, p := range r.Pairings {
		for _, warning := range p.Warnings {
			// Those of many pairings, of the only one (the ranking's say the same)
			// and of figures not shown are in the JSON.
			if len(r.Pairings) > 6 || len(r.Engines) == 2 || strings.Contains(warning, "pairs ratio") {
				continue
			}
			lines = append(lines, fmt.Sprintf("Warning: %s - %s: %s", p.Engines[0], p.Engines[1], warning))
		}
	}
	for _, warning := range r.Warnings {
		lines = append(lines, "Warning: "+warning)
	}
	if len(lines) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	for _, line := range lines {
		if form == Markdown {
			line = "- " + strings.ReplaceAll(line, "|", `\|`)
		}
		if _, err := fmt.Fprintln(w, Printable(line)); err != nil {
			return err
		}
	}
	return nil
}

// text is the test in words.
func (s *SPRT) text() string {
	text := fmt.Sprintf("LLR %s in [%.2f, %.2f], elo0 %g, elo1 %g, %s, %d pairs: ", fixed(s.LLR, 2), s.Lower, s.Upper, s.Elo0, s.Elo1, s.Model, s.Pairs)
	switch s.Decision {
	case "H0":
		return text + "H0 accepted"
	case "H1":
		return text + "H1 accepted"
	}
	if s.GamesLeft != nil {
		return text + fmt.Sprintf("undecided, about %.0f games left", *s.GamesLeft)
	}
	return text + "undecided"
}
