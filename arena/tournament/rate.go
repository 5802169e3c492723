package tournament

import (
	"cmp"
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
	sum.Ratings = nil
	f.Engines, f.Pairings, f.Roles = []arena.EngineRow{}, []arena.PairingRow{}, []arena.RoleRow{}
	f.Matchups, f.Matrix = []arena.MatchupRow{}, []arena.MatrixCell{}
	r.engines()
	r.pairings()
	r.roles()
}

// rater fills in the figures of a summary.
type rater struct {
	sum     *arena.Summary
	figures *arena.Figures
	rated   bool
}

// engines rates the engines jointly and fills in the ranking.
func (r *rater) engines() {
	totals := map[string]*engineTotal{}
	var names []string
	for i := range r.sum.Engines {
		e := &r.sum.Engines[i]
		totals[e.Name] = &engineTotal{spec: e}
		if !slices.ContainsFunc(r.sum.Dead, func(d arena.Dead) bool { return d.Engine == e.Name }) {
			names = append(names, e.Name)
		}
	}
	for i := range r.sum.Rows {
		row := &r.sum.Rows[i]
		for side, name := range row.Pairing {
			totals[name].add(row, side)
		}
	}
	r.sum.Ratings = r.fit("", meetings(r.sum.Rows), anchors(r.sum.Engines))
	games := func(name string) rating.WDL { return totals[name].tally.Games }
	r.ranked(r.sum.Ratings, names, games, func(name string, p *rating.Rating) { r.engine(totals[name], p) })
}

// fit rates players jointly; nil if the run is unrated. about begins its warnings.
func (r *rater) fit(about string, met []rating.Meeting, anchors map[string]float64) *rating.Ratings {
	if !r.rated {
		return nil
	}
	table, err := rating.Fit(met, anchors)
	if err != nil {
		r.sum.Warnings = append(r.sum.Warnings, arena.Warningf(arena.WarnRating, 0, "%sno rating: %v", about, err))
		return nil
	}
	for _, w := range table.Caveats {
		r.sum.Warnings = append(r.sum.Warnings, arena.Warning{Kind: arena.WarnRating, Text: about + w})
	}
	return table
}

// ranked calls each with the names by rating, or, without ratings, by score.
// Those that did not play others come last.
func (r *rater) ranked(
	table *rating.Ratings, names []string, games func(string) rating.WDL, each func(string, *rating.Rating),
) {
	if table == nil {
		rest := slices.Clone(names)
		slices.SortStableFunc(rest, func(a, b string) int {
			x, y := games(a), games(b)
			return cmp.Compare(y.Points()*float64(max(x.Games(), 1)), x.Points()*float64(max(y.Games(), 1)))
		})
		for _, name := range rest {
			each(name, nil)
		}
		return
	}
	for _, i := range table.Ranking() {
		each(table.Players[i].Name, &table.Players[i])
	}
	for _, name := range names {
		if _, ok := table.Find(name); !ok {
			each(name, nil)
		}
	}
}

// meetings returns the games of all pairings, without those of an engine against itself:
// they say nothing about its strength, only about roles and seats.
func meetings(rows []arena.Row) []rating.Meeting {
	var out []rating.Meeting
	for _, p := range pairings(rows) {
		out = append(out, rating.Meeting{A: p.engines[0], B: p.engines[1], Counts: p.Counts})
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

// pairing is all games of two engines.
type pairing struct {
	engines [2]string
	arena.Tally
}

func pairings(rows []arena.Row) []pairing {
	var out []pairing
	at := map[[2]string]int{}
	for i := range rows {
		row := &rows[i]
		if row.Total() == 0 || row.Pairing[0] == row.Pairing[1] { // both were at fault; or there is one engine
			continue
		}
		k, ok := at[row.Pairing]
		if !ok {
			k = len(out)
			at[row.Pairing] = k
			out = append(out, pairing{engines: row.Pairing})
		}
		out[k].Add(&row.Tally)
	}
	return out
}

// engineTotal is the sum of one engine's rows.
type engineTotal struct {
	spec  *arena.EngineSpec
	tally arena.Tally // from its view: Sides[0] is this engine
	seats [2]rating.WDL
}

func (t *engineTotal) add(row *arena.Row, side int) {
	tally := row.Tally
	if side == 1 {
		tally = tally.Swapped()
		if row.Pairing[0] == row.Pairing[1] { // its games are counted already
			t.tally.Sides[0].Add(&tally.Sides[0])
			return
		}
	}
	t.tally.Add(&tally)
	seat := (side + row.Leg) % 2
	t.seats[seat] = t.seats[seat].Add(tally.Games)
}

func (r *rater) engine(t *engineTotal, p *rating.Rating) {
	s := arena.EngineRow{
		Rank: len(r.figures.Engines) + 1, Name: t.spec.Name, Score: scoreOf(t.tally.Counts, true),
		First: t.seats[0], Second: t.seats[1],
		Averages: averages(&t.tally.Sides[0]), Faults: t.tally.Sides[0].Failed,
		Own:        own(&t.tally),
		CPULimited: r.sum.Run.Plan.Limit.With(t.spec.Limit).CPU > 0,
		Command:    orEmpty(t.spec.Command), Options: map[string]string{}, Binary: t.spec.Binary,
	}
	for _, o := range t.spec.Options {
		s.Options[o.Name] = o.Value
	}
	if p != nil {
		s.Elo, s.EloLo, s.EloHi = p.Elo, p.EloLo, p.EloHi
		s.ScoreError, s.BoundLo, s.BoundHi = p.ScoreError, p.BoundLo, p.BoundHi
	}
	r.figures.Engines = append(r.figures.Engines, s)
}

// pairings fills in the pairings.
func (r *rater) pairings() {
	for _, p := range pairings(r.sum.Rows) {
		row := arena.PairingRow{
			Engines: p.engines, Score: scoreOf(p.Counts, true), MeanPlies: ratio(float64(p.Plies), float64(p.Total())),
			Own: own(&p.Tally), Warnings: []string{},
		}
		if r.rated {
			s := p.Estimate()
			row.Score = estimated(row.Score, s)
			row.Nelo, row.NeloError, row.Warnings = s.Nelo, s.NeloError, s.Caveats
			row.DrawRatio, row.PairsRatio = s.DrawRatio, s.PairsRatio
		}
		r.figures.Pairings = append(r.figures.Pairings, row)
	}
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
	s := arena.Score{Games: c.Games.Games(), WDL: c.Games, Score: fraction(c.Games)}
	if units {
		if s.Half = c.Half(); c.Pairs != (rating.Penta{}) {
			s.Pairs = &c.Pairs
		}
	}
	return s
}

// estimated adds to a score what follows from it.
func estimated(s arena.Score, e rating.Estimate) arena.Score {
	s.ScoreError, s.BoundLo, s.BoundHi = e.ScoreError, e.BoundLo, e.BoundHi
	s.Elo, s.EloLo, s.EloHi, s.LOS = e.Elo, e.EloLo, e.EloHi, e.LOS
	return s
}

// Openings returns the scores of the first seat from each opening.
func Openings(rows []arena.OpeningRow) []arena.OpeningScore {
	r, out := rater{rated: true}, []arena.OpeningScore{}
	for _, row := range rows {
		games := rating.WDL{Wins: int64(row.Games[0]), Draws: int64(row.Games[1]), Losses: int64(row.Games[2])}
		plies := ratio(float64(row.Plies), float64(games.Games()))
		out = append(out, arena.OpeningScore{Start: row.Start, Score: r.cell(rating.Singly(games)), MeanPlies: plies})
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
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	return arena.Averages{
		Moves: e.Moves, Depth: ratio(float64(e.Depth), float64(e.Depths)), NoDepth: ratio(n-float64(e.Depths), n),
		MeanMs: ratio(ms(e.Wall), n), MeanCPUMs: ratio(ms(e.CPU), n), IdleMs: ratio(ms(e.Idle), n),
		MeanNodes: ratio(float64(e.Nodes), n),
	}
}

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

// orEmpty returns a list that is not null in JSON.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
