package report

import (
	"bytes"
	"fmt"
	"math"
	"strings"
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
		at := map[[2]string]arena.MatrixCell{}
		for _, c := range r.Matrix {
			at[[2]string{c.Row, c.Col}] = c
		}
		for _, c := range r.Matrix {
			back := at[[2]string{c.Col, c.Row}]
			switch {
			case c.Row == c.Col:
				if c.Games != 100 || math.Abs(*c.Score-0.53) > 1e-9 {
					t.Errorf("mirror %+v, score %v", c, *c.Score)
				}
			case c.Games != 200 || math.Abs(*c.Score+*back.Score-1) > 1e-12 || math.Abs(*c.Lo+*back.Hi-1) > 1e-12:
				t.Errorf("%+v and %+v do not mirror", c, back)
			case c.Row > c.Col && *c.Score <= 0.5:
				t.Errorf("%s is not stronger than %s", c.Row, c.Col)
			}
			if *c.FirstScore < *c.Score && c.Row != c.Col {
				t.Errorf("%s has no advantage in the first seat against %s", c.Row, c.Col)
			}
		}
		oneSided, balanced := r.extremes(3)
		if len(oneSided) == 0 || oneSided[0].Row != fmt.Sprintf("god%02d", n-1) || oneSided[0].Col != "god00" {
			t.Errorf("most one-sided %+v", oneSided)
		}
		if len(balanced) > 0 { // 56 % of 200 games may be 62 %
			t.Errorf("most balanced %+v", balanced)
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
	for _, c := range r.Changes {
		touched := strings.Contains(c.Name, "god02")
		if strings.Contains(c.Name, "god05") {
			t.Errorf("a god that is new has changed: %+v", c)
		}
		if c.Kind == "matchup" && c.Firm != touched && c.Name != "god02 - god02" {
			t.Errorf("%+v", c)
		}
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
