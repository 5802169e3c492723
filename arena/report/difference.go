package report

import (
	"fmt"

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
func (r *Report) AddDifference(rec *arena.Game) {
	if rec.Dispute == nil || r.Difference != nil && r.Difference.Size() <= rec.Dispute.Size() {
		return
	}
	d := *rec.Dispute
	d.Lists = [2][]string{} // an export has them
	r.Difference = &Difference{Game: rec.ID, Dispute: &d, Text: rec.Detail}
}

// write shows the difference behind the tables.
func (d *Difference) write(p *prose) {
	open, end := "", ""
	if p.form == Markdown {
		open, end = "\n```", "```\n"
	}
	p.print(fmt.Sprintf("\nThe smallest difference of the rules, in game %s:%s\n%s\n%s", arena.Short(d.Game), open, Lines(d.Text), end))
}
