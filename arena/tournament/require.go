package tournament

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"thera/arena"
	"thera/arena/rating"
)

// Requirement is a condition on the result of a run: h1, not-h0, or a bound on a
// figure, as in "elo_lo > -5". A figure is the first engine's, except that
// faults and faults_percent must hold for every engine.
type Requirement struct {
	text     string
	decision string // H0 or H1; "" for a bound
	not      bool
	figure   string
	op       string
	value    float64
	implied  bool // one fault of an engine is always allowed
}

// score and los are fractions.
var bound = regexp.MustCompile(`^\s*(elo|elo_lo|elo_hi|nelo|los|score|llr|games|faults|faults_percent)\s*(>=|<=|>|<)\s*(\S+)\s*$`)

const faultsPercent = "faults_percent"

// mostUnrated is the share of pairs that may be unrated before a run proves nothing.
const mostUnrated = 0.05

// Requirements parses requirements for a run of the plan. A requirement without
// a meaning for the plan is an error. Unless there is a bound on faults, it
// adds that no engine is at fault in more than 1 % of its games.
func Requirements(plan *arena.Plan, texts []string) ([]Requirement, error) {
	var out []Requirement
	implied := len(texts) > 0
	for _, text := range texts {
		r, err := parse(text)
		if err == nil {
			err = r.canMeet(plan)
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		implied = implied && !strings.HasPrefix(r.figure, "faults")
		out = append(out, r)
	}
	if implied {
		out = append(out, Requirement{text: faultsPercent + " <= 1", figure: faultsPercent, op: "<=", value: 1, implied: true})
	}
	return out, nil
}

func parse(text string) (Requirement, error) {
	r := Requirement{text: strings.TrimSpace(text)}
	word, not := strings.CutPrefix(strings.ToLower(r.text), "not-")
	if word == "h0" || word == "h1" {
		r.decision, r.not = strings.ToUpper(word), not
		return r, nil
	}
	m := bound.FindStringSubmatch(text)
	if m == nil {
		return r, fmt.Errorf("not a requirement, expected h1, not-h0, or a bound on elo, elo_lo, elo_hi, nelo, los, score, llr, games, " +
			"faults or faults_percent, such as 'elo_lo > -5'")
	}
	value, err := strconv.ParseFloat(m[3], 64)
	if err != nil || value-value != 0 {
		return r, fmt.Errorf("%q is not a number", m[3])
	}
	r.figure, r.op, r.value = m[1], m[2], value
	return r, nil
}

// canMeet refuses a requirement that has no meaning for the plan.
func (r *Requirement) canMeet(plan *arena.Plan) error {
	n, tests := len(plan.Engines), plan.Format.Sequential()
	switch {
	case (r.decision != "" || r.figure == "llr") && !tests:
		return fmt.Errorf("only sprt makes decisions, and this is a %s, expected a bound such as 'elo_lo > -5'", plan.Format.Name)
	case (r.figure == "los" || r.figure == "nelo") && n != 2:
		return fmt.Errorf("%s needs two engines, and this run has %d, expected elo, elo_lo, elo_hi or score", r.figure, n)
	case n == 1 && r.figure != "games" && !strings.HasPrefix(r.figure, "faults"):
		return fmt.Errorf("%s has no meaning for one engine against itself, expected games or faults", r.figure)
	case (r.figure == "los" || r.figure == "score") && (r.value < 0 || r.value > 1):
		return fmt.Errorf("%s is a fraction, expected a bound between 0 and 1", r.figure)
	}
	return nil
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
		return false, r.text + ": " + sum.Doubt.Text
	case float64(sum.Unrated) > mostUnrated*float64(n):
		return false, fmt.Sprintf("%s: %d of %d pairs are unrated, more than %g %%", r.text, sum.Unrated, n, 100*mostUnrated)
	case r.decision != "":
		return r.decided(sum)
	case strings.HasPrefix(r.figure, "faults"):
		return r.faults(sum)
	}
	value := figure(sum, r.figure)
	if value == nil {
		return false, fmt.Sprintf("%s: %s is unknown from these games", r.text, r.figure)
	}
	detail = fmt.Sprintf("%s: %s is %.4g", r.text, r.figure, *value)
	if w := warningOf(sum, arena.WarnExtended); w != "" {
		detail += "; " + w
	}
	return r.holds(*value), detail
}

func (r *Requirement) holds(value float64) bool {
	switch r.op {
	case ">":
		return value > r.value
	case ">=":
		return value >= r.value
	case "<":
		return value < r.value
	}
	return value <= r.value
}

// decided checks the decision of the run's test. A run that ended for another
// reason has none.
func (r *Requirement) decided(sum *arena.Summary) (bool, string) {
	if w := warningOf(sum, arena.WarnRetested); w != "" {
		return false, fmt.Sprintf("%s: only a test that was set before the first game can meet it, and %s", r.text, w)
	}
	decision := rating.Continue
	if len(sum.Tests) > 0 && !sum.Stop.Finding() {
		decision = sum.Tests[0].Decision
	}
	met := (decision == r.decision) != r.not && !sum.Stop.Finding()
	if decision == rating.Continue {
		decision = "undecided"
	}
	return met, fmt.Sprintf("%s: the test is %s", r.text, decision)
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
	met, detail, worst := true, r.text+": no engine was at fault", 0.0
	for i := range sum.Engines {
		failed, played := faultsOf(sum, sum.Engines[i].Name)
		percent := 100 * float64(failed) / float64(max(played, 1))
		value := float64(failed)
		if r.figure == faultsPercent {
			value = percent
		}
		met = met && (r.holds(value) || r.implied && failed <= 1)
		if value > worst {
			worst = value
			detail = fmt.Sprintf("%s: %s was at fault in %d of %s (%.3g %%)", r.text, sum.Engines[i].Name, failed, games(played), percent)
		}
	}
	return met, detail
}

// faultsOf returns an engine's numbers of faults and games.
func faultsOf(sum *arena.Summary, name string) (failed, played int) {
	for _, d := range sum.Dead {
		if d.Engine == name {
			return d.Faults, d.Games
		}
	}
	for i := range sum.Rows {
		row := &sum.Rows[i]
		for side, engine := range row.Pairing {
			if engine != name {
				continue
			}
			failed += row.Sides[side].Failed
			if side == 0 || row.Pairing[0] != name { // count a game against itself once
				played += row.Total() + row.Both
			}
		}
	}
	return failed, played
}

// figure returns a figure of the first engine: against the other engine if there
// are two, else in the joint rating.
func figure(sum *arena.Summary, name string) *float64 {
	var s arena.Score
	var nelo *float64
	for _, e := range sum.Figures.Engines {
		if e.Name == sum.Engines[0].Name {
			s = e.Score
		}
	}
	if pairings := sum.Figures.Pairings; len(sum.Engines) == 2 && len(pairings) > 0 {
		s, nelo = pairings[0].Score, pairings[0].Nelo
	}
	switch name {
	case "elo":
		return eloOf(s.Elo, s.Score)
	case "elo_lo":
		return eloOf(s.EloLo, s.BoundLo)
	case "elo_hi":
		return eloOf(s.EloHi, s.BoundHi)
	case "nelo":
		return nelo
	case "los":
		return s.LOS
	case "score":
		return s.Score
	case "llr":
		return &sum.Tests[0].LLR
	}
	_, played := faultsOf(sum, sum.Engines[0].Name)
	n := float64(played)
	return &n
}

// eloOf returns elo, or the Elo of score if elo is undefined. So a whitewash
// meets every lower bound on Elo, and its own bounds are Wilson's.
func eloOf(elo, score *float64) *float64 {
	if elo != nil || score == nil {
		return elo
	}
	of := rating.Elo(*score)
	return &of
}
