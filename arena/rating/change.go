package rating

import "math"

// Change is the difference between two results of the same kind.
type Change struct {
	Was, Is float64
	Error   float64 // 95 %, half the width
	P       float64 // two-sided p-value
}

// Change returns how the rating of a player changed since an earlier one. Ratings are
// relative: both must be among the same players.
func (t *Ratings) Change(since *Ratings, name string) (c Change, ok bool) {
	is, ok := t.alone(name)
	was, known := since.alone(name)
	if !ok || !known {
		return c, false
	}
	a, b := was.error*was.error, is.error*is.error
	freedom := satterthwaite(a+b, a*a/was.freedom+b*b/is.freedom)
	return changeOf(was.elo, is.elo, math.Sqrt(a+b), freedom), true
}

// alone returns a player's rating with its error.
func (t *Ratings) alone(name string) (d difference, ok bool) {
	i, ok := t.place[name]
	if !ok || t.units[i].n == 0 {
		return d, false
	}
	return t.joint.difference(i, -1)
}

// ScoreChange returns how a score changed. Its error is that of two Wilson intervals
// (Newcombe 1998).
func ScoreChange(was, is Counts) (c Change, ok bool) {
	a, b := was.Estimate().Cell(), is.Estimate().Cell()
	if a.Score == nil || b.Score == nil {
		return c, false
	}
	return changeOf(*a.Score, *b.Score, math.Hypot(*a.ScoreError, *b.ScoreError)/z95, math.Inf(1)), true
}

func changeOf(was, is, deviation, freedom float64) Change {
	c := Change{Was: was, Is: is, Error: T95(freedom) * deviation, P: 1}
	if deviation > 0 {
		c.P = 2 * student(-math.Abs(is-was)/deviation, freedom)
	}
	return c
}
