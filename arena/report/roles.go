package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// played are the rows by seat, as the rating of roles and seats wants them.
// Pairs go with the row that has them: groups add up.
func played(sum *arena.Summary) []rating.Played {
	out := make([]rating.Played, 0, len(sum.Rows))
	for i := range sum.Rows {
		row := &sum.Rows[i]
		games := row.Games
		if row.Leg%2 == 1 { // the pairing's second engine had the first seat
			games[0], games[2] = games[2], games[0]
		}
		out = append(out, rating.Played{Roles: row.Roles, Counts: counts(sum, games, row.SeatPairs)})
	}
	return out
}

// bySeat are a row's games from the first seat's view.
func bySeat(row *arena.Row) [3]int {
	g := row.Games
	if row.Leg%2 == 1 {
		g[0], g[2] = g[2], g[0]
	}
	return g
}

// roles fills the first seat's advantage, the roles and their match-ups.
func (r *Report) roles(sum *arena.Summary) error {
	rows := played(sum)
	var all [3]int
	byName := map[string]*roleTotal{}
	byPair := map[[2]string]*matchTotal{}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		games := bySeat(row)
		for k, n := range games {
			all[k] += n
		}
		if row.Roles == ([2]string{}) {
			continue
		}
		for seat, name := range row.Roles {
			if byName[name] == nil {
				byName[name] = &roleTotal{}
			}
			byName[name].add(row, seat, games)
		}
		if byPair[row.Roles] == nil {
			byPair[row.Roles] = &matchTotal{engines: map[string]*[3]int{}}
		}
		byPair[row.Roles].add(row, games)
	}
	r.FirstSeat = scoreOf(all, rating.FirstSeat(rows))
	if len(byName) == 0 {
		return nil
	}
	if err := r.rankRoles(rows, byName); err != nil {
		return fmt.Errorf("report of run %s: roles: %w", sum.Run.Name, err)
	}
	r.matchups(rows, byPair)
	return nil
}

// roleTotal adds up one role's rows.
type roleTotal struct {
	games, first, second [3]int // against other roles only
	effort               arena.Effort
	plies                int64
	total                int
}

func (t *roleTotal) add(row *arena.Row, seat int, games [3]int) {
	t.effort.Add(&row.Sides[(seat+row.Leg)%2])
	t.plies += row.Plies
	t.total += row.Total()
	if row.Roles[0] == row.Roles[1] {
		return
	}
	into := &t.first
	if seat == 1 {
		games[0], games[2] = games[2], games[0]
		into = &t.second
	}
	for k, n := range games {
		into[k] += n
		t.games[k] += n
	}
}

func (r *Report) rankRoles(rows []rating.Played, totals map[string]*roleTotal) error {
	table, err := rating.Fit(rating.RoleResults(rows), rating.Options{})
	if err != nil {
		return err
	}
	for _, w := range table.Warnings {
		r.Warnings = append(r.Warnings, "roles: "+w.Text)
	}
	groups := map[string]rating.Summary{}
	for _, g := range rating.ByRole(rows) {
		groups[g.Name] = g.Summary
	}
	seats := map[string]rating.Summary{}
	for _, g := range rating.By(rows, func(p rating.Played, side rating.Side) (string, bool) {
		return p.Roles[side] + "\x00" + strconv.Itoa(int(side)), p.Roles[0] != p.Roles[1]
	}) {
		seats[g.Name] = g.Summary
	}
	add := func(name string, p *rating.Player) {
		t := totals[name]
		role := Role{
			Rank: len(r.Roles) + 1, Name: name, Score: scoreOf(t.games, groups[name]), Effort: effortOf(&t.effort),
			FirstScore: fraction(t.first), SecondScore: fraction(t.second), MeanPlies: ratio(float64(t.plies), float64(t.total)),
		}
		role.Advantage, role.AdvantageE = advantage(seats[name+"\x000"], seats[name+"\x001"])
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
	var rest []string
	for name := range totals { // only against itself
		rest = append(rest, name)
	}
	slices.Sort(rest)
	for _, name := range rest {
		add(name, nil)
	}
	return nil
}

// advantage is what the first seat adds to a score, and the second one takes
// from it: half the difference, with its error (95 %).
func advantage(first, second rating.Summary) (value, bounds *float64) {
	if first.Score == nil || second.Score == nil {
		return nil, nil
	}
	half := (*first.Score - *second.Score) / 2
	e := z95 * math.Hypot(deviation(first), deviation(second)) / 2
	return &half, &e
}

// matchTotal adds up one match-up's rows.
type matchTotal struct {
	games   [3]int // first seat's view
	engines map[string]*[3]int
	plies   int64
}

func (t *matchTotal) add(row *arena.Row, games [3]int) {
	t.plies += row.Plies
	for k, n := range games {
		t.games[k] += n
	}
	if row.Pairing[0] == row.Pairing[1] {
		return
	}
	for side, name := range row.Pairing {
		own := row.Games
		if side == 1 {
			own[0], own[2] = own[2], own[0]
		}
		if t.engines[name] == nil {
			t.engines[name] = &[3]int{}
		}
		for k, n := range own {
			t.engines[name][k] += n
		}
	}
}

func (r *Report) matchups(rows []rating.Played, totals map[[2]string]*matchTotal) {
	groups := map[[2]string]rating.Summary{}
	for _, g := range rating.By(rows, func(p rating.Played, side rating.Side) (string, bool) {
		return p.Roles[0] + "\x00" + p.Roles[1], side == 0
	}) {
		first, second, _ := strings.Cut(g.Name, "\x00")
		groups[[2]string{first, second}] = g.Summary
	}
	for roles, t := range totals {
		m := Matchup{
			Roles: roles, Score: scoreOf(t.games, groups[roles]),
			MeanPlies: ratio(float64(t.plies), float64(t.games[0]+t.games[1]+t.games[2])), Engines: []EngineScore{},
		}
		for _, e := range r.Engines { // by rank
			if own := t.engines[e.Name]; own != nil {
				m.Engines = append(m.Engines, EngineScore{Name: e.Name, WDL: wdlOf(*own), Score: fraction(*own)})
			}
		}
		r.Matchups = append(r.Matchups, m)
	}
	slices.SortFunc(r.Matchups, func(a, b Matchup) int { return slices.Compare(a.Roles[:], b.Roles[:]) })
}
