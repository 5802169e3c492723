package rating

import (
	"fmt"
	"math"
)

// Strength is what results say about how strong a player is. Bounds are 95 %. Nil fields
// are undefined, and a caveat says why.
type Strength struct {
	Score      *float64 `json:"score"`       // a fraction
	ScoreError *float64 `json:"score_error"` // half the width of its interval
	BoundLo    *float64 `json:"bound_lo"`    // Wilson interval of the score, a fraction:
	BoundHi    *float64 `json:"bound_hi"`    // defined even if the Elo bounds are not
	Elo        *float64 `json:"elo"`
	EloLo      *float64 `json:"elo_lo"`
	EloHi      *float64 `json:"elo_hi"`
}

// Estimate is the result of games between two players, from the first player's view.
type Estimate struct {
	Games int64 `json:"games"`
	Pairs int64 `json:"pairs"` // 0 if games were counted one by one
	Strength
	Nelo       *float64 `json:"nelo"`
	NeloError  *float64 `json:"nelo_error"`
	LOS        *float64 `json:"los"`         // probability that the first player is stronger
	DrawRatio  *float64 `json:"draw_ratio"`  // of games, or of pairs with one point each
	PairsRatio *float64 `json:"pairs_ratio"` // pairs won for each pair lost
	Caveats    []string `json:"warnings"`
}

// EloError returns half the width of the Elo bounds, nil if they are undefined.
func (s *Strength) EloError() *float64 {
	if s.EloLo == nil || s.EloHi == nil {
		return nil
	}
	return finite((*s.EloHi - *s.EloLo) / 2)
}

// EloBounds returns the 95 % bounds of Elo that are to be shown: elo_lo and elo_hi or,
// where one of them is undefined, that of Wilson's interval of the score. A bound is nil
// without games, and on the side where a score of 0 or 1 has no limit.
func (s *Strength) EloBounds() (lo, hi *float64) {
	lo, hi = s.EloLo, s.EloHi
	if lo == nil && s.BoundLo != nil {
		lo = finite(Elo(*s.BoundLo))
	}
	if hi == nil && s.BoundHi != nil {
		hi = finite(Elo(*s.BoundHi))
	}
	return lo, hi
}

// OfPairs estimates from finished pairs of games.
func OfPairs(p Penta) Estimate {
	s := estimate(2*p.Pairs(), p.Points(), p, WDL{})
	if s.PairsRatio == nil && s.Pairs > 0 {
		s.Caveats = append(s.Caveats, "no pair was lost: the pairs ratio is undefined")
	}
	return s
}

// Estimate estimates strength from the counts. The score is that of all games.
// Its standard error comes from the units, which are finished pairs and single
// games: with n games in the units and m their score,
//
//	SE = sqrt(u/(u-1) · Σ (points of a unit - m · games of the unit)²) / n
//
// for u units. For P pairs whose scores have the variance v this is sqrt(v/(P-1)),
// and for N single games sqrt(v/(N-1)). Bounds are by Student's t with u-1 degrees
// of freedom.
func (c Counts) Estimate() Estimate {
	return estimate(c.Games.Games(), c.Games.Points(), c.Pairs, c.Singles)
}

// Cell returns the estimate with all bounds from Wilson's interval over the units. A
// cell, such as a match-up of roles, has few of them, and many cells are read at once:
// its bounds must hold for every number of units and every spread.
func (s Estimate) Cell() Estimate {
	s.EloLo, s.EloHi, s.ScoreError = nil, nil, nil
	s.EloLo, s.EloHi = s.EloBounds()
	if s.BoundLo != nil {
		s.ScoreError = finite((*s.BoundHi - *s.BoundLo) / 2)
	}
	return s
}

func estimate(games int64, points float64, pairs Penta, singles WDL) Estimate {
	s := Estimate{Games: games, Pairs: pairs.Pairs(), Caveats: []string{}}
	if games == 0 {
		s.Caveats = append(s.Caveats, "no games: nothing is known")
		return s
	}
	score, u := points/float64(games), unitsOf(pairs, singles)
	s.Score, s.Elo = finite(score), finite(Elo(score))
	lo, hi := wilson(score, u.effective())
	s.BoundLo, s.BoundHi = finite(lo), finite(hi)
	s.bounds(score, u)
	switch {
	case s.Pairs > 0:
		s.DrawRatio = finite(float64(pairs[2]) / float64(s.Pairs))
	case u.games > 0:
		s.DrawRatio = finite(float64(singles.Draws) / u.games)
	}
	if lost := pairs[0] + pairs[1]; lost > 0 {
		s.PairsRatio = finite(float64(pairs[3]+pairs[4]) / float64(lost))
	}
	return s
}

// bounds fills in the values that need a standard error.
func (s *Estimate) bounds(score float64, u units) {
	switch {
	case u.games == 0:
		s.Caveats = append(s.Caveats, "no pair is finished: only the score is known")
		return
	case u.squares == 0:
		s.Caveats = append(s.Caveats, flatText(score))
		return
	}
	freedom := u.n - 1
	se := math.Sqrt(u.squares*u.n/freedom) / u.games
	half := T95(freedom) * se
	s.ScoreError = finite(half)
	s.EloLo = finite(Elo(score - half))
	s.EloHi = finite(Elo(score + half))
	s.LOS = finite(student((score-0.5)/se, freedom))
	// The standard deviation of one game: the variance of the mean of n games
	// is 1/n of that of one.
	deviation := math.Sqrt(u.squares / u.games)
	s.Nelo = finite(perNelo * (score - 0.5) / deviation)
	s.NeloError = finite(z95 * perNelo / math.Sqrt(u.games))
	if s.EloLo == nil || s.EloHi == nil {
		s.Caveats = append(s.Caveats, "the error bar of the score reaches beyond 0 or 1: too few games for that Elo bound, bound_lo and bound_hi hold")
	}
}

// flatText is the caveat for results that are all equal.
func flatText(score float64) string {
	switch score {
	case 0:
		return "every game was lost: Elo has no lower limit, only bound_lo and bound_hi are finite"
	case 1:
		return "every game was won: Elo has no upper limit, only bound_lo and bound_hi are finite"
	}
	return "all results are equal: their spread is unknown, the bounds are those of Wilson's interval, bound_lo and bound_hi"
}

// wilson returns the 95 % interval of a score over n observations (Wilson 1927).
// It assumes the largest variance that a score can have, so it also holds with
// draws and for pairs. It is always within 0 and 1.
func wilson(score, n float64) (lo, hi float64) {
	if n == 0 {
		return 0, 1
	}
	z2 := z95 * z95 / n
	centre := (score + z2/2) / (1 + z2)
	half := math.Sqrt(score*(1-score)*z2+z2*z2/4) / (1 + z2)
	lo, hi = max(0, centre-half), min(1, centre+half)
	if score == 1 { // without a rounding error
		hi = 1
	}
	return lo, hi
}

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
	mean := u.points / max(u.games, 1)
	for class, count := range pairs {
		off := float64(class)/2 - 2*mean
		u.squares += float64(count) * off * off
	}
	for class, count := range []int64{singles.Losses, singles.Draws, singles.Wins} {
		off := float64(class)/2 - mean
		u.squares += float64(count) * off * off
	}
	if u.squares < 1e-6 { // all are equal, despite rounding
		u.squares = 0
	}
	return u
}

// add adds two sets of units. Each keeps the distances to its mean.
func (u units) add(v units) units {
	return units{u.n + v.n, u.games + v.games, u.points + v.points, u.squares + v.squares, u.weight + v.weight}
}

// effective returns the number of units of equal size with the same largest
// possible variance. It is the number of units if they are all pairs or all
// single games, and less for a mixture.
func (u units) effective() float64 { return u.games * u.games / max(u.weight, 1) }

// perNelo converts a distance in standard deviations of one game to normalized
// Elo.
const perNelo = 800 / math.Ln10

// Elo returns the rating difference at which score is expected. It is infinite
// for a score of 0 or 1, and NaN outside of them.
func Elo(score float64) float64 {
	elo := -400 * math.Log10(1/score-1)
	if elo == 0 {
		return 0 // not -0
	}
	return elo
}

// Expected returns the expected score at a rating difference of elo.
func Expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normal is the cumulative distribution function of the normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// finite returns a pointer to x, nil if x is NaN or infinite.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	if x == 0 {
		x = 0 // not -0
	}
	return &x
}

// WDL counts single games from one player's view.
type WDL struct {
	Wins   int64 `json:"wins"`
	Draws  int64 `json:"draws"`
	Losses int64 `json:"losses"`
}

// Games returns the number of games.
func (c WDL) Games() int64 { return c.Wins + c.Draws + c.Losses }

// Points returns one point for each win and half a point for each draw.
func (c WDL) Points() float64 { return float64(c.Wins) + float64(c.Draws)/2 }

// Add returns the sum of both counts.
func (c WDL) Add(d WDL) WDL {
	return WDL{c.Wins + d.Wins, c.Draws + d.Draws, c.Losses + d.Losses}
}

// Flip returns the same games from the opponent's view.
func (c WDL) Flip() WDL { return WDL{c.Losses, c.Draws, c.Wins} }

// Check refuses counts below zero or too large to add up.
func (c WDL) Check() error {
	return checkCounts([]string{"wins", "draws", "losses"}, []int64{c.Wins, c.Draws, c.Losses})
}

// Penta counts finished pairs by their points, from one player's view: 0 (LL), ½
// (LD), 1 (WL and DD), 1½ (WD), 2 (WW).
type Penta [5]int64

// Pairs returns the number of pairs.
func (p Penta) Pairs() int64 { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Points returns the points in all pairs.
func (p Penta) Points() float64 {
	return float64(p[1])/2 + float64(p[2]) + 1.5*float64(p[3]) + 2*float64(p[4])
}

// Add returns the sum of both counts.
func (p Penta) Add(q Penta) Penta {
	for i, n := range q {
		p[i] += n
	}
	return p
}

// Flip returns the same pairs from the opponent's view.
func (p Penta) Flip() Penta { return Penta{p[4], p[3], p[2], p[1], p[0]} }

// Check refuses counts below zero or too large to add up.
func (p Penta) Check() error {
	return checkCounts([]string{"LL", "LD", "WLDD", "WD", "WW"}, p[:])
}

// Counts are the games of two sides, from the first one's view. All Games count
// in the score. Its error comes from independent units: finished pairs, and
// single games that do not belong to pairs. The game of an unfinished pair is in
// Games only. Counts of disjoint sets of games can be added.
type Counts struct {
	Games   WDL   `json:"games"`
	Pairs   Penta `json:"pairs"`
	Singles WDL   `json:"singles"` // zero if games are played in pairs
}

// Singly returns the counts of games that were not played in pairs.
func Singly(c WDL) Counts { return Counts{Games: c, Singles: c} }

// Add returns the sum of both counts.
func (c Counts) Add(d Counts) Counts {
	return Counts{c.Games.Add(d.Games), c.Pairs.Add(d.Pairs), c.Singles.Add(d.Singles)}
}

// Flip returns the same games from the other side's view.
func (c Counts) Flip() Counts {
	return Counts{c.Games.Flip(), c.Pairs.Flip(), c.Singles.Flip()}
}

// Half is the number of games of unfinished pairs.
func (c Counts) Half() int {
	return int(c.Games.Games() - 2*c.Pairs.Pairs() - c.Singles.Games())
}

// maxCount is small enough that all sums and products are exact in a float64.
const maxCount = 1 << 40

func checkCounts(names []string, counts []int64) error {
	for i, n := range counts {
		if n < 0 || n > maxCount {
			return fmt.Errorf("%s %d: want 0 to %d", names[i], n, int64(maxCount))
		}
	}
	return nil
}
