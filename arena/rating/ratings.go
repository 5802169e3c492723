package rating

import (
	"cmp"
	"fmt"
	"math"
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

	// Two marginal errors of the rating, half the width of 95 %: from the
	// model's information, and from the observed variance. The bounds use the
	// second one, or the first one with a prior.
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
	cov    matrix // covariance of the ratings for the bounds, in Elo²
}

// LOS returns the probability that player i is stronger than player j, by their
// places in Players. It is undefined for a player against itself or without
// games, and if the errors are 0.
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

// Difference returns the Elo of player i above player j, with its 95 % error. It
// is undefined where LOS is.
func (t *Ratings) Difference(i, j int) (elo, err float64, ok bool) {
	if _, ok = t.LOS(i, j); !ok {
		return 0, 0, false
	}
	a, b := t.rated[i], t.rated[j]
	variance := t.cov.at(a, a) + t.cov.at(b, b) - 2*t.cov.at(a, b)
	return t.rating[a] - t.rating[b], z95 * math.Sqrt(variance), true
}

// Find returns the place of a player in Players.
func (t *Ratings) Find(name string) (int, bool) {
	i, ok := t.place[name]
	return i, ok
}

// edge is all games of one pairing. a and b are places in the fit, a < b.
type edge struct {
	a, b     int
	n        float64 // games
	units    float64 // games in units
	points   float64 // of a, in all games
	variance float64 // of them, as observed
}

// edgeOf returns the edge of a pairing that has games. Its variance is that of the
// units, scaled to all games, so that games of unfinished pairs do not make the
// error smaller. Without units it is the largest possible variance.
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
