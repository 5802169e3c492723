package hex

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/gametest"
	"thera/engine/hex/rules"
)

func TestSettings(t *testing.T) {
	for _, tt := range []struct {
		rules    rules.Settings
		openings Openings
		starts   int
		want     []string
	}{
		{rules.Settings{Size: 5}, Openings{}, 1, nil},
		{rules.Settings{Size: 5}, Openings{FirstMoves: []string{"all"}}, 25, nil},
		{rules.Settings{Size: 5}, Openings{FirstMoves: []string{"a1", "e5"}}, 2, nil},
		{rules.Settings{Size: 11}, Openings{FirstMoves: []string{"fair"}}, len(fairMoves(11)), nil},
		{rules.Settings{Size: 27}, Openings{}, 0, []string{"rules.size"}},
		{rules.Settings{Size: 1}, Openings{}, 0, []string{"rules.size"}},
		{rules.Settings{Size: 5}, Openings{FirstMoves: []string{"a1", "f1", "swap"}}, 0, []string{"openings.first_moves[1]", "openings.first_moves[2]"}},
	} {
		g, problems := New().With(&tt.rules, &tt.openings)
		var got []string
		for _, p := range problems {
			got = append(got, p.Path)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v: %s", tt, diff)
		}
		if g == nil {
			continue
		}
		if g.Starts() != tt.starts {
			t.Errorf("%v: %d starts, want %d", tt, g.Starts(), tt.starts)
		}
		seen := map[string]bool{}
		for i := range g.Starts() {
			p, err := g.Start(i, 1)
			if err != nil {
				t.Fatal(err)
			}
			seen[p.String()] = true
		}
		if len(seen) != tt.starts {
			t.Errorf("%v: %d distinct starts", tt, len(seen))
		}
		if _, err := g.Start(tt.starts, 1); err == nil {
			t.Errorf("start %d exists", tt.starts)
		}
	}
}

func TestContract(t *testing.T) {
	total := 0
	for size := rules.MinSize; size <= 7; size++ {
		total += gametest.RandomPlay(t, &Hex{rules: rules.Settings{Size: size, Swap: size%2 == 0}}, 4, 60, uint64(size))
	}
	if total < 200 {
		t.Errorf("%d positions seen", total)
	}
}
