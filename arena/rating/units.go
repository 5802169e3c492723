package rating

import "math"

// units are the independent observations behind a score: finished pairs and
// single games.
type units struct {
	n       float64 // observations
	games   float64 // in the observations
	points  float64 // in the observations
	squares float64 // Σ (points of a unit - expected points by the score of all units)²
	weight  float64 // Σ (games of a unit)²
}

func unitsOf(pairs Penta, singles WDL) units {
	p, s := float64(pairs.Pairs()), float64(singles.Games())
	u := units{n: p + s, games: 2*p + s, points: pairs.Points() + singles.Points(), weight: 4*p + s}
	if u.games == 0 {
		return u
	}
	mean, classes := u.points/u.games, map[float64]bool{}
	add := func(count int64, games, points float64) {
		if count == 0 {
			return
		}
		classes[points/games] = true
		off := points - games*mean
		u.squares += float64(count) * off * off
	}
	for class, count := range pairs {
		add(count, 2, float64(class)/2)
	}
	add(singles.Losses, 1, 0)
	add(singles.Draws, 1, 0.5)
	add(singles.Wins, 1, 1)
	if len(classes) == 1 { // exactly zero despite rounding
		u.squares = 0
	}
	return u
}

// add adds two sets of units. Each keeps the distances to its own mean.
func (u units) add(v units) units {
	return units{u.n + v.n, u.games + v.games, u.points + v.points, u.squares + v.squares, u.weight + v.weight}
}

// error returns the standard error of the score, 0 if all units are equal or there
// are fewer than two.
func (u units) error() float64 {
	if u.n < 2 {
		return 0
	}
	return math.Sqrt(u.squares*u.n/u.freedom()) / u.games
}

// freedom returns the degrees of freedom of that error.
func (u units) freedom() float64 { return u.n - 1 }

// effective returns the number of units of equal size with the same largest
// possible variance. It is the number of units if they are all pairs or all
// single games, and less for a mixture.
func (u units) effective() float64 {
	if u.games == 0 {
		return 0
	}
	return u.games * u.games / u.weight
}

// flat returns the caveat for units that all have the same score. score is that of
// all games.
func (u units) flat(score float64) string {
	switch {
	case score == 0:
		return "every game was lost: Elo has no lower limit, only bound_lo and bound_hi are finite"
	case score == 1:
		return "every game was won: Elo has no upper limit, only bound_lo and bound_hi are finite"
	case u.n == 1:
		return "a single result: its error is unknown, only bound_lo and bound_hi are given"
	}
	return "all results are equal: their spread is unknown, the bounds are those of Wilson's interval, bound_lo and bound_hi"
}
