package tournament

import (
	"math"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// roles fills in the first seat's score, the roles, their match-ups and their matrix.
func (r *rater) roles() {
	var first rating.Counts
	var seats, totals groups              // seats: by the roles of first and second seat, from the first one's view
	byRoles := map[[3]string]rating.WDL{} // of each engine in either seat, by the same roles
	for _, row := range r.sum.Rows {
		t := row.Tally
		if row.Leg == 1 { // the pairing's second engine had the first seat
			t = t.Swapped()
		}
		t.Pairs = t.SeatPairs
		if first = first.Add(t.Counts); row.Roles == ([2]string{}) || row.Total() == 0 {
			continue
		}
		seats.of(row.Roles).Add(&t)
		totals.share(row.Roles, &t, 0, false)
		for side, games := range [2]rating.WDL{row.Games, row.Games.Flip()} {
			if k := [3]string{row.Pairing[side], row.Roles[0], row.Roles[1]}; row.Pairing[0] != row.Pairing[1] {
				byRoles[k] = byRoles[k].Add(games)
			}
		}
	}
	r.sum.FirstSeat = r.cell(first)
	byName := func(a, b *group) int { return slices.Compare(a.names[:], b.names[:]) }
	slices.SortFunc(seats.list, byName)
	slices.SortFunc(totals.list, byName)
	for _, m := range seats.list {
		row := arena.MatchupRow{Roles: m.names, Score: r.cell(m.Counts), Engines: []arena.EngineScore{}, MeanPlies: meanPlies(&m.Tally)}
		for _, e := range r.sum.Engines { // by rank
			if games := byRoles[[3]string{e.Name, m.names[0], m.names[1]}]; games.Games() > 0 {
				row.Engines = append(row.Engines, arena.EngineScore{Name: e.Name, WDL: games, Score: fraction(games)})
			}
		}
		r.sum.Matchups = append(r.sum.Matchups, row)
	}
	table := r.fit("roles: ", seats.list, nil)
	ranked(table, totals.list)
	for _, t := range totals.list {
		r.role(t, strengthOf(table, t.names[0]))
	}
	r.matrix(&seats)
}

func (r *rater) role(t *group, joint *rating.Estimate) {
	row := arena.RoleRow{
		Rank: len(r.sum.Roles) + 1, Name: t.names[0], Score: r.cell(t.Counts),
		FirstScore: fraction(t.seats[0].Games), SecondScore: fraction(t.seats[1].Games),
		MeanPlies: meanPlies(&t.Tally), Averages: averages(&t.Sides[0]),
	}
	a, b := t.seats[0].Estimate().Cell(), t.seats[1].Estimate().Cell()
	if r.sum.Doubt == nil && a.Score != nil && b.Score != nil {
		// The first seat adds half of it, the second takes it. The error is that of two
		// Wilson intervals (Newcombe 1998).
		half, e := (*a.Score-*b.Score)/2, math.Hypot(*a.ScoreError, *b.ScoreError)/2
		row.Advantage, row.AdvantageE = &half, &e
	}
	row.Elo, row.EloLo, row.EloHi, row.LOS = nil, nil, nil, nil
	if joint != nil {
		row.Elo, row.EloLo, row.EloHi = joint.Elo, joint.EloLo, joint.EloHi
	}
	r.sum.Roles = append(r.sum.Roles, row)
}

// matrix fills in the cells of all pairs of roles that met, ordered by rank.
func (r *rater) matrix(seats *groups) {
	if len(r.sum.Roles) < 2 {
		return
	}
	for _, row := range r.sum.Roles {
		for _, col := range r.sum.Roles {
			var t arena.Tally
			var first *float64
			if m := seats.at[[2]string{row.Name, col.Name}]; m != nil {
				t, first = m.Tally, fraction(m.Games)
			}
			if m := seats.at[[2]string{col.Name, row.Name}]; m != nil && row.Name != col.Name {
				turned := m.Swapped()
				t.Add(&turned)
			}
			if t.Total() == 0 {
				continue
			}
			s := r.cell(t.Counts)
			r.sum.Matrix = append(r.sum.Matrix, arena.MatrixCell{
				Row: row.Name, Col: col.Name, Games: s.Games, Score: s.Score, Lo: s.BoundLo, Hi: s.BoundHi,
				MeanPlies: meanPlies(&t), FirstScore: first,
			})
		}
	}
}
