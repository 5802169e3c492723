package tournament

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// Requirement is a condition on the result of a run: h1, not-h0, or a bound on a figure, as in
// "elo_lo > -5". Figures are those of the first engine, but a bound on faults or faults_percent must
// hold for every engine.
type Requirement struct {
	text    string
	figure  string // or H0, H1
	not     bool
	op      string
	value   float64
	implied bool // it was not asked for, and always allows an engine one fault
}

// los and score are fractions.
var bound = arena.Pattern(`^\s*(elo|elo_lo|elo_hi|los|score|games|faults|faults_percent)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

const faultsPercent = "faults_percent"

// mostUnrated is the largest share of unrated pairs with which a run proves something.
const mostUnrated = 0.05

// Requirements parses requirements for a run of the plan. It returns an error for a requirement that
// has no meaning for the plan. If there is no bound on faults, it adds one of 1 % of the games of
// each engine.
func Requirements(plan *arena.Plan, texts []string) ([]Requirement, error) {
	var out []Requirement
	for _, text := range texts {
		r, err := parse(plan, strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		out = append(out, r)
	}
	if len(out) > 0 && !slices.ContainsFunc(out, func(r Requirement) bool { return strings.HasPrefix(r.figure, "faults") }) {
		out = append(out, Requirement{text: faultsPercent + " <= 1", figure: faultsPercent, op: "<=", value: 1, implied: true})
	}
	return out, nil
}

func parse(plan *arena.Plan, text string) (Requirement, error) {
	r := Requirement{text: text}
	word, not := strings.CutPrefix(strings.ToUpper(text), "NOT-")
	if word == rating.H0 || word == rating.H1 {
		r.figure, r.not = word, not
		if !plan.Format.Sequential() {
			return r, fmt.Errorf("only sprt makes decisions, and this is a %s, expected a bound such as 'elo_lo > -5'", plan.Format.Name)
		}
		return r, nil
	}
	m := bound().FindStringSubmatch(text)
	if m == nil {
		return r, fmt.Errorf("not a requirement, expected h1, not-h0, or a bound on elo, elo_lo, elo_hi, los, score, games, " +
			"faults or faults_percent, such as 'elo_lo > -5'")
	}
	value, err := strconv.ParseFloat(m[3], 64)
	r.figure, r.op, r.value = m[1], m[2], value
	counts, n := r.figure == "games" || strings.HasPrefix(r.figure, "faults"), len(plan.Engines)
	switch {
	case err != nil || value-value != 0:
		return r, fmt.Errorf("%q is not a number", m[3])
	case n == 1 && !counts:
		return r, fmt.Errorf("%s has no meaning for one engine against itself, expected games or faults", r.figure)
	case n != 2 && r.figure == "los":
		return r, fmt.Errorf("los needs two engines, and this run has %d, expected elo, elo_lo, elo_hi or score", n)
	case (r.figure == "los" || r.figure == "score") && (value < 0 || value > 1):
		return r, fmt.Errorf("%s is a fraction, expected a bound between 0 and 1", r.figure)
	}
	return r, nil
}

// Met reports whether a run meets all requirements, and says how each came out.
func Met(requirements []Requirement, sum *arena.Summary, say func(string)) bool {
	all := true
	for i := range requirements {
		met, detail := requirements[i].Met(sum)
		switch {
		case !met:
			all = false
			say("requirement not met: " + detail)
		case !requirements[i].implied:
			say("requirement met: " + detail)
		}
	}
	return all
}

// Met reports whether the results meet the requirement, and describes them.
func (r *Requirement) Met(sum *arena.Summary) (met bool, detail string) {
	switch n := units(sum); {
	case sum.Doubt != nil:
		detail = sum.Doubt.Text
	case float64(sum.Unrated) > mostUnrated*float64(n):
		detail = fmt.Sprintf("%d of %d pairs are unrated, more than %g %%", sum.Unrated, n, 100*mostUnrated)
	case r.op == "":
		met, detail = r.decided(sum)
	case strings.HasPrefix(r.figure, "faults"):
		met, detail = r.faults(sum)
	default:
		value := figure(sum, r.figure)
		if value == nil {
			detail = r.figure + " is unknown from these games"
			break
		}
		met, detail = r.holds(*value), fmt.Sprintf("%s is %.4g", r.figure, *value)
		if w := warningOf(sum, arena.WarnExtended); w != "" {
			detail += "; " + w
		}
	}
	return met, r.text + ": " + detail
}

func (r *Requirement) holds(value float64) bool {
	return r.op[0] == '>' && value > r.value || r.op[0] == '<' && value < r.value || len(r.op) > 1 && value == r.value
}

// decided checks the decision of the run's test. A run that ended for another reason has none.
func (r *Requirement) decided(sum *arena.Summary) (bool, string) {
	if w := warningOf(sum, arena.WarnRetested); w != "" {
		return false, "only a test that was set before the first game can meet it, and " + w
	}
	if sum.Test == nil || sum.Stop.Finding() || sum.Test.Decision == rating.Continue {
		return r.not && !sum.Stop.Finding(), "the test is undecided"
	}
	decision := sum.Test.Decision
	return (decision == r.figure) != r.not, "the test is " + decision
}

// warningOf returns the first warning of a kind, "" for none.
func warningOf(sum *arena.Summary, kind arena.WarningKind) string {
	for _, w := range sum.Warnings {
		if w.Kind == kind {
			return w.Text
		}
	}
	return ""
}

// faults checks a bound on faults and describes the worst engine.
func (r *Requirement) faults(sum *arena.Summary) (bool, string) {
	met, detail, worst := true, "no engine was at fault", 0.0
	check := func(name string, failed, played int) {
		percent := 100 * float64(failed) / float64(max(played, 1))
		value := float64(failed)
		if r.figure == faultsPercent {
			value = percent
		}
		met = met && (r.holds(value) || r.implied && failed <= 1)
		if value > worst {
			worst = value
			detail = fmt.Sprintf("%s was at fault in %d of %s (%.3g %%)", name, failed, games(played), percent)
		}
	}
	for _, e := range sum.Figures.Engines {
		check(e.Name, e.Faults, int(e.Games))
	}
	for _, d := range sum.Dead {
		check(d.Engine, d.Faults, d.Games)
	}
	return met, detail
}

// figure returns a figure of the first engine: against the other engine if there are two, otherwise
// in the joint rating. If one side won all games, its Elo meets every bound on that side.
// Where a joint rating has no bound, it is infinite.
func figure(sum *arena.Summary, name string) *float64 {
	var s arena.Score
	for _, e := range sum.Figures.Engines {
		if e.Name == sum.Run.Plan.Engines[0].Name {
			s = e.Score
		}
	}
	if pairings := sum.Figures.Pairings; len(sum.Run.Plan.Engines) == 2 && len(pairings) > 0 {
		s = pairings[0].Score
	}
	value, score, side := s.Elo, s.Score, 0
	switch name {
	case "elo_lo":
		value, score, side = s.EloLo, s.BoundLo, -1
	case "elo_hi":
		value, score, side = s.EloHi, s.BoundHi, 1
	case "los":
		return s.LOS
	case "score":
		return s.Score
	case "games":
		return new(float64(s.Games))
	}
	switch {
	case value != nil || score == nil:
		return value
	case side != 0 && len(sum.Run.Plan.Engines) > 2:
		return new(math.Inf(side))
	}
	return new(rating.Elo(*score))
}
