package mill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// long reports whether proofs run in full.
func long() bool { return os.Getenv("THERA_LONG") == "1" }

// contestant is a player with its limits.
type contestant struct {
	settings settings
	goal     goal
	player   *player
}

func enter(g goal, change func(s *settings)) *contestant {
	s := defaultSettings()
	s.skill, s.hash = fullStrength, 16
	change(&s)
	return &contestant{settings: s, goal: g, player: newPlayer()}
}

// contest plays pairs of games from random openings, each side once first, and
// returns a's points.
func contest(t *testing.T, a, b *contestant, pairs int, seed uint64) (points float64, text string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	won, drawn := 0, 0
	for range pairs {
		opening := newPosition(Position{state: startState(), rules: &defaultRules})
		for range 4 {
			list := opening.moves(opening.rules, nil)
			opening = opening.next(list[rng.IntN(len(list))])
		}
		for first := range 2 {
			sides := [2]*contestant{a, b}
			if first == 1 {
				sides = [2]*contestant{b, a}
			}
			switch winner := playGame(t, opening, sides); {
			case winner < 0:
				drawn++
			case sides[winner] == a:
				won++
			}
		}
	}
	games := 2 * pairs
	points = float64(won) + float64(drawn)/2
	return points, fmt.Sprintf("+%d =%d -%d, %.0f %%", won, drawn, games-won-drawn, 100*points/float64(games))
}

// playGame returns the winner's colour, or -1.
func playGame(t *testing.T, p *Position, sides [2]*contestant) int {
	t.Helper()
	for i, c := range sides {
		c.player.clear()
		c.settings.seed = int(p.state.key()>>40) + i // another game, other slips
	}
	for plies := 0; plies < 400; plies++ {
		if outcome, over := p.Outcome(); over {
			return int(outcome.Winner) - 1
		}
		c := sides[p.turn]
		m := c.player.think(context.Background(), p, &c.settings, &c.goal, nil).Move
		if !p.legal(p.rules, m) {
			t.Fatalf("%s: plays %s", p, m)
		}
		p = p.next(m)
	}
	return -1
}

// Every algorithm wins nearly always against random moves.
func TestAlgorithmsBeatRandomLong(t *testing.T) {
	pairs, nodes := 2, int64(3000)
	if long() {
		pairs, nodes = 50, 20_000
	}
	random := enter(goal{nodes: 1}, func(s *settings) { s.algorithm = 4 })
	for algorithm := range 4 {
		a := enter(goal{nodes: nodes}, func(s *settings) { s.algorithm = algorithm })
		points, text := contest(t, a, random, pairs, 11)
		t.Logf("%s against random: %s", drivers[algorithm].name, text)
		if points < 0.95*float64(2*pairs) {
			t.Errorf("%s against random: %s, want 95 %%", drivers[algorithm].name, text)
		}
	}
}

// Each skill level beats the one ten below it.
func TestSkillLevelsAreOrderedLong(t *testing.T) {
	pairs, nodes := 3, int64(20_000)
	if long() {
		pairs, nodes = 30, 100_000
	}
	for level := 10; level <= 30; level += 10 {
		a := enter(goal{nodes: nodes}, func(s *settings) { s.skill = level })
		b := enter(goal{nodes: nodes}, func(s *settings) { s.skill = level - 10 })
		points, text := contest(t, a, b, pairs, uint64(level))
		t.Logf("level %d against %d: %s", level, level-10, text)
		if points <= float64(pairs) {
			t.Errorf("level %d against %d: %s", level, level-10, text)
		}
	}
}

// Ten times the nodes are worth something: the same without a clock.
func TestTenTimesTheNodesLong(t *testing.T) {
	pairs, nodes := 2, int64(2000)
	if long() {
		pairs, nodes = 50, 20_000
	}
	a := enter(goal{nodes: 10 * nodes}, func(s *settings) {})
	b := enter(goal{nodes: nodes}, func(s *settings) {})
	points, text := contest(t, a, b, pairs, 5)
	t.Logf("%d nodes against a tenth: %s", 10*nodes, text)
	if want := 0.65 * float64(2*pairs); long() && points < want || points < float64(pairs) {
		t.Errorf("%d nodes against a tenth: %s", 10*nodes, text)
	}
}
