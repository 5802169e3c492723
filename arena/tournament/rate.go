package tournament

import (
	"cmp"
	"math"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/rating"
)

// Rate computes what follows from the rows of a summary: the joint fit of its engines, and the
// figures of engines, pairings, seats and roles. Of an unrated run it only counts games, and says
// nothing about strength.
func Rate(sum *arena.Summary) {
	r, f := rater{sum}, &sum.Figures
	f.Engines, f.Pairings, f.Roles = []arena.EngineRow{}, []arena.PairingRow{}, []arena.RoleRow{}
	f.Matchups, f.Matrix = []arena.MatchupRow{}, []arena.MatrixCell{}
	met := pairings(sum.Rows)
	sum.Ratings = r.fit("", met.list, anchors(sum.Run.Plan.Engines))
	r.engines()
	for _, p := range met.list {
		r.pairing(p)
	}
	r.roles()
}

// rater fills in the figures of a summary.
type rater struct{ sum *arena.Summary }

// group has all games of an engine or a role, or of two of them, from the view of the first.
type group struct {
	names [2]string // the second is "" for all games of the first
	arena.Tally
	seats [2]rating.Counts // of all games of one
}

// groups has the groups in the order of their first games.
type groups struct {
	list []*group
	at   map[[2]string]*group
}

// of returns the group of names.
func (g *groups) of(names [2]string) *group {
	if g.at == nil {
		g.at = map[[2]string]*group{}
	}
	if g.at[names] == nil {
		g.at[names] = &group{names: names}
		g.list = append(g.list, g.at[names])
	}
	return g.at[names]
}

// share adds games of two names to the group of each. seat is the seat of the first name. Games of a
// name against itself count once if alone is set, otherwise not at all.
func (g *groups) share(names [2]string, t *arena.Tally, seat int, alone bool) {
	for side, name := range names {
		one, games := g.of([2]string{name}), *t
		if names[0] == names[1] && (side == 1 || !alone) {
			games = arena.Tally{Sides: t.Sides}
		}
		if side == 1 {
			games = games.Swapped()
		}
		one.Add(&games)
		one.seats[(side+seat)%2] = one.seats[(side+seat)%2].Add(games.Counts)
	}
}

// pairings adds up the rows of each pairing. It leaves out those of an engine against itself, which
// say nothing about its strength, only about roles and seats.
func pairings(rows []arena.Row) (all groups) {
	for _, row := range rows {
		if row.Total() > 0 && row.Pairing[0] != row.Pairing[1] {
			all.of(row.Pairing).Add(&row.Tally)
		}
	}
	return all
}

// meetings returns what rates engines or roles.
func meetings(list []*group) []rating.Meeting {
	var out []rating.Meeting
	for _, m := range list {
		if m.names[0] != m.names[1] {
			out = append(out, rating.Meeting{A: m.names[0], B: m.names[1], Counts: m.Counts})
		}
	}
	return out
}

// anchors are the ratings that are fixed. A run that was imported may have one that no match file has.
func anchors(engines []arena.EngineSpec) map[string]float64 {
	out := map[string]float64{}
	for _, e := range engines {
		if e.Anchor != nil && math.Abs(*e.Anchor) <= rating.MaxAnchor {
			out[e.Name] = *e.Anchor
		}
	}
	return out
}

// fit rates players jointly. It returns nil if the run is unrated. Warnings begin with about.
func (r *rater) fit(about string, list []*group, anchors map[string]float64) *rating.Ratings {
	if r.sum.Doubt != nil {
		return nil
	}
	table := rating.Fit(meetings(list), anchors)
	for _, w := range table.Caveats {
		r.sum.Warn(arena.Warning{Kind: arena.WarnRating, Text: about + w})
	}
	return table
}

// ranked sorts totals by rating, then those without one by score.
func ranked(table *rating.Ratings, list []*group) {
	places := map[string]int{}
	if table != nil {
		order := table.Ranking()
		for at, i := range order {
			places[table.Players[i].Name] = at - len(order)
		}
	}
	share := func(t *group) float64 { return t.Games.Points() / float64(max(t.Games.Games(), 1)) }
	slices.SortStableFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(places[a.names[0]], places[b.names[0]]), cmp.Compare(share(b), share(a)))
	})
}

// strengthOf returns a player's rating, nil if there is none.
func strengthOf(table *rating.Ratings, name string) *rating.Estimate {
	if table != nil {
		if i, ok := table.Find(name); ok {
			return &rating.Estimate{Strength: table.Players[i].Strength}
		}
	}
	return nil
}

// engines fills in the ranking.
func (r *rater) engines() {
	var totals groups
	for _, e := range r.sum.Run.Plan.Engines {
		totals.of([2]string{e.Name})
	}
	for _, row := range r.sum.Rows {
		totals.share(row.Pairing, &row.Tally, row.Leg, true)
	}
	list := slices.DeleteFunc(totals.list, func(t *group) bool {
		return slices.ContainsFunc(r.sum.Dead, func(d arena.Dead) bool { return d.Engine == t.names[0] })
	})
	ranked(r.sum.Ratings, list)
	for _, t := range list {
		r.engine(t)
	}
}

func (r *rater) engine(t *group) {
	name := t.names[0]
	spec := r.sum.Run.Plan.Engine(name)
	s := arena.EngineRow{
		Rank: len(r.sum.Engines) + 1, Name: name, Score: scoreOf(t.Counts, strengthOf(r.sum.Ratings, name)),
		First: t.seats[0].Games, Second: t.seats[1].Games, Averages: averages(&t.Sides[0]), Faults: t.Sides[0].Failed,
		Points: points(&t.Tally), CPULimited: r.sum.Run.Plan.LimitOf(spec).CPU > 0,
		Command: append([]string{}, spec.Command...), Options: map[string]string{}, Binary: spec.Binary,
	}
	for _, o := range spec.Options {
		s.Options[o.Name] = o.Value
	}
	r.sum.Engines = append(r.sum.Engines, s)
}

// pairing fills in a pairing.
func (r *rater) pairing(p *group) {
	row := arena.PairingRow{
		Engines: p.names, Score: scoreOf(p.Counts, nil), MeanPlies: meanPlies(&p.Tally), Points: points(&p.Tally), Warnings: []string{},
	}
	if r.sum.Doubt == nil {
		s := p.Estimate()
		row.Score, row.Nelo, row.NeloError, row.Warnings = scoreOf(p.Counts, &s), s.Nelo, s.NeloError, s.Caveats
		row.DrawRatio, row.PairsRatio = s.DrawRatio, s.PairsRatio
	}
	r.sum.Pairings = append(r.sum.Pairings, row)
}

// cell returns the score of a cell, which is one of roles or of a seat.
func (r *rater) cell(c rating.Counts) arena.Score {
	if r.sum.Doubt != nil {
		return scoreOf(c, nil)
	}
	e := c.Estimate().Cell()
	return scoreOf(c, &e)
}

// scoreOf returns a score with the strength that follows from it, if e is not nil.
func scoreOf(c rating.Counts, e *rating.Estimate) arena.Score {
	s := arena.Score{Games: c.Games.Games(), WDL: c.Games, Half: c.Half(), Strength: rating.Strength{Score: fraction(c.Games)}}
	if c.Pairs != (rating.Penta{}) {
		s.Pairs = &c.Pairs
	}
	if e != nil {
		s.Strength, s.LOS = e.Strength, e.LOS
	}
	return s
}

// points returns a tally's points from its first engine's view.
func points(t *arena.Tally) *arena.Points {
	all := t.Points[0] + t.Points[1]
	if !(all > 0) || t.Total() == 0 {
		return nil
	}
	return &arena.Points{Share: t.Points[0] / all, Margin: (t.Points[0] - t.Points[1]) / float64(t.Total())}
}

func averages(e *arena.Effort) arena.Averages {
	n := float64(e.Moves)
	ms := func(d time.Duration) *float64 { return ratio(float64(d)/float64(time.Millisecond), n) }
	return arena.Averages{
		Moves: e.Moves, Depth: ratio(float64(e.Depth), float64(e.Depths)), NoDepth: ratio(n-float64(e.Depths), n),
		MeanMs: ms(e.Wall), MeanCPUMs: ms(e.CPU), IdleMs: ms(e.Idle), MeanNodes: ratio(float64(e.Nodes), n),
	}
}

func meanPlies(t *arena.Tally) *float64 { return ratio(float64(t.Plies), float64(t.Total())) }

// fraction returns the share of points, nil if there are no games.
func fraction(c rating.WDL) *float64 { return ratio(c.Points(), float64(c.Games())) }

// ratio returns a/b, nil if b is 0.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	return new(a / b)
}
