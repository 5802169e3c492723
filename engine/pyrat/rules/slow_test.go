package rules_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/pyrat/internal/slow"
	"thera/engine/pyrat/player"
	"thera/engine/pyrat/rules"
)

// differ describes where p and the model differ, "" if nowhere.
func differ(m *slow.Model, p *rules.Position) string {
	s := p.State()
	name := func(cell rules.Cell) string { return strings.Trim(p.Board().CellName(cell), "()") }
	for i := range 2 {
		switch {
		case name(s.At[i]) != m.At[i]:
			return fmt.Sprintf("player %d is at %s, not %s", i+1, name(s.At[i]), m.At[i])
		case int(s.Timer[i]) != m.Stuck[i]:
			return fmt.Sprintf("player %d is stuck for %d, not %d", i+1, s.Timer[i], m.Stuck[i])
		case float64(s.Score[i])/2 != m.Score[i]:
			return fmt.Sprintf("player %d has %v, not %v", i+1, float64(s.Score[i])/2, m.Score[i])
		}
	}
	if int(s.Left) != len(m.Cheese) {
		return fmt.Sprintf("%d cheese, not %d", s.Left, len(m.Cheese))
	}
	if _, over := p.Outcome(); over != m.Over() {
		return fmt.Sprintf("over: %v, not %v", over, m.Over())
	}
	return ""
}

// compare plays random games, with half of the moves towards cheese, until
// rules and model differ or that many positions have been seen.
func compare(t *testing.T, mutation, positions int) (seen int, difference string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	for seed := uint64(0); ; seed++ {
		small := rules.Plan{Width: 3 + int(seed%4), Height: 3 + int(seed/2%3), Cheese: 4, MaxTurns: 30, Walls: 0.4, Mud: 0.4, MudMin: 2, MudMax: 4}
		p, err := small.Generate(seed, rules.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		m := slow.New(strings.Split(p.String(), "; "), mutation)
		greedy := player.New(p.Board(), player.Options{Strategy: player.Greedy})
		for {
			if seen++; seen > positions {
				return seen, ""
			}
			if d := differ(m, p); d != "" {
				return seen, d
			}
			if p.ToMove() == 0 {
				break
			}
			var turn game.Turn
			for i := range turn {
				move := rules.Move(rng.IntN(rules.NumMoves))
				if rng.IntN(2) == 0 {
					move = greedy.Think(t.Context(), p, i, 0, nil).Move
				}
				turn[i] = move.Letter()
			}
			m.Play(turn)
			next, err := p.Play(turn)
			if err != nil {
				t.Fatal(err)
			}
			p = next.(*rules.Position)
		}
	}
}

// TestRulesAgreeWithASlowModel also proves that the comparison is sharp: each
// broken rule is found within 1,000 positions.
func TestRulesAgreeWithASlowModel(t *testing.T) {
	for mutation, name := range slow.Faults {
		if mutation == 0 {
			if seen, difference := compare(t, 0, 5000); difference != "" {
				t.Errorf("after %d positions: %s", seen, difference)
			}
			continue
		}
		seen, difference := compare(t, mutation, 1000)
		if difference == "" {
			t.Errorf("%s: not found in 1,000 positions", name)
			continue
		}
		t.Logf("%s: found at position %d: %s", name, seen, difference)
	}
}
