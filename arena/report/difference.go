package report

import (
	"fmt"
	"io"
	"strings"

	"thera/arena"
)

// Difference is the smallest difference between the rules of two engines that a run
// has found.
type Difference struct {
	Game string `json:"game"` // identity of the game that it ended
	*arena.Dispute
	Text string `json:"text"` // with the boards
}

// AddDifference shows what ended rec, unless a smaller difference is shown already.
func (r *Report) AddDifference(rec *arena.Record) {
	if rec.Dispute == nil || r.Difference != nil && r.Difference.Size() <= rec.Dispute.Size() {
		return
	}
	d := *rec.Dispute
	d.Lists = [2][]string{} // an export has them
	r.Difference = &Difference{Game: rec.ID, Dispute: &d, Text: rec.Detail}
}

// write shows the difference behind the tables.
func (d *Difference) write(w io.Writer, form Format) error {
	open, end := "", ""
	if form == Markdown {
		open, end = "\n```", "```\n"
	}
	var b strings.Builder
	for line := range strings.Lines(d.Text + "\n") {
		b.WriteString(Printable(strings.TrimSuffix(line, "\n")) + "\n")
	}
	_, err := fmt.Fprintf(w, "\nThe smallest difference of the rules, in game %s:%s\n%s%s", arena.Short(d.Game), open, b.String(), end)
	return err
}
