package report

import (
	"fmt"

	"thera/arena"
)

func (r *Report) changeTable() *Table {
	t := tableOf("Changes against "+r.Baseline, r.Changes, []column[arena.Change]{
		{name: "kind", kind: words, cell: func(c *arena.Change) Cell { return text(c.Kind) }},
		{head: "Name", name: "name", kind: words, cell: func(c *arena.Change) Cell { return text(c.Name) }},
		{head: "was", name: "was", cell: func(c *arena.Change) Cell { return Cell{showChange(c, &c.Was), raw(&c.Was)} }},
		{head: "is", name: "is", cell: func(c *arena.Change) Cell { return Cell{showChange(c, &c.Is), raw(&c.Is)} }},
		{head: "Change", name: "change", cell: func(c *arena.Change) Cell {
			difference := c.Change
			if c.Kind == "matchup" {
				difference *= 100
			}
			return Cell{Signed(&difference), raw(&c.Change)}
		}},
		{head: "± 95 %", name: "error", cell: func(c *arena.Change) Cell { return Cell{zeroSign(showChange(c, &c.Error)), raw(&c.Error)} }},
		{head: "p", name: "p", cell: func(c *arena.Change) Cell { return Cell{fmt.Sprintf("%.3f", c.P), raw(&c.P)} }},
		{name: "firm", kind: words, cell: func(c *arena.Change) Cell { return Cell{changeMark(c), fmt.Sprint(c.Firm)} }},
		{name: "games_was", kind: csvOnly, cell: func(c *arena.Change) Cell { return count(c.Games[0]) }},
		{name: "games_is", kind: csvOnly, cell: func(c *arena.Change) Cell { return count(c.Games[1]) }},
	})
	t.Notes = []string{"Elo of engines and roles, score in % of match-ups; ** significant after correction for multiple comparisons (Holm, 5 %), * at 5 % alone"}
	return t
}

// show formats a value: a score for match-ups, Elo for all others.
func showChange(c *arena.Change, x *float64) string {
	if c.Kind == "matchup" {
		return share(x)
	}
	return Signed(x)
}

func changeMark(c *arena.Change) string {
	switch {
	case c.Firm:
		return "**"
	case c.P < 0.05:
		return "*"
	}
	return ""
}
