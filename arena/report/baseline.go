package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// Change is a difference from an earlier run: in the Elo of an engine or role,
// rated among those that both runs have, or in the score of a match-up.
type Change struct {
	Kind   string   `json:"kind"` // engine, role, matchup
	Name   string   `json:"name"`
	Was    float64  `json:"was"` // Elo, or a score as a fraction
	Is     float64  `json:"is"`
	Change float64  `json:"change"`
	Error  float64  `json:"error"` // 95 %
	P      float64  `json:"p"`     // two-sided p-value
	Firm   bool     `json:"firm"`  // significant at 5 % after Holm's correction
	Games  [2]int64 `json:"games"` // before, now
}

// Against adds the changes since an earlier run, the most significant first. It
// refuses a run with another game or other rules; for any other difference in
// the conditions it adds a warning.
func (r *Report) Against(sum, base *arena.Summary) error {
	fault := func(err error) error {
		return fmt.Errorf("comparing run %s with %s: %w", sum.Run.Name, base.Run.Name, err)
	}
	for _, s := range []*arena.Summary{sum, base} {
		if s.Stop.Unrated() {
			return fault(fmt.Errorf("%s is unrated, the machine was too busy", s.Run.Name))
		}
	}
	if sum.Run.Game != base.Run.Game {
		return fault(fmt.Errorf("one is of the game %s, the other of %s", sum.Run.Game, base.Run.Game))
	}
	if is, was := sum.Run.Plan.Rules, base.Run.Plan.Rules; is != was {
		return fault(fmt.Errorf("the rules differ: %s, earlier %s", is, was))
	}
	was, is := base.Run.Plan.Conditions(base.Run.Game, base.Engines), sum.Run.Plan.Conditions(sum.Run.Game, sum.Engines)
	if lines := was.Differences(is); len(lines) > 0 {
		r.warn(arena.Warningf(arena.WarnBaseline, 0, "other conditions than in %s: %s", base.Run.Name, strings.Join(lines, "; ")))
	}
	r.Baseline = base.Run.Name
	r.Changes = []Change{}
	if err := r.ratingChanges("engine", engineResults(sum), engineResults(base)); err != nil {
		return fault(err)
	}
	now, before := duels(meetings(sum)), duels(meetings(base))
	if err := r.ratingChanges("role", roleResults(now), roleResults(before)); err != nil {
		return fault(err)
	}
	r.scoreChanges(now, before)
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return cmp.Compare(a.P, b.P) })
	holm(r.Changes)
	if len(r.Changes) == 0 {
		r.warn(arena.Warningf(arena.WarnBaseline, 0, "nothing in this run can be compared with %s: no engine, role or match-up played in both", base.Run.Name))
	}
	return nil
}

func engineResults(sum *arena.Summary) []rating.Meeting {
	var out []rating.Meeting
	for _, p := range pairingTallies(sum) {
		if !p.self() {
			out = append(out, rating.Meeting{A: p.engines[0], B: p.engines[1], Counts: counts(&p.tally)})
		}
	}
	return out
}

// ratingChanges rates both runs over the players that both have. Ratings are
// relative, so they can only be compared among the same players.
func (r *Report) ratingChanges(kind string, is, was []rating.Meeting) error {
	names := func(results []rating.Meeting) map[string]bool {
		m := map[string]bool{}
		for _, x := range results {
			m[x.A], m[x.B] = true, true
		}
		return m
	}
	now, before := names(is), names(was)
	unshared := func(x rating.Meeting) bool { return !(now[x.A] && before[x.A] && now[x.B] && before[x.B]) }
	tables := [2]*rating.Ratings{}
	for i, results := range [][]rating.Meeting{was, is} {
		t, err := rating.Fit(slices.DeleteFunc(slices.Clone(results), unshared), rating.Options{})
		if err != nil {
			return err
		}
		tables[i] = t
	}
	for i := range tables[1].Players {
		p := &tables[1].Players[i]
		k, ok := tables[0].Find(p.Name)
		if !ok {
			continue
		}
		q := &tables[0].Players[k]
		a, b := halfWidth(q), halfWidth(p)
		if q.Elo == nil || p.Elo == nil || a == nil || b == nil {
			continue
		}
		r.change(kind, p.Name, *q.Elo, *p.Elo, math.Hypot(*a, *b), [2]int64{q.Games, p.Games})
	}
	return nil
}

func halfWidth(p *rating.Rating) *float64 {
	if p.EloLo == nil || p.EloHi == nil {
		return nil
	}
	h := (*p.EloHi - *p.EloLo) / 2
	return &h
}

// scoreChanges compares match-ups of roles.
func (r *Report) scoreChanges(is, was []duel) {
	before := map[[2]string]duel{}
	for _, d := range was {
		before[[2]string{d.A, d.B}] = d
	}
	for _, d := range is {
		b, ok := before[[2]string{d.A, d.B}]
		now, then := d.Estimate(), b.Estimate()
		if !ok || now.Score == nil || then.Score == nil {
			continue
		}
		e := z95 * math.Hypot(deviation(now), deviation(then))
		r.change("matchup", d.A+" - "+d.B, *then.Score, *now.Score, e, [2]int64{then.Games, now.Games})
	}
}

const z95 = 1.959963984540054

func (r *Report) change(kind, name string, was, is, e float64, games [2]int64) {
	c := Change{Kind: kind, Name: name, Was: was, Is: is, Change: is - was, Error: e, P: 1, Games: games}
	if e > 0 {
		c.P = math.Erfc(math.Abs(c.Change) / e * z95 / math.Sqrt2)
	}
	r.Changes = append(r.Changes, c)
}

// holm marks the changes that are significant at 5 % after correction for
// multiple comparisons (Holm 1979). The list is sorted by P.
func holm(changes []Change) {
	for i := range changes {
		if changes[i].P > 0.05/float64(len(changes)-i) {
			return
		}
		changes[i].Firm = true
	}
}

func (r *Report) changeTable() *Table {
	t := tableOf("Changes against "+r.Baseline, r.Changes, []column[Change]{
		{name: "kind", kind: words, cell: func(c *Change) Cell { return text(c.Kind) }},
		{head: "Name", name: "name", kind: words, cell: func(c *Change) Cell { return text(c.Name) }},
		{head: "was", name: "was", cell: func(c *Change) Cell { return number(&c.Was, c.show) }},
		{head: "is", name: "is", cell: func(c *Change) Cell { return number(&c.Is, c.show) }},
		{head: "Change", name: "change", cell: func(c *Change) Cell {
			difference := c.Change
			if c.Kind == "matchup" {
				difference *= 100
			}
			return Cell{signed(&difference), raw(&c.Change)}
		}},
		{head: "± 95 %", name: "error", cell: func(c *Change) Cell { return Cell{zeroSign(c.show(&c.Error)), raw(&c.Error)} }},
		{head: "p", name: "p", cell: func(c *Change) Cell { return Cell{fmt.Sprintf("%.3f", c.P), raw(&c.P)} }},
		{name: "firm", kind: words, cell: func(c *Change) Cell { return Cell{c.mark(), fmt.Sprint(c.Firm)} }},
		{name: "games_was", kind: csvOnly, cell: func(c *Change) Cell { return count(c.Games[0]) }},
		{name: "games_is", kind: csvOnly, cell: func(c *Change) Cell { return count(c.Games[1]) }},
	})
	t.Notes = []string{"Elo of engines and roles, score in % of match-ups; ** significant after correction for multiple comparisons (Holm, 5 %), * at 5 % alone"}
	return t
}

// show formats a value: a score for match-ups, Elo for all others.
func (c *Change) show(x *float64) string {
	if c.Kind == "matchup" {
		return share(x)
	}
	return signed(x)
}

func (c *Change) mark() string {
	switch {
	case c.Firm:
		return "**"
	case c.P < 0.05:
		return "*"
	}
	return ""
}
