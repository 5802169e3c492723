package tournament

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"thera/arena"
	"thera/arena/rating"
)

// Rate computes what follows from the rows of a summary: the joint fit of its engines, and
// the figures of engines, pairings, seats and roles. Of an unrated run it counts
// what was played, and says nothing about strength.
func Rate(sum *arena.Summary) {
	r, f := rater{sum: sum, figures: &sum.Figures, rated: sum.Doubt == nil}, &sum.Figures
	sum.Warnings = slices.DeleteFunc(sum.Warnings, func(w arena.Warning) bool { return w.Kind == arena.WarnRating })
	f.Engines, f.Pairings, f.Roles = []arena.EngineRow{}, []arena.PairingRow{}, []arena.RoleRow{}
	f.Matchups, f.Matrix = []arena.MatchupRow{}, []arena.MatrixCell{}
	pairings := pairings(sum.Rows)
	sum.Ratings = r.fit("", pairings, anchors(sum.Engines))
	r.engines()
	for i := range pairings {
		r.pairing(pairings[i])
	}
	r.roles()
}

// rater fills in the figures of a summary.
type rater struct {
	sum     *arena.Summary
	figures *arena.Figures
	rated   bool
}

// meeting is all games of two engines or roles, from the first one's view.
type meeting struct {
	names [2]string
	arena.Tally
}

// tallies are meetings by their names.
type tallies struct{ byKey[[2]string, meeting] }

func (t tallies) add(names [2]string, tally *arena.Tally) {
	m := t.of(names)
	m.names = names
	m.Add(tally)
}

// list returns them in order of name.
func (t tallies) list() []*meeting {
	return slices.SortedFunc(maps.Values(t.byKey), func(a, b *meeting) int { return slices.Compare(a.names[:], b.names[:]) })
}

// pairings adds up the rows of all pairings, which stand together, without those of an engine
// against itself: they say nothing about its strength, only about roles and seats.
func pairings(rows []arena.Row) (list []*meeting) {
	for i := range rows {
		row := &rows[i]
		if row.Total() == 0 || row.Pairing[0] == row.Pairing[1] {
			continue
		}
		if n := len(list); n == 0 || list[n-1].names != row.Pairing {
			list = append(list, &meeting{names: row.Pairing})
		}
		list[len(list)-1].Add(&row.Tally)
	}
	return list
}

// meetings returns what rates engines or roles.
func meetings(list []*meeting) []rating.Meeting {
	var out []rating.Meeting
	for _, m := range list {
		if m.names[0] != m.names[1] {
			out = append(out, rating.Meeting{A: m.names[0], B: m.names[1], Counts: m.Counts})
		}
	}
	return out
}

func anchors(engines []arena.EngineSpec) map[string]float64 {
	out := map[string]float64{}
	for _, e := range engines {
		if e.Anchor != nil {
			out[e.Name] = *e.Anchor
		}
	}
	return out
}

// fit rates players jointly; nil if the run is unrated. about begins its warnings.
func (r *rater) fit(about string, list []*meeting, anchors map[string]float64) *rating.Ratings {
	if !r.rated {
		return nil
	}
	table, err := rating.Fit(meetings(list), anchors)
	if err != nil {
		r.sum.Warnings = append(r.sum.Warnings, arena.Warningf(arena.WarnRating, 0, "%sno rating: %v", about, err))
		return nil
	}
	for _, w := range table.Caveats {
		r.sum.Warnings = append(r.sum.Warnings, arena.Warning{Kind: arena.WarnRating, Text: about + w})
	}
	return table
}

// total is all games of an engine or a role, from its view: Sides[0] is its own.
type total struct {
	name string
	spec *arena.EngineSpec // of an engine
	arena.Tally
	seats [2]rating.Counts
	elo   *rating.Rating // nil if it is not rated
	place int            // by rating
}

// add adds games in which it was a side of a meeting, and in a seat.
func (t *total) add(m *arena.Tally, side, seat int) {
	own := *m
	if side == 1 {
		own = m.Swapped()
	}
	t.Tally.Add(&own)
	t.seats[seat] = t.seats[seat].Add(own.Counts)
}

// ranked sorts totals by rating, or, without ratings, by score. Those that did not play
// others come last.
func ranked(table *rating.Ratings, list []*total) {
	share := func(t *total) float64 { return t.Games.Points() / float64(max(t.Games.Games(), 1)) }
	if table == nil {
		slices.SortStableFunc(list, func(a, b *total) int { return cmp.Compare(share(b), share(a)) })
		return
	}
	places := map[string]int{}
	for at, i := range table.Ranking() {
		places[table.Players[i].Name] = at
	}
	for _, t := range list {
		t.place = len(places)
		if i, ok := table.Find(t.name); ok {
			t.elo, t.place = &table.Players[i], places[t.name]
		}
	}
	slices.SortStableFunc(list, func(a, b *total) int { return cmp.Compare(a.place, b.place) })
}

// engines fills in the ranking.
func (r *rater) engines() {
	totals := byKey[string, total]{}
	for i := range r.sum.Rows {
		row := &r.sum.Rows[i]
		for side, name := range row.Pairing {
			if side == 1 && name == row.Pairing[0] { // its games are counted already
				totals.of(name).Sides[0].Add(&row.Sides[1])
				continue
			}
			totals.of(name).add(&row.Tally, side, (side+row.Leg)%2)
		}
	}
	var list []*total
	for i := range r.sum.Engines {
		t := totals.of(r.sum.Engines[i].Name)
		t.spec, t.name = &r.sum.Engines[i], r.sum.Engines[i].Name
		if !slices.ContainsFunc(r.sum.Dead, func(d arena.Dead) bool { return d.Engine == t.name }) {
			list = append(list, t)
		}
	}
	ranked(r.sum.Ratings, list)
	for _, t := range list {
		r.engine(t)
	}
}

func (r *rater) engine(t *total) {
	spec := t.spec
	s := arena.EngineRow{
		Rank: len(r.figures.Engines) + 1, Name: t.name, Score: scoreOf(t.Counts, true),
		First: t.seats[0].Games, Second: t.seats[1].Games, Averages: averages(&t.Sides[0]), Faults: t.Sides[0].Failed,
		Own: own(&t.Tally), CPULimited: r.sum.Run.Plan.Limit.With(spec.Limit).CPU > 0,
		Command: append([]string{}, spec.Command...), Options: map[string]string{}, Binary: spec.Binary,
	}
	for _, o := range spec.Options {
		s.Options[o.Name] = o.Value
	}
	if p := t.elo; p != nil {
		s.Strength = p.Strength
	}
	r.figures.Engines = append(r.figures.Engines, s)
}

// pairing fills in a pairing.
func (r *rater) pairing(p *meeting) {
	row := arena.PairingRow{
		Engines: p.names, Score: scoreOf(p.Counts, true), MeanPlies: meanPlies(&p.Tally), Own: own(&p.Tally), Warnings: []string{},
	}
	if r.rated {
		s := p.Estimate()
		row.Score = estimated(row.Score, s)
		row.Nelo, row.NeloError, row.Warnings = s.Nelo, s.NeloError, s.Caveats
		row.DrawRatio, row.PairsRatio = s.DrawRatio, s.PairsRatio
	}
	r.figures.Pairings = append(r.figures.Pairings, row)
}

// cell is the score of a cell: of roles, of a seat, of an opening.
func (r *rater) cell(c rating.Counts) arena.Score {
	if !r.rated {
		return scoreOf(c, false)
	}
	return estimated(scoreOf(c, false), c.Estimate().Cell())
}

// scoreOf is a score without what it says about strength; units says whether it has its pairs.
func scoreOf(c rating.Counts, units bool) arena.Score {
	s := arena.Score{Games: c.Games.Games(), WDL: c.Games, Strength: rating.Strength{Score: fraction(c.Games)}}
	if units {
		if s.Half = c.Half(); c.Pairs != (rating.Penta{}) {
			s.Pairs = &c.Pairs
		}
	}
	return s
}

// estimated adds to a score what follows from it.
func estimated(s arena.Score, e rating.Estimate) arena.Score {
	s.Strength, s.LOS = e.Strength, e.LOS
	return s
}

// Openings returns the scores of the first seat from each opening.
func Openings(rows []arena.OpeningRow) []arena.OpeningScore {
	r, out := rater{rated: true}, []arena.OpeningScore{}
	for _, row := range rows {
		plies := ratio(float64(row.Plies), float64(row.Games.Games()))
		out = append(out, arena.OpeningScore{Start: row.Start, Score: r.cell(rating.Singly(row.Games)), MeanPlies: plies})
	}
	return out
}

// own returns a tally's own points from its first engine's view.
func own(t *arena.Tally) *arena.Own {
	all := t.Points[0] + t.Points[1]
	if !(all > 0) || t.Total() == 0 {
		return nil
	}
	return &arena.Own{Share: t.Points[0] / all, Margin: (t.Points[0] - t.Points[1]) / float64(t.Total())}
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

// fraction returns the share of points, nil without games.
func fraction(c rating.WDL) *float64 { return ratio(c.Points(), float64(c.Games())) }

// ratio returns a/b, nil if b is 0.
func ratio(a, b float64) *float64 {
	if b == 0 {
		return nil
	}
	q := a / b
	return &q
}
