package tournament

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// seated adds up the rows by the roles of the first and the second seat, from the first
// seat's view, and what each engine made of them in either seat. Games without roles have two
// empty names.
func seated(rows []arena.Row) (all tallies, engines byKey[[3]string, rating.WDL]) {
	all, engines = tallies{byKey[[2]string, meeting]{}}, byKey[[3]string, rating.WDL]{}
	for i := range rows {
		row := &rows[i]
		t := row.Tally
		if row.Leg == 1 { // the pairing's second engine had the first seat
			t = t.Swapped()
		}
		t.Pairs = t.SeatPairs
		all.add(row.Roles, &t)
		for side, games := range [2]rating.WDL{row.Games, row.Games.Flip()} {
			if own := engines.of([3]string{row.Pairing[side], row.Roles[0], row.Roles[1]}); row.Pairing[0] != row.Pairing[1] {
				*own = own.Add(games)
			}
		}
	}
	return all, engines
}

// roles fills in the first seat's score, the roles, their match-ups and their matrix.
func (r *rater) roles() {
	var first rating.Counts
	seats, engines := seated(r.sum.Rows)
	totals := byKey[string, total]{}
	both := tallies{byKey[[2]string, meeting]{}} // of the roles that met in both seats, the lesser name first
	for _, m := range seats.list() {
		first = first.Add(m.Counts)
		if m.names == ([2]string{}) {
			continue
		}
		for seat, name := range m.names {
			one := m.Tally
			if m.names[0] == m.names[1] { // no score of a role against others
				one.Counts, one.Plies = rating.Counts{}, 0
			}
			totals.of(name).name = name
			totals.of(name).add(&one, seat, seat)
		}
		row := arena.MatchupRow{Roles: m.names, Score: r.cell(m.Counts), Engines: []arena.EngineScore{}, MeanPlies: meanPlies(&m.Tally)}
		for _, e := range r.figures.Engines { // by rank
			if own := engines[[3]string{e.Name, m.names[0], m.names[1]}]; own != nil && own.Games() > 0 {
				row.Engines = append(row.Engines, arena.EngineScore{Name: e.Name, WDL: *own, Score: fraction(*own)})
			}
		}
		r.figures.Matchups = append(r.figures.Matchups, row)
		names, tally := m.names, m.Tally
		if names[0] > names[1] {
			names, tally = [2]string{names[1], names[0]}, m.Swapped()
		}
		both.add(names, &tally)
	}
	r.figures.FirstSeat = r.cell(first)
	if len(totals) == 0 {
		return
	}
	list := slices.SortedFunc(maps.Values(totals), func(a, b *total) int { return cmp.Compare(a.name, b.name) })
	ranked(r.fit("roles: ", both.list(), nil), list)
	for _, t := range list {
		r.role(t)
	}
	r.matrix(seats, both)
}

func (r *rater) role(t *total) {
	row := arena.RoleRow{
		Rank: len(r.figures.Roles) + 1, Name: t.name, Score: r.cell(t.Counts),
		FirstScore: fraction(t.seats[0].Games), SecondScore: fraction(t.seats[1].Games),
		MeanPlies: meanPlies(&t.Tally), Averages: averages(&t.Sides[0]),
	}
	a, b := t.seats[0].Estimate().Cell(), t.seats[1].Estimate().Cell()
	if r.rated && a.Score != nil && b.Score != nil {
		// The first seat adds half of it, the second takes it. The error is that of two
		// Wilson intervals (Newcombe 1998).
		half, e := (*a.Score-*b.Score)/2, math.Hypot(*a.ScoreError, *b.ScoreError)/2
		row.Advantage, row.AdvantageE = &half, &e
	}
	row.Elo, row.EloLo, row.EloHi, row.LOS = nil, nil, nil, nil
	if p := t.elo; p != nil {
		row.Elo, row.EloLo, row.EloHi = p.Elo, p.EloLo, p.EloHi
	}
	r.figures.Roles = append(r.figures.Roles, row)
}

// matrix fills in the cells of all pairs of roles that met, ordered by rank.
func (r *rater) matrix(seats, both tallies) {
	if len(r.figures.Roles) < 2 {
		return
	}
	for _, row := range r.figures.Roles {
		for _, col := range r.figures.Roles {
			names := [2]string{row.Name, col.Name}
			m := both.byKey[[2]string{min(row.Name, col.Name), max(row.Name, col.Name)}]
			if m == nil {
				continue
			}
			t := m.Tally
			if row.Name > col.Name {
				t = m.Swapped()
			}
			s := r.cell(t.Counts)
			c := arena.MatrixCell{
				Row: row.Name, Col: col.Name, Games: s.Games, Score: s.Score, Lo: s.BoundLo, Hi: s.BoundHi, MeanPlies: meanPlies(&t),
			}
			if seat := seats.byKey[names]; seat != nil {
				c.FirstScore = fraction(seat.Games)
			}
			r.figures.Matrix = append(r.figures.Matrix, c)
		}
	}
}
