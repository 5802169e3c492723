package santorini

import (
	"slices"
	"testing"
)

// TestFastPathAgrees: the bulk generator and the full rules list the same
// states, and the wins alone are the same wins.
func TestFastPathAgrees(t *testing.T) {
	f := newFrame()
	checked := 0
	for _, v := range vectors(t, "next_states_v1.jsonl.gz") {
		p, _, err := parse(v.Fen)
		if err != nil {
			t.Fatal(err)
		}
		f.generate(&p)
		var fast, full, wins []string
		for _, m := range f.moves {
			q := f.child(&p, m)
			fast = append(fast, q.text(formV2))
			if m.wins() != (q.winner != 0) {
				t.Errorf("%s: move says win %v, state %s", v.Fen, m.wins(), q.text(formV2))
			}
			if m.wins() {
				wins = append(wins, q.text(formV2))
			}
		}
		for _, turn := range allTurns(&p) {
			full = append(full, turn.next.text(formV2))
		}
		slices.Sort(fast)
		slices.Sort(full)
		if !slices.Equal(fast, full) {
			t.Errorf("%s: fast %d, full %d states", v.Fen, len(fast), len(full))
		}
		f.winning(&p)
		var only []string
		for _, m := range f.moves {
			q := f.child(&p, m)
			only = append(only, q.text(formV2))
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

// TestChainsAreTurns: each chain selects an own worker, moves it and builds,
// in the numbers that the god allows.
func TestChainsAreTurns(t *testing.T) {
	kinds := map[string]int{}
	for _, v := range vectors(t, "next_states_v1.jsonl.gz") {
		p, _, err := parse(v.Fen)
		if err != nil {
			t.Fatal(err)
		}
		for i, turn := range allTurns(&p) {
			word := ""
			for _, a := range turn.chain {
				word += a.Kind.String() + " "
			}
			kinds[word]++
			if got := p.workers[p.mover] & bit(turn.chain[0].At); got == 0 {
				t.Fatalf("%s: chain %v starts with no own worker", v.Fen, turn.chain)
			}
			if i%9 != 0 {
				continue
			}
			if again, ok := explain(&p, &turn.next); !ok || !slices.Equal(again, turn.chain) {
				t.Fatalf("%s: explain gives %v, want %v", v.Fen, again, turn.chain)
			}
		}
	}
	want := []string{
		"select_worker move_worker ", "select_worker move_worker build ",
		"select_worker move_worker move_worker ", "select_worker move_worker move_worker build ",
		"select_worker move_worker build build ",
	}
	for _, word := range want {
		if kinds[word] == 0 {
			t.Errorf("no chain %q", word)
		}
		delete(kinds, word)
	}
	if len(kinds) > 0 {
		t.Errorf("other chains: %v", kinds)
	}
}

func BenchmarkPerft(b *testing.B) {
	p, _, err := parse("0000000000000000000000000/1/mortal:11,13/mortal:7,17")
	if err != nil {
		b.Fatal(err)
	}
	var leaves uint64
	for b.Loop() {
		n, err := count(b.Context(), &p, 4)
		if err != nil || n != 24545388 {
			b.Fatalf("%d leaves, %v", n, err)
		}
		leaves += n
	}
	b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
}
