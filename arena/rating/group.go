package rating

import (
	"slices"
	"strings"
)

// Played is what was played between two players in fixed seats: games and,
// where they were counted, pairs of games in which the seats kept their roles
// and the players changed.
type Played struct {
	Players [2]string // by seat
	Roles   [2]string // by seat; "" where the game has none
	Opening string    // as tables name it; "" for the standard position
	Games   WDL       // from the first seat's view
	Pairs   Penta     // likewise; finished pairs among Games, zero where not counted
}

// Side is one seat of a Played: 0 the first, 1 the second.
type Side int

// Other is the opponent.
func (s Side) Other() Side { return 1 - s }

// Group is what one name (a role, a match-up, a seat, an opening) achieved.
type Group struct {
	Name    string  `json:"name"`
	Games   WDL     `json:"games"`
	Pairs   Penta   `json:"pairs"`
	Summary Summary `json:"summary"`
}

// Key names the group of a side of p; ok is false where it belongs to none.
type Key func(p Played, side Side) (name string, ok bool)

// By adds up both sides of every row under the names of key and summarises
// each group, sorted by name. Where all games of a group are in pairs, these
// are the unit of its errors.
func By(rows []Played, key Key) []Group {
	groups := map[string]*Group{}
	for _, p := range rows {
		for side := Side(0); side < 2; side++ {
			name, ok := key(p, side)
			if !ok {
				continue
			}
			g := groups[name]
			if g == nil {
				g = &Group{Name: name}
				groups[name] = g
			}
			games, pairs := p.Games, p.Pairs
			if side == 1 {
				games, pairs = games.Flip(), pairs.Flip()
			}
			g.Games = g.Games.Add(games)
			g.Pairs = g.Pairs.Add(pairs)
		}
	}
	out := make([]Group, 0, len(groups))
	for _, g := range groups {
		if pairs := g.Pairs.Pairs(); pairs > 0 && 2*pairs == g.Games.Games() {
			g.Summary = OfPairs(g.Pairs)
		} else {
			g.Summary = OfGames(g.Games)
		}
		out = append(out, *g)
	}
	slices.SortFunc(out, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// ByRole is each role's record against other roles; a role against itself
// says nothing about it.
func ByRole(rows []Played) []Group {
	return By(rows, func(p Played, side Side) (string, bool) {
		return p.Roles[side], p.Roles[0] != p.Roles[1]
	})
}

// Separator stands between the two names of a match-up.
const Separator = " - "

// ByMatchup is the record of each pair of roles, from the view of the role
// that sorts first; of a role against itself, from the first seat's view.
func ByMatchup(rows []Played) []Group {
	return By(rows, func(p Played, side Side) (string, bool) {
		a, b := p.Roles[side], p.Roles[side.Other()]
		return a + Separator + b, a < b || a == b && side == 0
	})
}

// ByPlayerRole is each player's record with each role, as "player - role".
func ByPlayerRole(rows []Played) []Group {
	return By(rows, func(p Played, side Side) (string, bool) {
		return p.Players[side] + Separator + p.Roles[side], p.Roles[side] != ""
	})
}

// BySeat is each player's record in each seat, as "player - first" and
// "player - second".
func BySeat(rows []Played) []Group {
	return By(rows, func(p Played, side Side) (string, bool) {
		return p.Players[side] + Separator + [2]string{"first", "second"}[side], true
	})
}

// ByOpening is the first seat's record from each opening.
func ByOpening(rows []Played) []Group {
	return By(rows, func(p Played, side Side) (string, bool) { return p.Opening, side == 0 })
}

// FirstSeat is the advantage of moving first: the first seat's record over all
// games.
func FirstSeat(rows []Played) Summary {
	all := By(rows, func(_ Played, side Side) (string, bool) { return "", side == 0 })
	if len(all) == 0 {
		return OfGames(WDL{})
	}
	return all[0].Summary
}

// RoleResults are rows as results between roles, for Fit: the joint rating of
// the roles. Games of a role against itself are left out.
func RoleResults(rows []Played) []Result {
	return results(rows, func(p Played) [2]string { return p.Roles })
}

// PlayerResults are rows as results between players, for Fit. Pairs of a
// Played are those of its seats, not of its players, so games count as
// independent here; a tally of the players' own pairs is the better source.
func PlayerResults(rows []Played) []Result {
	out := results(rows, func(p Played) [2]string { return p.Players })
	for i := range out {
		out[i].Pairs = Penta{}
	}
	return out
}

// results adds rows up by the two names, sorted.
func results(rows []Played, names func(Played) [2]string) []Result {
	sums := map[[2]string]Result{}
	for _, p := range rows {
		n := names(p)
		if n[0] == n[1] || n[0] == "" || n[1] == "" {
			continue
		}
		games, pairs := p.Games, p.Pairs
		if n[0] > n[1] {
			n[0], n[1] = n[1], n[0]
			games, pairs = games.Flip(), pairs.Flip()
		}
		r := sums[n]
		r.A, r.B = n[0], n[1]
		r.Games, r.Pairs = r.Games.Add(games), r.Pairs.Add(pairs)
		sums[n] = r
	}
	out := make([]Result, 0, len(sums))
	for _, r := range sums {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Result) int {
		if c := strings.Compare(a.A, b.A); c != 0 {
			return c
		}
		return strings.Compare(a.B, b.B)
	})
	return out
}
