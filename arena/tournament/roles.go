package tournament

import (
	"cmp"
	"maps"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// seating is all games between two roles in fixed seats, from the first seat's view.
type seating struct {
	rating.Counts
	plies   int64
	sides   [2]arena.Effort // by seat
	engines map[string]rating.WDL
}

// rolesMet adds up the rows by the roles of the first and the second seat.
// Games without roles have two empty names.
func rolesMet(rows []arena.Row) map[[2]string]*seating {
	all := map[[2]string]*seating{}
	for i := range rows {
		row := &rows[i]
		m := all[row.Roles]
		if m == nil {
			m = &seating{engines: map[string]rating.WDL{}}
			all[row.Roles] = m
		}
		m.add(row)
	}
	return all
}

func (m *seating) add(row *arena.Row) {
	if row.Pairing[0] != row.Pairing[1] {
		m.engines[row.Pairing[0]] = m.engines[row.Pairing[0]].Add(row.Games)
		m.engines[row.Pairing[1]] = m.engines[row.Pairing[1]].Add(row.Games.Flip())
	}
	t := row.Tally
	if row.Leg%2 == 1 { // the pairing's second engine had the first seat
		t = t.Swapped()
	}
	m.Counts = m.Add(rating.Counts{Games: t.Games, Pairs: t.SeatPairs, Singles: t.Singles})
	m.plies += t.Plies
	for seat := range m.sides {
		m.sides[seat].Add(&t.Sides[seat])
	}
}

// matchup is all games between two roles in both seats, from A's view. If A and B
// are the same role, it is from the first seat's view.
type matchup struct {
	rating.Meeting
	plies int64
}

// matchups returns the matchups of all roles that met, with A before B.
func matchups(all map[[2]string]*seating) []matchup {
	var out []matchup
	for roles, m := range all {
		a, b := roles[0], roles[1]
		d := matchup{rating.Meeting{A: a, B: b, Counts: m.Counts}, m.plies}
		if back := all[[2]string{b, a}]; back != nil && a != b {
			if a > b {
				continue // counted with back
			}
			d.Counts, d.plies = d.Counts.Add(back.Flip()), d.plies+back.plies
		} else if a > b {
			d = d.flip()
		}
		if roles != ([2]string{}) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(x, y matchup) int { return cmp.Or(cmp.Compare(x.A, y.A), cmp.Compare(x.B, y.B)) })
	return out
}

func (d matchup) flip() matchup {
	d.A, d.B, d.Counts = d.B, d.A, d.Counts.Flip()
	return d
}

// between returns the matchups that rate the roles: all but those of a role
// against itself.
func between(matchups []matchup) []rating.Meeting {
	var out []rating.Meeting
	for _, d := range matchups {
		if d.A != d.B {
			out = append(out, d.Meeting)
		}
	}
	return out
}

// roles fills in the first seat's score, the roles, their match-ups and their matrix.
func (r *rater) roles() {
	all := rolesMet(r.sum.Rows)
	totals := map[string]*roleTotal{}
	var first rating.Counts
	for roles, m := range all {
		first = first.Add(m.Counts)
		if roles == ([2]string{}) {
			continue
		}
		for seat, name := range roles {
			if totals[name] == nil {
				totals[name] = &roleTotal{}
			}
			totals[name].add(m, seat, roles[0] != roles[1])
		}
		r.figures.Matchups = append(r.figures.Matchups, r.matchup(roles, m))
	}
	r.figures.FirstSeat = r.cell(first)
	slices.SortFunc(r.figures.Matchups, func(a, b arena.MatchupRow) int {
		return cmp.Or(cmp.Compare(a.Roles[0], b.Roles[0]), cmp.Compare(a.Roles[1], b.Roles[1]))
	})
	if len(totals) == 0 {
		return
	}
	list := matchups(all)
	table := r.fit("roles: ", between(list), nil)
	r.ranked(table, slices.Sorted(maps.Keys(totals)), func(name string) rating.WDL {
		return totals[name].seats[0].Add(totals[name].seats[1]).Games
	}, func(name string, p *rating.Rating) { r.role(name, totals[name], p) })
	r.matrix(all, list)
}

// roleTotal is the sum of one role's games.
type roleTotal struct {
	seats  [2]rating.Counts // against other roles, from this role's view
	effort arena.Effort
	plies  int64
	games  int64
}

func (t *roleTotal) add(m *seating, seat int, others bool) {
	t.effort.Add(&m.sides[seat])
	t.plies += m.plies
	t.games += m.Games.Games()
	if !others {
		return
	}
	counts := m.Counts
	if seat == 1 {
		counts = counts.Flip()
	}
	t.seats[seat] = t.seats[seat].Add(counts)
}

func (r *rater) role(name string, t *roleTotal, p *rating.Rating) {
	row := arena.RoleRow{
		Rank: len(r.figures.Roles) + 1, Name: name, Score: r.cell(t.seats[0].Add(t.seats[1])),
		FirstScore: fraction(t.seats[0].Games), SecondScore: fraction(t.seats[1].Games),
		MeanPlies: ratio(float64(t.plies), float64(t.games)), Averages: averages(&t.effort),
	}
	if c, ok := rating.ScoreChange(t.seats[1], t.seats[0]); ok && r.rated {
		// The first seat adds half of it, the second takes it.
		half, e := (c.Is-c.Was)/2, c.Error/2
		row.Advantage, row.AdvantageE = &half, &e
	}
	row.Elo, row.EloLo, row.EloHi, row.LOS = nil, nil, nil, nil
	if p != nil {
		row.Elo, row.EloLo, row.EloHi = p.Elo, p.EloLo, p.EloHi
	}
	r.figures.Roles = append(r.figures.Roles, row)
}

func (r *rater) matchup(roles [2]string, m *seating) arena.MatchupRow {
	out := arena.MatchupRow{
		Roles: roles, Score: r.cell(m.Counts), Engines: []arena.EngineScore{},
		MeanPlies: ratio(float64(m.plies), float64(m.Games.Games())),
	}
	for _, e := range r.figures.Engines { // by rank
		if own, ok := m.engines[e.Name]; ok {
			out.Engines = append(out.Engines, arena.EngineScore{Name: e.Name, WDL: own, Score: fraction(own)})
		}
	}
	return out
}

// matrix fills in the cells of all pairs of roles that met, ordered by rank.
func (r *rater) matrix(all map[[2]string]*seating, matchups []matchup) {
	if len(r.figures.Roles) < 2 {
		return
	}
	rank := map[string]int{}
	for i, role := range r.figures.Roles {
		rank[role.Name] = i
	}
	add := func(d matchup) {
		s := r.cell(d.Counts)
		c := arena.MatrixCell{
			Row: d.A, Col: d.B, Games: s.Games, Score: s.Score, Lo: s.BoundLo, Hi: s.BoundHi,
			MeanPlies: ratio(float64(d.plies), float64(s.Games)),
		}
		if m := all[[2]string{d.A, d.B}]; m != nil {
			c.FirstScore = fraction(m.Games)
		}
		r.figures.Matrix = append(r.figures.Matrix, c)
	}
	for _, d := range matchups {
		if add(d); d.A != d.B {
			add(d.flip())
		}
	}
	slices.SortFunc(r.figures.Matrix, func(x, y arena.MatrixCell) int {
		return cmp.Or(cmp.Compare(rank[x.Row], rank[y.Row]), cmp.Compare(rank[x.Col], rank[y.Col]))
	})
}
