package rating

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// Meeting is the counts of games between two players, from A's view. Several
// meetings of the same players are added.
type Meeting struct {
	A, B string
	Counts
}

// Options of a fit.
type Options struct {
	// Anchors have fixed ratings. Without them the mean is 0.
	Anchors map[string]float64
	// Prior adds virtual draws even if the ratings are finite without them.
	Prior bool
}

// Rating is the rating of one player. Nil fields are undefined, and a Caveat of
// the Ratings says why.
type Rating struct {
	Name       string   `json:"name"`
	Elo        *float64 `json:"elo"`
	EloLo      *float64 `json:"elo_lo"`
	EloHi      *float64 `json:"elo_hi"`
	Games      int64    `json:"games"`
	Points     float64  `json:"points"`
	Score      *float64 `json:"score"`       // a fraction
	ScoreError *float64 `json:"score_error"` // 95 %, half the width
	BoundLo    *float64 `json:"bound_lo"`    // Wilson interval of the score
	BoundHi    *float64 `json:"bound_hi"`
}

// Ratings is the joint rating of many players.
type Ratings struct {
	Players []Rating // in the order of first appearance
	Prior   bool     // virtual draws were added; Elo 0 is then a fixed player
	Caveats []Caveat

	place  map[string]int // in Players
	units  []units        // by place in Players
	rated  []int          // place in the fit, -1 for none
	joint  joint
	direct *Estimate // if two players alone have games: of the first one in the fit
}

// LOS returns the probability that player i is stronger than player j, by their
// places in Players. It is undefined for a player against itself or without
// games, and if nothing is known about the difference.
func (t *Ratings) LOS(i, j int) (los float64, ok bool) {
	a, b := t.rated[i], t.rated[j]
	if a < 0 || b < 0 || a == b {
		return 0, false
	}
	if t.direct != nil {
		if t.direct.LOS == nil {
			return 0, false
		}
		if los = *t.direct.LOS; a > b {
			los = 1 - los
		}
		return los, true
	}
	d, ok := t.joint.difference(a, b)
	return student(d.elo/d.error, d.freedom), ok
}

// Difference returns the Elo of player i above player j, with its 95 % bounds. It
// is undefined for a player against itself or without games.
func (t *Ratings) Difference(i, j int) (elo float64, lo, hi *float64, ok bool) {
	a, b := t.rated[i], t.rated[j]
	if a < 0 || b < 0 || a == b {
		return 0, nil, nil, false
	}
	d, ok := t.joint.difference(a, b)
	lo, hi = d.bounds()
	if t.direct != nil {
		lo, hi = t.between(a, 1)
	}
	return d.elo, lo, hi, ok
}

// between returns the bounds of the rating of a player above the only other one, as a
// share of those of their games.
func (t *Ratings) between(a int, share float64) (lo, hi *float64) {
	lo, hi = t.direct.EloBounds()
	scaled := func(x *float64, by float64) *float64 {
		if x == nil {
			return nil
		}
		return finite(*x * by)
	}
	if a == 1 {
		return scaled(hi, -share), scaled(lo, -share)
	}
	return scaled(lo, share), scaled(hi, share)
}

// Find returns the place of a player in Players.
func (t *Ratings) Find(name string) (int, bool) {
	i, ok := t.place[name]
	return i, ok
}

// Equal reports whether both have the same players and ratings.
func (t *Ratings) Equal(o *Ratings) bool { return reflect.DeepEqual(t, o) }

// edge is all games of one pairing. a and b are places in the fit, a < b.
type edge struct {
	a, b   int
	n      float64 // games
	points float64 // of a, in all games
	units  units
}

func (e edge) flipped() edge {
	e.a, e.b, e.points = e.b, e.a, e.n-e.points
	return e
}

// check refuses impossible results.
func (r Meeting) check() error {
	if r.A == r.B {
		return fmt.Errorf("%q plays against itself", r.A)
	}
	if err := r.Counts.Check(); err != nil {
		return fmt.Errorf("%s - %s: %w", r.A, r.B, err)
	}
	return nil
}

// Ranking returns the places in Players from the strongest to the weakest. Players
// without a rating come last, and ties are in order of name.
func (t *Ratings) Ranking() []int {
	order := make([]int, len(t.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := t.Players[i], t.Players[j]
		switch {
		case a.Elo == nil && b.Elo == nil:
			return strings.Compare(a.Name, b.Name)
		case a.Elo == nil:
			return 1
		case b.Elo == nil:
			return -1
		}
		// Equal results can differ in the last digit.
		if d := *b.Elo - *a.Elo; math.Abs(d) > 1e-9 {
			return cmp.Compare(d, 0)
		}
		return strings.Compare(a.Name, b.Name)
	})
	return order
}
