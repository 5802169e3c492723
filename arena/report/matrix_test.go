package report

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"thera/arena"
	"thera/arena/tournament"
)

// gods returns a run of one engine against itself with n roles. Role i beats
// role j more often the larger i is, and the first seat has a small advantage.
func gods(n, games int, strength func(i int) float64) *arena.Summary {
	sum := &arena.Summary{
		Run:     arena.RunInfo{Name: "gods.yaml", Game: "santorini", State: "finished", Plan: arena.Settings{Format: arena.Format{Name: "cells"}}},
		Engines: []arena.EngineSpec{{Name: "thera"}},
	}
	for i := range n {
		for j := range n {
			p := 1 / (1 + math.Pow(10, -(strength(i)-strength(j)+20)/400))
			wins := int(math.Round(p * float64(games)))
			sum.Rows = append(sum.Rows, singles("thera", "thera", 0, fmt.Sprintf("god%02d", i), fmt.Sprintf("god%02d", j), [3]int{wins, 0, games - wins}))
			sum.Run.Games += games
			sum.Counted += games
		}
	}
	return sum
}

func ladder(i int) float64 { return float64(40 * i) }

func TestMatrixOfRoles(t *testing.T) {
	for _, n := range []int{4, 14} {
		r := report(t, gods(n, 100, ladder))
		if len(r.Matrix) != n*n || len(r.Roles) != n || r.Roles[0].Name != fmt.Sprintf("god%02d", n-1) {
			t.Fatalf("%d cells, roles %v", len(r.Matrix), r.Roles)
		}
		var b bytes.Buffer
		if err := r.Write(&b, Terminal); err != nil {
			t.Fatal(err)
		}
		golden(t, fmt.Sprintf("gods%d.txt", n), b.Bytes())
	}
}

func TestBaselineTellsChangesFromNoise(t *testing.T) {
	base := gods(5, 400, ladder)
	base.Run.Name = "before"
	now := gods(6, 400, func(i int) float64 { // a new god, and god02 is much stronger
		if i == 2 {
			return ladder(i) + 120
		}
		return ladder(i)
	})
	if err := tournament.Against(now, base); err != nil {
		t.Fatal(err)
	}
	r := report(t, now)
	if r.Baseline != "before" || r.Changes[0].Name != "god02" || !r.Changes[0].Firm || r.Changes[0].Change < 60 {
		t.Errorf("%+v", r.Changes[0])
	}
	var b bytes.Buffer
	if err := r.Write(&b, Terminal); err != nil {
		t.Fatal(err)
	}
	golden(t, "baseline.txt", b.Bytes())
	// Compared with itself, a run has no significant change and no NaN.
	if err := tournament.Against(base, base); err != nil {
		t.Fatal(err)
	}
	for _, c := range base.Changes {
		if c.Firm || c.P != 1 {
			t.Errorf("%+v", c)
		}
	}
}
