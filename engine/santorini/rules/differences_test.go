package rules_test

import (
	"path/filepath"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
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
		if !t.Run(v.Class, func(t *testing.T) { checkNext(t, v.vector, wire.V2) }) {
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

// TestNextStatesMore has positions of gods whose powers meet.
func TestNextStatesMore(t *testing.T) {
	for _, v := range differences(t, "next_states_v2_more.jsonl.gz", 1500) {
		checkNext(t, v.vector, wire.V2)
	}
}

// TestAccepted checks that the states that only the printed rules allow are not listed,
// and that PrintedOnly names their class.
func TestAccepted(t *testing.T) {
	l := rules.NewMoveList()
	for _, v := range differences(t, "accepted_v2.jsonl.gz", 548) {
		p, _, err := wire.Parse(v.Fen)
		if err != nil {
			t.Errorf("%s: %v", v.Fen, err)
			continue
		}
		for _, text := range v.Accepted {
			q, _, err := wire.Parse(text)
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			if _, ok := l.Find(&p, &q); ok {
				t.Errorf("%s: %s is listed", v.Fen, text)
			}
			if class, ok := rules.PrintedOnly(&p, &q); !ok || class != v.Class {
				t.Errorf("%s: %s is of class %q (%v), want %s", v.Fen, text, class, ok, v.Class)
			}
		}
	}
}
