package report

import (
	"fmt"
	"slices"

	"thera/arena"
	"thera/arena/rating"
)

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
		if !slices.ContainsFunc(sum.Run.Plan.Engines, func(e arena.EngineSpec) bool { return e.Name == name }) {
			return nil, fmt.Errorf("no engine %q in run %s", name, sum.Run.Name)
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
		elo = Signed(c.Elo) + " Elo"
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
