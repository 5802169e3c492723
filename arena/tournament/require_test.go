package tournament

import (
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// met reports whether a run that ended meets one requirement.
func met(t *testing.T, plan *arena.Plan, text string, d *Director) bool {
	t.Helper()
	r, err := Requirements(plan, []string{text})
	gametest.OK(t, err)
	met, detail := r[0].Met(summaryOf(d))
	if !strings.HasPrefix(detail, strings.TrimSpace(text)+": ") {
		t.Errorf("%s: detail %q", text, detail)
	}
	return met
}

func TestRequirements(t *testing.T) {
	faulty := planOf("round-robin", 3, 10) // its first engine alone
	failing := func(p Pair, _ int) ended {
		if p.A == 0 {
			return ended{winner: 1, failed: 1, moved: true}
		}
		return ended{winner: -1}
	}
	test, table, two := planOf("sprt", 2, 100_000), planOf("round-robin", 3, 50), planOf("round-robin", 2, 10)
	best := planOf("round-robin", 3, 10)
	unrated, tolerated := planOf("round-robin", 2, 40), planOf("round-robin", 2, 40) // 4 and 2 of 40 pairs are unrated
	left := planOf("sprt", 2, 100)
	left.Engines[0].OnFault, left.Engines[0].MaxFault = arena.FaultDrop, 1
	ended := map[*arena.Plan]*Director{}
	ended[left], _ = simulate(t, left, failing, 1, alone())
	ended[faulty], _ = simulate(t, faulty, failing, 1, alone())
	ended[test], _ = simulate(t, test, byStrength(60), 1, alone())
	ended[table], _ = simulate(t, table, byStrength(60), 1, alone())
	ended[best], _ = simulate(t, best, stronger, 1, alone())
	ended[two], _ = simulate(t, two, stronger, 1, alone())
	ended[unrated], _ = simulate(t, unrated, unratedPairs(13), 1, alone())
	ended[tolerated], _ = simulate(t, tolerated, unratedPairs(20), 1, alone())
	for _, tt := range []struct {
		text string
		plan *arena.Plan
		met  bool
	}{
		{"h1", test, true},
		{"H0", test, false},
		{"not-h0", test, true},
		{"not-h1", test, false},
		{"h1", left, false},
		{"not-h0", left, false},
		{"elo_lo > -5", test, true},
		{"elo<=0", test, false},
		{"los > 0.9", test, true},
		{"elo > 0", table, true},
		{"elo_hi < 0", table, false},
		{"score >= 0.5", table, true},
		{"games > 10", table, true},
		{"games >= 200", table, true},
		{"faults < 1", table, true},
		{"elo > 1000", two, true}, // a whitewash
		{"elo_lo > 50", two, true},
		{"elo_lo > 400", two, false},
		{"los > 0.9", two, false},
		{"elo_hi < 5000", best, false}, // it won every game: there is no upper bound
		{"elo_hi > 5000", best, true},
		{"elo_lo > 0", best, true},
		{"elo > 0", unrated, false},
		{"elo > 0", tolerated, true},
		{"faults < 1", faulty, false},
		{"faults <= 5", unrated, false},
		{"faults <= 5", tolerated, true},
	} {
		if got := met(t, tt.plan, tt.text, ended[tt.plan]); got != tt.met {
			t.Errorf("%s of %s: %v", tt.text, tt.plan.Format.Name, got)
		}
	}
}

// A requirement that no result can meet is refused before the run.
func TestRequirementsThatCannotBeMet(t *testing.T) {
	two, three, test, self := planOf("round-robin", 2, 10), planOf("round-robin", 3, 10), planOf("sprt", 2, 10), planOf("cells", 1, 10)
	for _, tt := range []struct {
		plan *arena.Plan
		text string
		want string
	}{
		{test, "h2", "not a requirement"},
		{test, "elo", "not a requirement"},
		{test, "", "not a requirement"},
		{test, "elo > x", "not a number"},
		{test, "elo > NaN", "not a number"},
		{test, "height > 5", "not a requirement"},
		{two, "h1", "only sprt makes decisions"},
		{two, "not-h0", "only sprt makes decisions"},
		{three, "los > 0.9", "los needs two engines, and this run has 3"},
		{two, "nelo > 0", "not a requirement"},
		{two, "score > 55", "score is a fraction"},
		{two, "los > 95", "los is a fraction"},
		{self, "elo > 0", "one engine against itself"},
	} {
		if _, err := Requirements(tt.plan, []string{tt.text}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q of %s: %v, want %s", tt.text, tt.plan.Format.Name, err, tt.want)
		}
	}
}

// Any requirement implies that engines work, but allows one fault.
func TestRequirementsOnFaults(t *testing.T) {
	failing := func(n int) referee { // b fails in so many games
		return func(p Pair, leg int) ended {
			if 2*p.Number+leg >= 8 && 2*p.Number+leg < 8+n {
				return ended{winner: 0, failed: 2, moved: true}
			}
			return byStrength(50)(p, leg)
		}
	}
	for _, tt := range []struct {
		n     int
		texts []string
		unmet int
		text  string
	}{
		{0, []string{"games > 1"}, 0, ""},
		{1, []string{"games > 1"}, 0, ""},
		{2, []string{"games > 1"}, 1, "faults_percent <= 1: b was at fault in 2 of 40 games (5 %)"},
		{2, []string{"games > 1", "faults_percent <= 5"}, 0, ""},
		{2, []string{"faults < 3"}, 0, ""},
		{1, []string{"faults < 1"}, 1, "faults < 1: b was at fault in 1 of 40 games (2.5 %)"},
		{1, []string{"faults_percent <= 1"}, 1, "faults_percent <= 1: b was at fault in 1 of 40 games (2.5 %)"},
		{2, nil, 0, ""},
	} {
		plan := planOf("round-robin", 2, 20)
		f, _ := simulate(t, plan, failing(tt.n), 1, alone())
		requirements, err := Requirements(plan, tt.texts)
		gametest.OK(t, err)
		unmet, text := 0, ""
		for i := range requirements {
			if met, detail := requirements[i].Met(summaryOf(f)); !met {
				unmet, text = unmet+1, detail
			}
		}
		if unmet != tt.unmet || text != tt.text {
			t.Errorf("%d faults, %q: %d not met, %q", tt.n, tt.texts, unmet, text)
		}
	}
}
