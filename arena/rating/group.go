package rating

import (
	"cmp"
	"slices"
	"strings"
)

// Played is what was played with two roles in fixed seats, from the first
// seat's view. In its pairs the seats keep their roles and the players change.
// Where a pair's second game has a row of its own, that row has the game and
// this one the pair: groups add up.
type Played struct {
	Roles [2]string // by seat; "" where the game has none
	Counts
}

// Side is one seat of a Played: 0 the first, 1 the second.
type Side int

// Other is the opponent.
func (s Side) Other() Side { return 1 - s }

// Group is what one name (a role, a match-up, a seat) achieved.
type Group struct {
	Name string
	Counts
	Summary Summary
}

// Key names the group of a side of p; ok is false where it belongs to none.
type Key func(p Played, side Side) (name string, ok bool)

// By adds up both sides of every row under the names of key and summarises
// each group, sorted by name.
func By(rows []Played, key Key) []Group {
	sums := map[string]Counts{}
	for _, p := range rows {
		for side, counts := range []Counts{p.Counts, p.Flip()} {
			if name, ok := key(p, Side(side)); ok {
				sums[name] = sums[name].Add(counts)
			}
		}
	}
	out := make([]Group, 0, len(sums))
	for name, c := range sums {
		out = append(out, Group{Name: name, Counts: c, Summary: c.Summary()})
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

// FirstSeat is the advantage of moving first: the first seat's record over all
// games.
func FirstSeat(rows []Played) Summary {
	var all Counts
	for _, p := range rows {
		all = all.Add(p.Counts)
	}
	return all.Summary()
}

// RoleResults are rows as results between roles, for Fit: the joint rating of
// the roles. Games of a role against itself are left out.
func RoleResults(rows []Played) []Result {
	sums := map[[2]string]Counts{}
	for _, p := range rows {
		roles, counts := p.Roles, p.Counts
		if roles[0] == roles[1] || roles[0] == "" || roles[1] == "" {
			continue
		}
		if roles[0] > roles[1] {
			roles[0], roles[1] = roles[1], roles[0]
			counts = counts.Flip()
		}
		sums[roles] = sums[roles].Add(counts)
	}
	out := make([]Result, 0, len(sums))
	for roles, counts := range sums {
		out = append(out, Result{A: roles[0], B: roles[1], Counts: counts})
	}
	slices.SortFunc(out, func(a, b Result) int {
		return cmp.Or(strings.Compare(a.A, b.A), strings.Compare(a.B, b.B))
	})
	return out
}
