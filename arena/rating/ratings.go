package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Meeting is what two players did against each other, from A's view. Rows of
// the same two players add up.
type Meeting struct {
	A, B string
	Counts
}

// Options of a fit.
type Options struct {
	// Anchors have fixed ratings. Without them the mean is 0.
	Anchors map[string]float64
	// Prior asks for the prior also where the fit is finite without it.
	Prior bool
}

// Rating is one line of a table. Nil fields are undefined; a Caveat of the
// table says why.
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

	// The two marginal errors of the rating, 95 %, half the width: from the
	// model's information, and from the variance that was observed. The bounds
	// are made of the second one; with a prior, of the first.
	Fisher   *float64 `json:"-"`
	Sandwich *float64 `json:"-"`
}

// Ratings is the joint rating of many players.
type Ratings struct {
	Players []Rating // in the order of first appearance
	Prior   bool     // virtual draws were added; Elo 0 is then a fixed player
	Caveats []Caveat

	place  map[string]int // in Players
	units  []units        // by place in Players
	rated  []int          // place in the fit, -1 for none
	rating []float64
	cov    matrix // covariance behind the bounds, in Elo²
}

// LOS is the probability that player i is stronger than player j, by their
// places in Players; undefined for a player against itself, without games, or
// where the errors are 0.
func (t *Ratings) LOS(i, j int) (los float64, ok bool) {
	a, b := t.rated[i], t.rated[j]
	if a < 0 || b < 0 || a == b {
		return 0, false
	}
	variance := t.cov.at(a, a) + t.cov.at(b, b) - 2*t.cov.at(a, b)
	if !(variance > 1e-12) {
		return 0, false
	}
	return normal((t.rating[a] - t.rating[b]) / math.Sqrt(variance)), true
}

// Difference is how many Elo player i is above player j, with its 95 % error;
// ok as for LOS.
func (t *Ratings) Difference(i, j int) (elo, err float64, ok bool) {
	if _, ok = t.LOS(i, j); !ok {
		return 0, 0, false
	}
	a, b := t.rated[i], t.rated[j]
	variance := t.cov.at(a, a) + t.cov.at(b, b) - 2*t.cov.at(a, b)
	return t.rating[a] - t.rating[b], z95 * math.Sqrt(variance), true
}

// Find is the place of a player in Players.
func (t *Ratings) Find(name string) (int, bool) {
	i, ok := t.place[name]
	return i, ok
}

// edge is all games of one pairing, by places in the fit, a < b.
type edge struct {
	a, b     int
	n        float64 // games
	units    float64 // games in units
	points   float64 // of a, in all games
	variance float64 // of them, as observed
}

// edgeOf makes the edge of a pairing that has games. The variance is that of
// the units, scaled to all games: the games of unfinished pairs make the error
// no smaller. Without units it is the largest that such games can have.
func edgeOf(a, b int, c Counts) (edge, units) {
	u := unitsOf(c.Pairs, c.Singles)
	e := edge{a: a, b: b, n: float64(c.Games.Games()), units: u.games, points: c.Games.Points()}
	if u.games > 0 {
		e.variance = u.squares * (e.n / u.games) * (e.n / u.games)
	} else {
		e.variance = e.n / 4
	}
	return e, u
}

func (e edge) flipped() edge {
	e.a, e.b, e.points = e.b, e.a, e.n-e.points
	return e
}

// check refuses rows that are no results.
func (r Meeting) check() error {
	if r.A == r.B {
		return fmt.Errorf("%q plays against itself", r.A)
	}
	if err := r.Counts.Check(); err != nil {
		return fmt.Errorf("%s - %s: %w", r.A, r.B, err)
	}
	return nil
}

// Ranking is the places in Players from the strongest to the weakest; those
// without a rating come last, ties in order of name.
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
