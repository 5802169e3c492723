package report

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

// meeting is all games between two roles in fixed seats.
type meeting struct {
	counts  rating.Counts // from the first seat's view
	plies   int64
	sides   [2]arena.Effort // by seat
	engines map[string]rating.WDL
}

// meetings adds up the rows by the roles of the first and the second seat.
// Games without roles have two empty names.
func meetings(sum *arena.Summary) map[[2]string]*meeting {
	all := map[[2]string]*meeting{}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		m := all[row.Roles]
		if m == nil {
			m = &meeting{engines: map[string]rating.WDL{}}
			all[row.Roles] = m
		}
		m.add(row)
	}
	return all
}

func (m *meeting) add(row *arena.Row) {
	if row.Pairing[0] != row.Pairing[1] {
		games := wdl(row.Games)
		m.engines[row.Pairing[0]] = m.engines[row.Pairing[0]].Add(games)
		m.engines[row.Pairing[1]] = m.engines[row.Pairing[1]].Add(games.Flip())
	}
	t := row.Tally
	if row.Leg%2 == 1 { // the pairing's second engine had the first seat
		t = t.Swapped()
	}
	m.counts = m.counts.Add(rating.Counts{Games: wdl(t.Games), Pairs: penta(t.SeatPairs), Singles: wdl(t.Singles)})
	m.plies += t.Plies
	for seat := range m.sides {
		m.sides[seat].Add(&t.Sides[seat])
	}
}

// duel is all games between two roles in both seats, from A's view. If A and B
// are the same role, it is from the first seat's view.
type duel struct {
	rating.Meeting
	plies int64
}

// duels returns the duels of all roles that met, with A before B.
func duels(meetings map[[2]string]*meeting) []duel {
	var out []duel
	for roles, m := range meetings {
		a, b := roles[0], roles[1]
		d := duel{rating.Meeting{A: a, B: b, Counts: m.counts}, m.plies}
		if back := meetings[[2]string{b, a}]; back != nil && a != b {
			if a > b {
				continue // counted with back
			}
			d.Counts, d.plies = d.Counts.Add(back.counts.Flip()), d.plies+back.plies
		} else if a > b {
			d = d.flip()
		}
		if roles != ([2]string{}) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(x, y duel) int { return slices.Compare([]string{x.A, x.B}, []string{y.A, y.B}) })
	return out
}

func (d duel) flip() duel {
	d.A, d.B, d.Counts = d.B, d.A, d.Counts.Flip()
	return d
}

// roleResults returns the duels that rate the roles: all but those of a role
// against itself.
func roleResults(duels []duel) []rating.Meeting {
	var out []rating.Meeting
	for _, d := range duels {
		if d.A != d.B {
			out = append(out, d.Meeting)
		}
	}
	return out
}

// roles fills in the first seat's score, the roles and their match-ups.
func (r *Report) roles(sum *arena.Summary) error {
	met := meetings(sum)
	totals := map[string]*roleTotal{}
	var all rating.Counts
	for roles, m := range met {
		all = all.Add(m.counts)
		if roles == ([2]string{}) {
			continue
		}
		for seat, name := range roles {
			if totals[name] == nil {
				totals[name] = &roleTotal{}
			}
			totals[name].add(m, seat, roles[0] != roles[1])
		}
		r.Matchups = append(r.Matchups, r.matchup(roles, m))
	}
	r.FirstSeat = scoreOf(all, all.Estimate())
	slices.SortFunc(r.Matchups, func(a, b MatchupRow) int { return slices.Compare(a.Roles[:], b.Roles[:]) })
	if len(totals) == 0 {
		return nil
	}
	between := duels(met)
	if err := r.rankRoles(between, totals); err != nil {
		return fmt.Errorf("report of run %s: roles: %w", sum.Run.Name, err)
	}
	r.matrix(met, between)
	return nil
}

// roleTotal is the sum of one role's games.
type roleTotal struct {
	seats  [2]rating.Counts // against other roles, from this role's view
	effort arena.Effort
	plies  int64
	games  int64
}

func (t *roleTotal) add(m *meeting, seat int, others bool) {
	t.effort.Add(&m.sides[seat])
	t.plies += m.plies
	t.games += m.counts.Games.Games()
	if !others {
		return
	}
	counts := m.counts
	if seat == 1 {
		counts = counts.Flip()
	}
	t.seats[seat] = t.seats[seat].Add(counts)
}

func (r *Report) rankRoles(duels []duel, totals map[string]*roleTotal) error {
	table, err := rating.Fit(roleResults(duels), rating.Options{})
	if err != nil {
		return err
	}
	r.warnRating("roles: ", table.Caveats)
	add := func(name string, p *rating.Rating) {
		t := totals[name]
		counts := t.seats[0].Add(t.seats[1])
		first, second := t.seats[0].Estimate(), t.seats[1].Estimate()
		role := RoleRow{
			Rank: len(r.Roles) + 1, Name: name, Score: scoreOf(counts, counts.Estimate()), Averages: averagesOf(&t.effort),
			FirstScore: first.Score, SecondScore: second.Score, MeanPlies: ratio(float64(t.plies), float64(t.games)),
		}
		role.Advantage, role.AdvantageE = advantage(first, second)
		role.Elo, role.EloLo, role.EloHi, role.LOS = nil, nil, nil, nil
		if p != nil {
			role.Elo, role.EloLo, role.EloHi = p.Elo, p.EloLo, p.EloHi
		}
		r.Roles = append(r.Roles, role)
		delete(totals, name)
	}
	for _, i := range table.Ranking() {
		add(table.Players[i].Name, &table.Players[i])
	}
	for _, name := range slices.Sorted(maps.Keys(totals)) { // played only against themselves
		add(name, nil)
	}
	return nil
}

// advantage returns how much the first seat adds to a score and the second seat
// takes from it, which is half the difference, with its 95 % error.
func advantage(first, second rating.Estimate) (value, bounds *float64) {
	if first.Score == nil || second.Score == nil {
		return nil, nil
	}
	half := (*first.Score - *second.Score) / 2
	e := z95 * math.Hypot(deviation(first), deviation(second)) / 2
	return &half, &e
}

func (r *Report) matchup(roles [2]string, m *meeting) MatchupRow {
	out := MatchupRow{
		Roles: roles, Score: scoreOf(m.counts, m.counts.Estimate()),
		MeanPlies: ratio(float64(m.plies), float64(m.counts.Games.Games())), Engines: []EngineScore{},
	}
	for _, e := range r.Engines { // by rank
		if own, ok := m.engines[e.Name]; ok {
			out.Engines = append(out.Engines, EngineScore{Name: e.Name, WDL: own, Score: fraction(own)})
		}
	}
	return out
}
