package report

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// TestResult is the state of a sequential test.
type TestResult struct {
	Elo0     float64 `json:"elo0"`
	Elo1     float64 `json:"elo1"`
	Alpha    float64 `json:"alpha"`
	Beta     float64 `json:"beta"`
	Model    string  `json:"model"`
	LLR      float64 `json:"llr"` // over the pairs that count now
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Decision string  `json:"decision"`
	Pairs    int     `json:"pairs"`

	// Null until the test decides: the LLR then, and the median-unbiased Elo
	// with its 95 % bounds.
	LLRAtDecision *float64 `json:"llr_at_decision"`
	MedianElo     *float64 `json:"median_elo"`
	MedianEloLo   *float64 `json:"median_elo_lo"`
	MedianEloHi   *float64 `json:"median_elo_hi"`

	GamesLeft *float64 `json:"games_left"`
}

// tests fills in the run's test and those with earlier bounds.
func (r *Report) tests(states []arena.TestState) {
	for _, t := range states {
		s := TestResult{
			Elo0: t.Elo0, Elo1: t.Elo1, Alpha: t.Alpha, Beta: t.Beta, Model: t.Model,
			LLR: t.LLR, Lower: t.Lower, Upper: t.Upper, Decision: t.Decision, Pairs: t.Pairs,
			LLRAtDecision: t.LLRAtDecision, MedianElo: t.MedianElo, MedianEloLo: t.MedianEloLo, MedianEloHi: t.MedianEloHi,
			GamesLeft: t.GamesLeft,
		}
		if t.Earlier {
			r.Earlier = append(r.Earlier, s)
		} else {
			r.SPRT = &s
		}
	}
}

// text describes the test. After the decision the LLR is that of the decision.
func (s *TestResult) text() string {
	llr := &s.LLR
	if s.LLRAtDecision != nil {
		llr = s.LLRAtDecision
	}
	text := fmt.Sprintf("LLR %s in [%.2f, %.2f], elo0 %g, elo1 %g, %s, %s: ", fixed(llr, 2), s.Lower, s.Upper, s.Elo0, s.Elo1, s.Model, arena.Plural(s.Pairs, "pair"))
	switch {
	case s.Decision == rating.Continue && s.GamesLeft != nil:
		return text + fmt.Sprintf("undecided, about %.0f games left", *s.GamesLeft)
	case s.Decision == rating.Continue:
		return text + "undecided"
	}
	text += s.Decision + " accepted"
	if s.MedianElo != nil {
		text += fmt.Sprintf(", Elo %s %s (median-unbiased)", signed(s.MedianElo), bar(s.MedianElo, s.MedianEloLo, s.MedianEloHi))
	}
	return text
}
