package rules_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/internal/slow"
	"thera/engine/santorini/rules"
)

// difference is one line of the files on which these rules and existing engines once
// differed. Next is what engines list, Accepted what the printed rules allow beyond it. A
// list of more than 80 states is only a hash.
type difference struct {
	vector
	Class    string   `json:"class"`
	Accepted []string `json:"accepted"`
}

func differences(t *testing.T, name string, want int) []difference {
	t.Helper()
	rows := gametest.Vectors[difference](t, filepath.Join("testdata", name))
	if len(rows) != want {
		t.Fatalf("%d rows of %s, want %d", len(rows), name, want)
	}
	return rows
}

// TestNextStatesDifferences checks every class of positions on which these rules once
// differed from existing engines.
func TestNextStatesDifferences(t *testing.T) {
	failed, rows := map[string]int{}, map[string]int{}
	for _, v := range differences(t, "next_states_v2_diff.jsonl.gz", 1576) {
		v.ID = v.Class
		rows[v.Class]++
		if !t.Run(v.Class, func(t *testing.T) { checkNext(t, v.vector, rules.V2) }) {
			failed[v.Class]++
		}
	}
	for class, n := range failed {
		t.Errorf("%s: %d of %d rows", class, n, rows[class])
	}
	if len(rows) < 31 {
		t.Errorf("%d classes, want 31", len(rows))
	}
}

// TestHole22ThirdComparison checks the positions on which these rules and existing engines
// differed in a third comparison, and their neighbours (same-…), on which they agreed. The
// slow model, on which the random comparisons rest, must hold as well.
func TestHole22ThirdComparison(t *testing.T) {
	failed, rows := map[string]int{}, map[string]int{}
	for _, v := range differences(t, "next_states_v2_third.jsonl.gz", 382) {
		for who, next := range map[string][]string{"the rules": fastNext(t, v.Fen), "the slow model": slowNext(slow.Next, v.Fen)} {
			class := v.Class + " of " + who
			rows[class]++
			if diff := cmp.Diff(v.Next, next); diff != "" {
				failed[class]++
				t.Logf("%s: %s (-want +got):\n%.1500s", class, v.Fen, diff)
			}
		}
		p := santorinitest.MustParse(t, v.Fen)
		l, wins := rules.NewMoveList(), rules.NewMoveList()
		l.Generate(&p)
		wins.GenerateWins(&p)
		checkWins(t, &p, l, wins)
		for _, turn := range rules.Turns(&p) {
			checkChain(t, &p, &turn)
		}
	}
	for class, n := range failed {
		t.Errorf("%s: %d of %d rows", class, n, rows[class])
	}
}

// TestNextStatesMore has positions of gods whose powers meet.
func TestNextStatesMore(t *testing.T) {
	for _, v := range differences(t, "next_states_v2_more.jsonl.gz", 1500) {
		checkNext(t, v.vector, rules.V2)
	}
}
