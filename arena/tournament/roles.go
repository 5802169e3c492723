package tournament

import (
	"cmp"
	"math"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// byRoles orders by the first role, then the second.
func byRoles(a, b [2]string) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// seated adds up the rows by the roles of the first and the second seat, from the first
// seat's view, in order of role. Games without roles have two empty names.
func seated(rows []arena.Row) (all tallies, engines map[[2]string]map[string]rating.WDL) {
	engines = map[[2]string]map[string]rating.WDL{}
	for i := range rows {
		row := &rows[i]
		t := row.Tally
		if row.Leg == 1 { // the pairing's second engine had the first seat
			t = t.Swapped()
		}
		t.Pairs = t.SeatPairs
		all.add(row.Roles, &t)
		if engines[row.Roles] == nil {
			engines[row.Roles] = map[string]rating.WDL{}
		}
		if met := engines[row.Roles]; row.Pairing[0] != row.Pairing[1] {
			met[row.Pairing[0]] = met[row.Pairing[0]].Add(row.Games)
			met[row.Pairing[1]] = met[row.Pairing[1]].Add(row.Games.Flip())
		}
	}
	slices.SortFunc(all.list, func(a, b *meeting) int { return byRoles(a.names, b.names) })
	return all, engines
}

// roles fills in the first seat's score, the roles, their match-ups and their matrix.
func (r *rater) roles() {
	seats, engines := seated(r.sum.Rows)
	var first rating.Counts
	var both tallies // of the roles that met in both seats, the lesser name first
	var list []*total
	totals := map[string]*total{}
	for _, m := range seats.list {
		first = first.Add(m.Counts)
		if m.names == ([2]string{}) {
			continue
		}
		for seat, name := range m.names {
			if totals[name] == nil {
				totals[name] = &total{name: name}
				list = append(list, totals[name])
			}
			one := m.Tally
			if m.names[0] == m.names[1] { // no score of a role against others
				one.Counts, one.Plies = rating.Counts{}, 0
			}
			totals[name].add(&one, seat, seat)
		}
		row := arena.MatchupRow{Roles: m.names, Score: r.cell(m.Counts), Engines: []arena.EngineScore{}, MeanPlies: meanPlies(&m.Tally)}
		for _, e := range r.figures.Engines { // by rank
			if own, ok := engines[m.names][e.Name]; ok {
				row.Engines = append(row.Engines, arena.EngineScore{Name: e.Name, WDL: own, Score: fraction(own)})
			}
		}
		r.figures.Matchups = append(r.figures.Matchups, row)
		if m.names[0] <= m.names[1] {
			both.add(m.names, &m.Tally)
		} else {
			back := m.Swapped()
			both.add([2]string{m.names[1], m.names[0]}, &back)
		}
	}
	r.figures.FirstSeat = r.cell(first)
	if len(list) == 0 {
		return
	}
	slices.SortFunc(both.list, func(a, b *meeting) int { return byRoles(a.names, b.names) })
	slices.SortFunc(list, func(a, b *total) int { return cmp.Compare(a.name, b.name) })
	ranked(r.fit("roles: ", both.list, nil), list)
	for _, t := range list {
		r.role(t)
	}
	r.matrix(&seats, both.list)
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
func (r *rater) matrix(seats *tallies, both []*meeting) {
	if len(r.figures.Roles) < 2 {
		return
	}
	rank := map[string]int{}
	for i, role := range r.figures.Roles {
		rank[role.Name] = i
	}
	add := func(names [2]string, t arena.Tally) {
		s := r.cell(t.Counts)
		c := arena.MatrixCell{
			Row: names[0], Col: names[1], Games: s.Games, Score: s.Score, Lo: s.BoundLo, Hi: s.BoundHi, MeanPlies: meanPlies(&t),
		}
		if m := seats.at[names]; m != nil {
			c.FirstScore = fraction(m.Games)
		}
		r.figures.Matrix = append(r.figures.Matrix, c)
	}
	for _, m := range both {
		if add(m.names, m.Tally); m.names[0] != m.names[1] {
			add([2]string{m.names[1], m.names[0]}, m.Swapped())
		}
	}
	slices.SortFunc(r.figures.Matrix, func(x, y arena.MatrixCell) int {
		return cmp.Or(cmp.Compare(rank[x.Row], rank[y.Row]), cmp.Compare(rank[x.Col], rank[y.Col]))
	})
}
