package report

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// Comparison is the answer to whether B is better than A.
type Comparison struct {
	A        string   `json:"a"`
	B        string   `json:"b"`
	Run      string   `json:"run"`
	Verdict  string   `json:"verdict"` // better, worse, unclear, unknown
	Sentence string   `json:"sentence"`
	Elo      *float64 `json:"elo"` // B over A
	EloLo    *float64 `json:"elo_lo"`
	EloHi    *float64 `json:"elo_hi"`
	LOS      *float64 `json:"los"`    // probability that B is stronger
	Direct   int      `json:"direct"` // games between A and B
	Games    int      `json:"games"`  // all games that the answer uses
	Warnings []string `json:"warnings"`

	looked bool // the end of the run was changed after a look
}

// The verdicts: better and worse at 95 %, two-sided.
const (
	better  = "better"
	worse   = "worse"
	unclear = "unclear"
	unknown = "unknown"
)

// Compare compares two engines of a run. It uses their own games if no other
// engine played, and the joint rating otherwise.
func Compare(sum *arena.Summary, a, b string) (*Comparison, error) {
	if a == b {
		return nil, fmt.Errorf("%q is compared with itself", a)
	}
	c := &Comparison{A: a, B: b, Run: sum.Run.Name, Verdict: unknown, Warnings: []string{}}
	for _, w := range sum.Warnings {
		if w.Kind != arena.WarnRating {
			c.Warnings = append(c.Warnings, w.Text)
		}
		c.looked = c.looked || w.Kind == arena.WarnExtended
	}
	others := false
	for i := range sum.Figures.Pairings {
		p := &sum.Figures.Pairings[i]
		c.Games += int(p.Games)
		switch p.Engines {
		case [2]string{a, b}, [2]string{b, a}:
			c.Direct += int(p.Games)
			c.take(p)
		default:
			others = true
		}
	}
	if others {
		c.joint(sum.Ratings)
	}
	if c.say(others); sum.Doubt != nil {
		c.Elo, c.EloLo, c.EloHi, c.LOS, c.Verdict = nil, nil, nil, nil, unknown
		c.Sentence = Printable(fmt.Sprintf("Nothing can be said about %s and %s in %s: %s.", b, a, c.Run, sum.Doubt.Text))
	}
	return c, nil
}

// take takes the difference from the games of both.
func (c *Comparison) take(p *arena.PairingRow) {
	c.Elo, c.LOS = p.Elo, p.LOS
	c.EloLo, c.EloHi = p.EloBounds()
	if p.Engines[0] == c.A {
		c.Elo, c.EloLo, c.EloHi = negative(c.Elo), negative(c.EloHi), negative(c.EloLo)
		if p.LOS != nil {
			los := 1 - *p.LOS
			c.LOS = &los
		}
	}
	c.Warnings = append(c.Warnings, p.Warnings...)
}

func negative(x *float64) *float64 {
	if x == nil {
		return nil
	}
	y := 0 - *x // not -0
	return &y
}

// joint takes the difference from the rating of all engines.
func (c *Comparison) joint(table *rating.Ratings) {
	if table == nil {
		return
	}
	i, foundB := table.Find(c.B)
	j, foundA := table.Find(c.A)
	if !foundA || !foundB {
		return
	}
	elo, lo, hi, ok := table.Difference(i, j)
	if !ok {
		return
	}
	c.Elo, c.EloLo, c.EloHi, c.LOS = &elo, lo, hi, nil
	if los, ok := table.LOS(i, j); ok {
		c.LOS = &los
	}
	c.Warnings = append(c.Warnings, table.Caveats...)
}

// say fills in the verdict and its sentence.
func (c *Comparison) say(others bool) {
	source := games(c.Games)
	if others {
		source = fmt.Sprintf("%s of all engines, %d between the two", games(c.Games), c.Direct)
	}
	if c.looked {
		source += "; when the run ends was changed after a look, so these bounds are not 95 %"
	}
	bounds := func() string {
		switch {
		case c.EloLo == nil && c.EloHi == nil:
			return "unbounded"
		case c.EloHi == nil:
			return "above " + Signed(c.EloLo)
		case c.EloLo == nil:
			return "below " + Signed(c.EloHi)
		}
		return Signed(c.EloLo) + " to " + Signed(c.EloHi)
	}
	elo := "an Elo difference without limit"
	if c.Elo != nil {
		elo = Signed(c.Elo) + " Elo"
	}
	tail := fmt.Sprintf("%s (95 %%: %s; %s)", elo, bounds(), source)
	switch {
	case c.Games == 0 || c.EloLo == nil && c.EloHi == nil:
		c.Sentence = fmt.Sprintf("Nothing can be said about %s and %s in %s: %s.", c.B, c.A, c.Run, source)
	case c.EloLo != nil && *c.EloLo > 0:
		c.Verdict = better
		c.Sentence = fmt.Sprintf("%s is better than %s: %s.", c.B, c.A, tail)
	case c.EloHi != nil && *c.EloHi < 0:
		c.Verdict = worse
		c.Sentence = fmt.Sprintf("%s is worse than %s: %s.", c.B, c.A, tail)
	default:
		c.Verdict = unclear
		c.Sentence = fmt.Sprintf("It is not clear whether %s is better than %s: %s.", c.B, c.A, tail)
	}
	c.Sentence = Printable(c.Sentence)
}
