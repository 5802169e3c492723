package rating

import (
	"fmt"
	"math"
)

// Summary is what a set of games between two players says, from the first
// player's view. Nil fields are undefined; a Warning says why.
type Summary struct {
	Games      int64     `json:"games"`
	Pairs      int64     `json:"pairs"` // 0 where games were counted one by one
	Score      *float64  `json:"score"` // a fraction
	ScoreError *float64  `json:"score_error"`
	Elo        *float64  `json:"elo"`
	EloLo      *float64  `json:"elo_lo"`
	EloHi      *float64  `json:"elo_hi"`
	Nelo       *float64  `json:"nelo"`
	NeloError  *float64  `json:"nelo_error"`
	LOS        *float64  `json:"los"`         // probability that the first player is stronger
	DrawRatio  *float64  `json:"draw_ratio"`  // of games; of pairs: those that made one point
	PairsRatio *float64  `json:"pairs_ratio"` // pairs won for each pair lost
	BoundLo    *float64  `json:"bound_lo"`    // Wilson interval of the score, a fraction: finite
	BoundHi    *float64  `json:"bound_hi"`    // also where the Elo bounds are not
	Warnings   []Warning `json:"warnings"`
}

// EloError is half the width of the Elo bounds, nil where they are undefined.
func (s *Summary) EloError() *float64 {
	if s.EloLo == nil || s.EloHi == nil {
		return nil
	}
	return finite((*s.EloHi - *s.EloLo) / 2)
}

// OfGames summarises games that are taken as independent. s = (W + D/2)/N,
// v = [W(1-s)² + D(½-s)² + L s²]/N, SE = sqrt(v/N).
func OfGames(c WDL) Summary {
	d := distributionOf([]float64{0, 0.5, 1}, c.Losses, c.Draws, c.Wins)
	s := d.summary(1)
	s.Games = c.Games()
	if s.Games > 0 {
		s.DrawRatio = finite(float64(c.Draws) / float64(s.Games))
	}
	return s
}

// OfPairs summarises pairs of games. The pair's mean score is the observation;
// normalized Elo is still that of one game, hence sqrt(2 v).
func OfPairs(p Penta) Summary {
	d := distributionOf([]float64{0, 0.25, 0.5, 0.75, 1}, p[:]...)
	s := d.summary(2)
	s.Pairs = p.Pairs()
	s.Games = 2 * s.Pairs
	if s.Pairs > 0 {
		s.DrawRatio = finite(float64(p[2]) / float64(s.Pairs))
	}
	if lost := p[0] + p[1]; lost > 0 {
		s.PairsRatio = finite(float64(p[3]+p[4]) / float64(lost))
	} else if s.Pairs > 0 {
		s.Warnings = append(s.Warnings, "no pair was lost: the pairs ratio is undefined")
	}
	return s
}

// distribution is how often each score was made, n times in all.
type distribution struct {
	scores   []float64
	counts   []float64
	n        float64
	mean     float64
	variance float64
	classes  int // with a count above zero
}

func distributionOf(scores []float64, counts ...int64) distribution {
	d := distribution{scores: scores, counts: make([]float64, len(counts))}
	for i, c := range counts {
		d.counts[i] = float64(c)
		d.n += float64(c)
		d.mean += float64(c) * scores[i]
		if c > 0 {
			d.classes++
		}
	}
	if d.n == 0 {
		return d
	}
	d.mean /= d.n
	if d.classes > 1 { // else exactly zero, whatever the rounding
		for i, c := range d.counts {
			d.variance += c * (scores[i] - d.mean) * (scores[i] - d.mean)
		}
		d.variance /= d.n
	}
	return d
}

// summary fills what games and pairs share; games is the number of games in an
// observation.
func (d distribution) summary(games float64) Summary {
	s := Summary{Warnings: []Warning{}}
	if d.n == 0 {
		s.Warnings = append(s.Warnings, "no games: nothing is known")
		return s
	}
	s.Score = finite(d.mean)
	s.Elo = finite(Elo(d.mean))
	lo, hi := wilson(d.mean, d.n)
	s.BoundLo, s.BoundHi = finite(lo), finite(hi)
	if d.variance == 0 {
		s.Warnings = append(s.Warnings, d.flat())
		return s
	}
	se := math.Sqrt(d.variance / d.n)
	s.ScoreError = finite(z95 * se)
	s.EloLo = finite(Elo(d.mean - z95*se))
	s.EloHi = finite(Elo(d.mean + z95*se))
	s.LOS = finite(normal((d.mean - 0.5) / se))
	s.Nelo = finite(perNelo * (d.mean - 0.5) / math.Sqrt(games*d.variance))
	s.NeloError = finite(z95 * perNelo / math.Sqrt(games*d.n))
	if s.EloLo == nil || s.EloHi == nil {
		s.Warnings = append(s.Warnings, Warning(fmt.Sprintf(
			"the error bar of the score reaches beyond %s: too few games for that Elo bound, bound_lo and bound_hi hold",
			beyond(s.EloLo == nil, s.EloHi == nil))))
	}
	return s
}

func beyond(lo, hi bool) string {
	switch {
	case lo && hi:
		return "0 and 1"
	case lo:
		return "0"
	}
	return "1"
}

// flat is the warning of a distribution with one score only.
func (d distribution) flat() Warning {
	switch d.mean {
	case 0:
		return "every game was lost: Elo has no lower limit, only bound_lo and bound_hi are finite"
	case 1:
		return "every game was won: Elo has no upper limit, only bound_lo and bound_hi are finite"
	}
	if d.n == 1 {
		return "a single result: its error is unknown, only bound_lo and bound_hi are given"
	}
	return "all results are equal: the standard error is 0 and no Elo bound follows, only bound_lo and bound_hi are given"
}

// wilson is Wilson's 95 % interval of a score over n observations (Wilson
// 1927). It takes the largest variance that a score can have, so it holds for
// draws and pairs too, and never leaves 0 to 1.
func wilson(score, n float64) (lo, hi float64) {
	z2 := z95 * z95 / n
	centre := (score + z2/2) / (1 + z2)
	half := math.Sqrt(score*(1-score)*z2+z2*z2/4) / (1 + z2)
	lo, hi = math.Max(0, centre-half), math.Min(1, centre+half)
	switch score { // the ends are exact; rounding is not
	case 0:
		lo = 0
	case 1:
		hi = 1
	}
	return lo, hi
}

// Repeats is the warning for games that were replayed identically: only the
// different ones were counted. ok is false where all are different.
func Repeats(different, total int64) (w Warning, ok bool) {
	if different >= total {
		return "", false
	}
	return Warning(fmt.Sprintf("%d of %d games are different; identical ones count once (hint: openings: {random_plies: 4})", different, total)), true
}
