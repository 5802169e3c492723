package report

import (
	"cmp"
	"fmt"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// Answer says in one sentence what the run has found: who is better, and the figures
// that show it.
func (r *Report) Answer() (claim, figures string) {
	claim, figures = r.answer()
	return Printable(claim), Printable(strings.TrimSuffix(figures, ".") + ".")
}

func (r *Report) answer() (claim, figures string) {
	switch {
	case r.Stop.Finding(), r.Stop != nil && (len(r.Standings) > 0 || r.Stop.Kind == arena.StopSame):
		return strings.TrimSuffix(r.Stop.Text, "."), ""
	case len(r.Standings) > 0 && r.Counted > 0:
		first := r.Standings[0]
		return fmt.Sprintf("%s leads with %g points", first.Engine, first.Points), ""
	case r.Test != nil && r.Doubt == nil && r.Counted > 0:
		return r.tested()
	case len(r.Engines) > 1 && r.Engines[0].Games > 0:
		if c, err := Compare(r.Summary, r.Engines[1].Name, r.Engines[0].Name); err == nil {
			return c.claim, c.figures
		}
	case len(r.Roles) > 1 && r.Roles[0].Elo != nil:
		best := &r.Roles[0]
		return fmt.Sprintf("%s is rated highest of %d roles", best.Name, len(r.Roles)),
			fmt.Sprintf(": %s Elo (95 %%: %s; %s)", Signed(best.Elo), eloRange(best.EloLo, best.EloHi), games(best.Games))
	}
	return "There is no result yet", ""
}

// tested says what a sequential test has decided about its two engines.
func (r *Report) tested() (claim, figures string) {
	s, a, b := r.Test, r.Summary.Run.Plan.Engines[0].Name, r.Summary.Run.Plan.Engines[1].Name
	unit := "Elo"
	if s.Model == rating.Normalized {
		unit = "nElo"
	}
	switch {
	case s.Decision == rating.Continue:
		claim = fmt.Sprintf("It is not decided whether %s is better than %s", a, b)
	case s.Decision == rating.H1 && s.Elo0 >= 0:
		claim = fmt.Sprintf("%s is better than %s", a, b)
	case s.Decision == rating.H1:
		claim = fmt.Sprintf("%s is no worse than %s by %g %s", a, b, -s.Elo0, unit)
	case s.Elo1 > 0:
		claim = fmt.Sprintf("%s does not gain %g %s on %s", a, s.Elo1, unit, b)
	default:
		claim = fmt.Sprintf("%s is worse than %s", a, b)
	}
	return claim, ": SPRT, " + testText(s)
}

// testText describes a test. After the decision the LLR is that of the decision.
func testText(s *arena.TestState) string {
	text := fmt.Sprintf("LLR %s in [%.2f, %.2f], elo0 %g, elo1 %g, %s, %s: ",
		Fixed(llr(s), 2), s.Lower, s.Upper, s.Elo0, s.Elo1, s.Model, arena.Plural(s.Pairs, "pair"))
	switch {
	case s.Decision != rating.Continue:
		text += s.Decision + " accepted"
	case s.GamesLeft != nil:
		text += fmt.Sprintf("undecided, about %.0f games left", *s.GamesLeft)
	default:
		text += "undecided"
	}
	if s.MedianElo != nil {
		text += fmt.Sprintf(", Elo %s %s (median-unbiased)", Signed(s.MedianElo), bar(s.MedianElo, s.MedianEloLo, s.MedianEloHi))
	}
	return text
}

// llr is that of the decision, if there is one.
func llr(s *arena.TestState) *float64 { return cmp.Or(s.LLRAtDecision, &s.LLR) }

// eloRange formats the bounds of Elo, as "+1.2 to +9.8".
func eloRange(lo, hi *float64) string {
	switch {
	case hi == nil:
		return "above " + Signed(lo)
	case lo == nil:
		return "below " + Signed(hi)
	}
	return Signed(lo) + " to " + Signed(hi)
}
