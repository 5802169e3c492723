package tournament

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"thera/arena/rating"
)

// Requirement is what a script demands of a run: h1, not-h0, or a bound on a
// figure of the first engine, as in "elo_lo > -5".
type Requirement struct {
	text     string
	decision string // H0 or H1; "" for a bound
	not      bool
	figure   string
	op       string
	value    float64
}

var bound = regexp.MustCompile(`^\s*([a-z_]+)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

// figures are what a bound may be on. score is a fraction.
func figures() []string {
	return []string{"elo", "elo_lo", "elo_hi", "nelo", "los", "score", "llr", "games"}
}

// ParseRequirement reads one requirement of a run in that format.
func ParseRequirement(text, format string) (Requirement, error) {
	r := Requirement{text: text}
	word, not := strings.CutPrefix(strings.ToLower(strings.TrimSpace(text)), "not-")
	if word == "h0" || word == "h1" {
		if format != "sprt" {
			return r, fmt.Errorf("%q is a decision of a test, and this is a %s, expected a bound such as 'elo_lo > -5'", text, format)
		}
		r.decision, r.not = strings.ToUpper(word), not
		return r, nil
	}
	m := bound.FindStringSubmatch(text)
	if m == nil {
		return r, fmt.Errorf("%q is no requirement, expected h1, not-h0 or a bound such as 'elo_lo > -5'", text)
	}
	if !slices.Contains(figures(), m[1]) {
		return r, fmt.Errorf("%q: unknown figure %q, expected one of %s", text, m[1], strings.Join(figures(), ", "))
	}
	if m[1] == "llr" && format != "sprt" {
		return r, fmt.Errorf("%q: only sprt has an llr, and this is a %s", text, format)
	}
	value, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return r, fmt.Errorf("%q: %q is not a number", text, m[3])
	}
	r.figure, r.op, r.value = m[1], m[2], value
	return r, nil
}

// Met tells whether the results hold to it, and what they are.
func (r Requirement) Met(s *Schedule) (met bool, detail string) {
	if r.decision != "" {
		decision := s.SPRT().Decision
		if decision == rating.Continue {
			decision = "undecided"
		}
		return (decision == r.decision) != r.not, fmt.Sprintf("%s: the test is %s", r.text, decision)
	}
	value, known := s.figure(r.figure)
	if !known {
		return false, fmt.Sprintf("%s: %s is unknown from these games", r.text, r.figure)
	}
	switch r.op {
	case ">":
		met = value > r.value
	case ">=":
		met = value >= r.value
	case "<":
		met = value < r.value
	case "<=":
		met = value <= r.value
	}
	return met, fmt.Sprintf("%s: %s is %.4g", r.text, r.figure, value)
}

// figure is one figure of the first engine: against the other one of two, else
// in the joint rating.
func (s *Schedule) figure(name string) (float64, bool) {
	known := func(p *float64) (float64, bool) {
		if p == nil {
			return 0, false
		}
		return *p, true
	}
	if name == "llr" {
		return s.SPRT().LLR, true
	}
	if len(s.plan.Engines) != 2 {
		return s.joint(name)
	}
	cell := s.table.Cell(0, 1)
	if cell == nil {
		return 0, false
	}
	sum := cell.Summary()
	switch name {
	case "elo":
		return eloOf(sum.Elo, sum.Score)
	case "elo_lo":
		return eloOf(sum.EloLo, sum.BoundLo)
	case "elo_hi":
		return eloOf(sum.EloHi, sum.BoundHi)
	case "nelo":
		return known(sum.Nelo)
	case "los":
		return known(sum.LOS)
	case "score":
		return known(sum.Score)
	}
	return float64(sum.Games), true
}

// eloOf is elo, or where that has no finite value the Elo of the score that
// does: a whitewash meets any demand on Elo, and its bound is Wilson's.
func eloOf(elo, score *float64) (float64, bool) {
	if elo != nil {
		return *elo, true
	}
	if score == nil {
		return 0, false
	}
	return rating.Elo(*score), true
}

func (s *Schedule) joint(name string) (float64, bool) {
	fit, err := s.table.Fit()
	if err != nil {
		return 0, false
	}
	i, ok := fit.Find(s.plan.Engines[0].Name)
	if !ok {
		return 0, false
	}
	p := fit.Players[i]
	value := map[string]*float64{"elo": p.Elo, "elo_lo": p.EloLo, "elo_hi": p.EloHi, "score": p.Score}[name]
	if name == "games" {
		return float64(p.Games), true
	}
	if value == nil {
		return 0, false
	}
	return *value, true
}
