package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"thera/arena/rating"
)

const mostNamed = 4 // pairings named in a warning

// WriteJSON writes the report as one JSON object on one line.
func (r *Report) WriteJSON(w io.Writer) error {
	return NewJSON(w).Encode(r)
}

// Write writes all tables that have something to show. In CSV, which can hold
// only one table, it writes the ranking.
func (r *Report) Write(w io.Writer, form Format) error {
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
		if err := t.Fit(r.Width).Write(w, form); err != nil {
			return err
		}
	}
	if r.Difference != nil {
		if err := r.Difference.write(w, form); err != nil {
			return err
		}
	}
	return r.foot(w, form)
}

// chosen returns the tables that have something to show, without the rows that
// are too many for a terminal.
func (r *Report) chosen() []*Table {
	var chosen []*Table
	add := func(name string, wanted bool, most int) {
		if !wanted {
			return
		}
		t, err := r.Table(name)
		if err != nil {
			panic(err)
		}
		if len(t.Rows) > most {
			t.Notes = append(t.Notes, fmt.Sprintf("… %d more rows (thera results --table %s)", len(t.Rows)-most, name))
			t.Rows = t.Rows[:most]
		}
		chosen = append(chosen, t)
	}
	engines, matchups := len(r.Engines), len(r.Matchups)
	add("standings", len(r.Standings) > 0, math.MaxInt)
	add("ranking", true, math.MaxInt)
	add("cross", engines > 2 && engines <= maxCross, math.MaxInt)
	add("pairings", len(r.Pairings) > 0, maxPairings)
	add("roles", len(r.Roles) > 1, math.MaxInt)
	add("matrix", len(r.Roles) > 2, math.MaxInt)
	oneSided, balanced := r.extremes(1)
	add("extremes", len(r.Roles) > 2 && len(oneSided)+len(balanced) > 0, math.MaxInt)
	add("matchups", matchups > 0 && matchups <= maxMatchups, math.MaxInt)
	add(ChangeTable, len(r.Changes) > 0, maxPairings)
	add("ends", len(r.Ends) > 0, maxPairings)
	add("warnings", len(r.Noted) > 0, maxPairings)
	return chosen
}

func (r *Report) head(w io.Writer, form Format) error {
	if form == Markdown {
		_, err := fmt.Fprintf(w, "## %s\n\n%s\n", markdown(r.Run), markdown(r.headText()))
		return err
	}
	return r.say(w, r.Run+": "+r.headText())
}

// say writes a sentence to a terminal.
func (r *Report) say(w io.Writer, sentence string) error {
	_, err := io.WriteString(w, Wrap(Printable(sentence), r.Width, 2)+"\n")
	return err
}

// headText describes the run in a line.
func (r *Report) headText() string {
	rated := ""
	if r.unrated {
		rated = "unrated"
	}
	var kept []string
	for _, word := range []string{r.Game, r.Format, r.gamesText(), r.Limit, r.State, rated} {
		if word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, ", ")
}

// gamesText says how many games count and why others do not.
func (r *Report) gamesText() string {
	if r.Stored == r.Games {
		return games(r.Games)
	}
	out := []string{fmt.Sprintf("%d stored", r.Stored)}
	if r.Surplus > 0 {
		out = append(out, fmt.Sprintf("%d surplus", r.Surplus))
	}
	if r.Unrated > 0 {
		out = append(out, fmt.Sprintf("%d pairs unrated", r.Unrated))
	}
	if r.Repeated > 0 {
		out = append(out, fmt.Sprintf("%d repeated", r.Repeated))
	}
	return fmt.Sprintf("%s (%s)", games(r.Games), strings.Join(out, ", "))
}

// foot writes the first seat's score, the decisions, remarks and warnings.
func (r *Report) foot(w io.Writer, form Format) error {
	lines := r.lines()
	if len(lines) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w); err != nil {
		return err
	}
	for _, line := range lines {
		if form != Markdown {
			if err := r.say(w, line); err != nil {
				return err
			}
		} else if _, err := fmt.Fprintln(w, "- "+markdown(line)); err != nil {
			return err
		}
	}
	return nil
}

// lines returns what stands below the tables.
func (r *Report) lines() []string {
	var lines []string
	if f := r.FirstSeat; f.Games > 0 {
		lines = append(lines, fmt.Sprintf("First seat: %s %s in %s (%s)", percent(f.Score), scoreBar(f.ScoreError), games(f.Games), record(f.WDL)))
	}
	if s := r.SPRT; s != nil {
		lines = append(lines, "SPRT: "+s.text())
	}
	for i := range r.Earlier {
		lines = append(lines, "SPRT with earlier bounds: "+r.Earlier[i].text())
	}
	lines = append(lines, r.notes()...)
	lines = append(lines, r.pairingWarnings()...)
	for _, warning := range r.Warnings {
		lines = append(lines, "Warning: "+warning)
	}
	return lines
}

// decided returns the decisions, as text.
func (r *Report) decided() []string {
	decided := []string{}
	if r.Stop != nil {
		decided = append(decided, r.Stop.Text)
	}
	for _, d := range r.Drops {
		if r.Stop == nil || d.Text != r.Stop.Text { // a drop can end the run
			decided = append(decided, d.Text)
		}
	}
	for _, t := range r.Ties {
		decided = append(decided, t.Text)
	}
	return decided
}

// notes returns the decisions, and those remarks of the run's log that are not
// among them.
func (r *Report) notes() []string {
	decided := r.decided()
	var lines []string
	for _, text := range decided {
		lines = append(lines, "Note: "+text)
	}
	for _, word := range r.sets {
		lines = append(lines, "Note: --set "+word)
	}
	for _, remark := range r.log {
		switch {
		case slices.Contains(decided, remark.Text):
		case remark.Time.IsZero():
			lines = append(lines, "Log: "+remark.Text)
		default:
			lines = append(lines, "Log: "+remark.Time.Local().Format("2006-01-02 15:04")+" "+remark.Text)
		}
	}
	return lines
}

// pairingWarnings returns the caveats of the pairings, each once. With only two
// engines the ranking has the same ones.
func (r *Report) pairingWarnings() []string {
	if len(r.Engines) == 2 {
		return nil
	}
	var texts []string
	about := map[string][]string{}
	for _, p := range r.Pairings {
		for _, w := range p.Warnings {
			if w.Kind == rating.NoRatio { // tables do not show this ratio
				continue
			}
			if about[w.Text] == nil {
				texts = append(texts, w.Text)
			}
			about[w.Text] = append(about[w.Text], p.Engines[0]+" - "+p.Engines[1])
		}
	}
	var lines []string
	for _, text := range texts {
		names := about[text]
		if more := len(names) - mostNamed; more > 0 {
			names = append(names[:mostNamed], fmt.Sprintf("%d more", more))
		}
		lines = append(lines, fmt.Sprintf("Warning: %s: %s", strings.Join(names, ", "), text))
	}
	return lines
}
