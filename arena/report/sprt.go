package report

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// testText describes a test. After the decision the LLR is that of the decision.
func testText(s *arena.TestState) string {
	text := fmt.Sprintf("LLR %s in [%.2f, %.2f], elo0 %g, elo1 %g, %s, %s: ",
		Fixed(llr(s), 2), s.Lower, s.Upper, s.Elo0, s.Elo1, s.Model, arena.Plural(s.Pairs, "pair"))
	switch {
	case s.Decision == rating.Continue && s.GamesLeft != nil:
		return text + fmt.Sprintf("undecided, about %.0f games left", *s.GamesLeft)
	case s.Decision == rating.Continue:
		return text + "undecided"
	}
	text += s.Decision + " accepted"
	if s.MedianElo != nil {
		text += fmt.Sprintf(", Elo %s %s (median-unbiased)", Signed(s.MedianElo), bar(s.MedianElo, s.MedianEloLo, s.MedianEloHi))
	}
	return text
}

// llr is that of the decision, if there is one.
func llr(s *arena.TestState) *float64 {
	if s.LLRAtDecision != nil {
		return s.LLRAtDecision
	}
	return &s.LLR
}
