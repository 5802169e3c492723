package rules_test

import (
	"slices"
	"testing"

	"thera/engine/gametest"
	"thera/engine/santorini/rules"
)

// TestFastPathAgrees checks that the fast path and the full rules list the same
// states and the same wins.
func TestFastPathAgrees(t *testing.T) {
	l := rules.NewMoveList()
	checked := 0
	for _, v := range gametest.Vectors[vector](t, "testdata/next_states_v1.jsonl.gz") {
		p, _, err := rules.Parse(v.Fen)
		if err != nil {
			t.Fatal(err)
		}
		l.Generate(&p)
		var fast, full, wins []string
		for _, m := range l.Moves {
			q := l.Child(&p, m)
			fast = append(fast, rules.Text(&q, rules.V2))
			if m.Wins() != (q.Winner != 0) {
				t.Errorf("%s: move says win %v, state %s", v.Fen, m.Wins(), rules.Text(&q, rules.V2))
			}
			if m.Wins() {
				wins = append(wins, rules.Text(&q, rules.V2))
			}
		}
		for _, turn := range rules.Turns(&p) {
			full = append(full, rules.Text(&turn.Next, rules.V2))
		}
		slices.Sort(fast)
		slices.Sort(full)
		if !slices.Equal(fast, full) {
			t.Errorf("%s: fast %d, full %d states", v.Fen, len(fast), len(full))
		}
		l.GenerateWins(&p)
		var only []string
		for _, m := range l.Moves {
			q := l.Child(&p, m)
			only = append(only, rules.Text(&q, rules.V2))
		}
		if !slices.Equal(only, wins) {
			t.Errorf("%s: wins %v, winning gives %v", v.Fen, wins, only)
		}
		checked += len(fast)
	}
	if checked < 10000 {
		t.Errorf("only %d states compared", checked)
	}
}

func BenchmarkPerft(b *testing.B) {
	p, _, err := rules.Parse("0000000000000000000000000/1/mortal:11,13/mortal:7,17")
	if err != nil {
		b.Fatal(err)
	}
	var leaves uint64
	for b.Loop() {
		n, err := rules.Count(b.Context(), &p, 4)
		if err != nil || n != 24545388 {
			b.Fatalf("%d leaves, %v", n, err)
		}
		leaves += n
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
