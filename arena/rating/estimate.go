package rating

import "math"

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

// OfGames estimates from games that are treated as independent.
func OfGames(c WDL) Estimate { return Singly(c).Estimate() }

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
		s.Caveats = append(s.Caveats, u.flat(score))
		return
	}
	se := u.error()
	half := T95(u.freedom()) * se
	s.ScoreError = finite(half)
	s.EloLo = finite(Elo(score - half))
	s.EloHi = finite(Elo(score + half))
	s.LOS = finite(student((score-0.5)/se, u.freedom()))
	// The standard deviation of one game: the variance of the mean of n games
	// is 1/n of that of one.
	deviation := math.Sqrt(u.squares / u.games)
	s.Nelo = finite(perNelo * (score - 0.5) / deviation)
	s.NeloError = finite(z95 * perNelo / math.Sqrt(u.games))
	beyond := "1"
	switch {
	case s.EloLo != nil && s.EloHi != nil:
		return
	case s.EloLo == nil && s.EloHi == nil:
		beyond = "0 and 1"
	case s.EloLo == nil:
		beyond = "0"
	}
	s.Caveats = append(s.Caveats, "the error bar of the score reaches beyond "+beyond+
		": too few games for that Elo bound, bound_lo and bound_hi hold")
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
	lo, hi = math.Max(0, centre-half), math.Min(1, centre+half)
	switch score { // at 0 and 1 avoid rounding errors
	case 0:
		lo = 0
	case 1:
		hi = 1
	}
	return lo, hi
}
