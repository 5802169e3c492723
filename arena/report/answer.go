package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
	case r.Stop.Finding(), r.Stop != nil && (len(r.Bracket) > 0 || r.Stop.Kind == arena.StopSame):
		return strings.TrimSuffix(r.Stop.Text, "."), ""
	case len(r.Bracket) > 0: // the engines of later matches have fewer points so far
		return fmt.Sprintf("The knockout is in round %d", r.Bracket[len(r.Bracket)-1].Round), ""
	case len(r.Standings) > 1 && r.Counted > 0:
		first, second := r.Standings[0], r.Standings[1]
		verb := "leads"
		if r.Stop != nil {
			verb = "is first"
		}
		figures = fmt.Sprintf(": %g points, %s has %g", first.Points, second.Engine, second.Points)
		if first.Points == second.Points {
			figures += " and is second by the tie-break"
		}
		return first.Engine + " " + verb, figures
	case r.Test != nil && r.Doubt == nil && r.Counted > 0:
		return r.tested()
	case len(r.Engines) > 1 && r.Engines[0].Games > 0:
		if c, err := Compare(r.Summary, r.Engines[1].Name, r.Engines[0].Name); err == nil {
			return c.claim, c.figures
		}
	case len(r.Roles) > 1 && r.Roles[0].Elo != nil:
		best := &r.Roles[0]
		return fmt.Sprintf("%s is rated highest of %d roles", best.Name, len(r.Roles)),
			fmt.Sprintf(": %s Elo (95 %%: %s; %s)", signed(best.Elo), eloRange(best.EloLo, best.EloHi), games(best.Games))
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
		fixed(llr(s), 2), s.Lower, s.Upper, s.Elo0, s.Elo1, s.Model, arena.Plural(s.Pairs, "pair"))
	switch {
	case s.Decision != rating.Continue:
		text += s.Decision + " accepted"
	case s.GamesLeft != nil:
		text += fmt.Sprintf("undecided, about %.0f games left", *s.GamesLeft)
	default:
		text += "undecided"
	}
	if s.MedianElo != nil {
		text += fmt.Sprintf(", Elo %s %s (median-unbiased)", signed(s.MedianElo), bar(s.MedianElo, s.MedianEloLo, s.MedianEloHi))
	}
	return text
}

// llr is that of the decision, if there is one.
func llr(s *arena.TestState) *float64 { return cmp.Or(s.LLRAtDecision, &s.LLR) }

// eloRange formats the bounds of Elo, as "+1.2 to +9.8".
func eloRange(lo, hi *float64) string {
	switch {
	case hi == nil:
		return "above " + signed(lo)
	case lo == nil:
		return "below " + signed(hi)
	}
	return signed(lo) + " to " + signed(hi)
}

// Comparison is the answer to whether B is better than A.
type Comparison struct {
	A        string   `json:"a"`
	B        string   `json:"b"`
	Run      string   `json:"run"`
	Verdict  string   `json:"verdict"` // better, worse (both at 95 %, two-sided), unclear, unknown
	Sentence string   `json:"sentence"`
	Elo      *float64 `json:"elo"` // B over A
	EloLo    *float64 `json:"elo_lo"`
	EloHi    *float64 `json:"elo_hi"`
	LOS      *float64 `json:"los"`    // probability that B is stronger
	Direct   int      `json:"direct"` // games between A and B
	Games    int      `json:"games"`  // all games that the answer uses
	Warnings []string `json:"warnings"`

	claim, figures string // the two parts of Sentence
}

// Compare says whether b is better than a, by the joint rating of the run.
func Compare(sum *arena.Summary, a, b string) (*Comparison, error) {
	if a == b {
		return nil, fmt.Errorf("%q is compared with itself", a)
	}
	for _, name := range []string{a, b} {
		if sum.Run.Plan.Engine(name) == nil {
			names := arena.Map(sum.Run.Plan.Engines, func(e arena.EngineSpec) string { return strconv.Quote(e.Name) })
			return nil, fmt.Errorf("no engine %q in run %q (there are: %s)", name, sum.Run.Name, strings.Join(names, ", "))
		}
	}
	c := &Comparison{A: a, B: b, Run: sum.Run.Name, Verdict: "unknown", Warnings: []string{}}
	for i := range sum.Figures.Pairings {
		p := &sum.Figures.Pairings[i]
		c.Games += int(p.Games)
		if slices.Contains(p.Engines[:], a) && slices.Contains(p.Engines[:], b) {
			c.Direct += int(p.Games)
		}
	}
	source := games(c.Games)
	if c.Direct < c.Games {
		source += fmt.Sprintf(" of all engines, %d between the two", c.Direct)
	}
	for _, w := range sum.Warnings {
		if w.Kind != arena.WarnRating {
			c.Warnings = append(c.Warnings, w.Text)
		}
	}
	if slices.ContainsFunc(sum.Warnings, func(w arena.Warning) bool { return w.Kind == arena.WarnExtended }) {
		source += "; when the run ends was changed after a look, so these bounds are not 95 %"
	}
	if sum.Ratings != nil { // the run is rated
		i, foundB := sum.Ratings.Find(b)
		j, foundA := sum.Ratings.Find(a)
		if foundA && foundB {
			c.difference(sum.Ratings, i, j)
		}
		c.Warnings = append(c.Warnings, sum.Ratings.Caveats...)
	}
	if c.say(source); sum.Doubt != nil {
		c.figures = ": " + sum.Doubt.Text
	}
	c.Sentence = Printable(c.claim + c.figures + ".")
	return c, nil
}

// difference fills in by how much player i is above player j.
func (c *Comparison) difference(table *rating.Ratings, i, j int) {
	elo, lo, hi, ok := table.Difference(i, j)
	if !ok {
		return
	}
	if c.EloLo, c.EloHi = lo, hi; lo != nil && hi != nil { // otherwise it has no limit
		c.Elo = &elo
	}
	if los, ok := table.LOS(i, j); ok {
		c.LOS = &los
	}
}

// say fills in the verdict and what it is in words.
func (c *Comparison) say(source string) {
	elo := "an Elo difference without limit"
	if c.Elo != nil {
		elo = signed(c.Elo) + " Elo"
	}
	c.figures = fmt.Sprintf(": %s (95 %%: %s; %s)", elo, eloRange(c.EloLo, c.EloHi), source)
	switch {
	case c.Games == 0 || c.EloLo == nil && c.EloHi == nil:
		c.claim, c.figures = fmt.Sprintf("Nothing can be said about %s and %s in %s", c.B, c.A, c.Run), ": "+source
	case c.EloLo != nil && *c.EloLo > 0:
		c.Verdict, c.claim = "better", fmt.Sprintf("%s is better than %s", c.B, c.A)
	case c.EloHi != nil && *c.EloHi < 0:
		c.Verdict, c.claim = "worse", fmt.Sprintf("%s is worse than %s", c.B, c.A)
	default:
		c.Verdict, c.claim = "unclear", fmt.Sprintf("It is not clear whether %s is better than %s", c.B, c.A)
	}
}
