package player

import (
	"math"
	"math/rand/v2"
	"testing"
)

// played is a stage in which each pair was played often with that value.
func played(values [][]float64) *stage {
	s := &stage{rows: len(values), columns: len(values[0])}
	for i, row := range values {
		for j, v := range row {
			s.n[i][j], s.value[i][j], s.lead[i][j] = 1e6, 1e6*v, 1e6*(10*v-5)
		}
	}
	return s
}

// TestSolveKnownGames have equilibria that are known.
func TestSolveKnownGames(t *testing.T) {
	for _, tt := range []struct {
		name   string
		values [][]float64
		value  float64
		mix    [2][]float64
	}{
		{"pennies", [][]float64{{1, 0}, {0, 1}}, 0.5, [2][]float64{{0.5, 0.5}, {0.5, 0.5}}},
		{"unfair pennies", [][]float64{{1, 0}, {0, 0.5}}, 1.0 / 3, [2][]float64{{1.0 / 3, 2.0 / 3}, {1.0 / 3, 2.0 / 3}}},
		{"rock, paper, scissors", [][]float64{{0.5, 0, 1}, {1, 0.5, 0}, {0, 1, 0.5}}, 0.5, [2][]float64{{1. / 3, 1. / 3, 1. / 3}, {1. / 3, 1. / 3, 1. / 3}}},
		{"a saddle", [][]float64{{0.6, 0.7}, {0.2, 0.9}}, 0.6, [2][]float64{{1, 0}, {1, 0}}},
		{"one choice", [][]float64{{0.3, 0.2, 0.4}}, 0.2, [2][]float64{{1}, {0, 1, 0}}},
	} {
		e := played(tt.values).solve()
		if math.Abs(e.Value-tt.value) > 1e-5 || math.Abs(e.Lead-(10*tt.value-5)) > 1e-4 {
			t.Errorf("%s: value %.4f and lead %.4f, want %.4f", tt.name, e.Value, e.Lead, tt.value)
		}
		for p, want := range tt.mix {
			for k, share := range want {
				if len(e.Mix[p]) != len(want) || math.Abs(e.Mix[p][k]-share) > 1e-4 {
					t.Errorf("%s: mix %v, want %v", tt.name, e.Mix[p], want)
					break
				}
			}
		}
	}
}

// TestNobodyGainsByAnotherChoice compares the value with the best answers to both mixes.
func TestNobodyGainsByAnotherChoice(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for range 1000 {
		values := make([][]float64, 1+random.IntN(wide))
		columns := 1 + random.IntN(wide)
		for i := range values {
			for range columns {
				values[i] = append(values[i], random.Float64())
			}
		}
		e := played(values).solve()
		best, least := 0.0, 1.0
		for i := range values {
			worth := 0.0
			for j, q := range e.Mix[1] {
				worth += q * values[i][j]
			}
			best = max(best, worth)
		}
		for j := range columns {
			worth := 0.0
			for i, q := range e.Mix[0] {
				worth += q * values[i][j]
			}
			least = min(least, worth)
		}
		if best-least > 1e-5 || e.Value > best+1e-5 || e.Value < least-1e-5 {
			t.Errorf("%v: value %.4f, but the players can have %.4f and %.4f", values, e.Value, best, least)
		}
	}
}

// TestStageOfASearch has all playouts of both players in the matrix, and says that a sure
// win is one.
func TestStageOfASearch(t *testing.T) {
	p := generated(t, "small", 4)
	player := search(p, 400)
	got := player.Think(t.Context(), p, 0, 0, nil)
	sum := 0.0
	for _, row := range player.tree.stage.n {
		for _, n := range row {
			sum += n
		}
	}
	e := got.Stage
	if sum != 400 || e == nil || e.Value < 0.2 || e.Value > 0.8 || len(e.Targets[0]) < 2 || len(e.Mix[1]) < 2 {
		t.Errorf("%v playouts, %+v", sum, e)
	}
	for i, mix := range e.Mix {
		total := 0.0
		for _, share := range mix {
			total += share
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("mix %d: %v", i, mix)
		}
	}
	if again := search(p, 400).Think(t.Context(), p, 0, 0, nil); again.Stage.Value != e.Value || again.Stage.Lead != e.Lead {
		t.Errorf("%+v, then %+v", e, again.Stage)
	}
}
