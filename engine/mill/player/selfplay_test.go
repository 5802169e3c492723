package player

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/rules"
)

// contestant is a player with its options and limits.
type contestant struct {
	options Options
	goal    Goal
	player  *Player
}

func enter(g Goal, change func(o *Options)) *contestant {
	o := strong(16)
	o.Algorithm = MTDF
	change(&o)
	return &contestant{options: o, goal: g, player: New()}
}

// contest plays pairs of games from random openings with colours exchanged, and
// returns a's points.
func contest(t *testing.T, a, b *contestant, pairs int, seed uint64) (points float64, text string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 3))
	won, drawn := 0, 0
	for range pairs {
		opening := rules.Start(rules.Default())
		for range 4 {
			list := moves(opening)
			opening = opening.Next(list[rng.IntN(len(list))])
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

func moves(p *rules.Position) []rules.Move {
	s, r := p.State(), p.Rules()
	return s.Moves(&r, nil)
}

// playGame returns the winner's side, or -1.
func playGame(t *testing.T, p *rules.Position, sides [2]*contestant) int {
	t.Helper()
	opening := p.State()
	for i, c := range sides {
		c.player.Clear()
		c.options.Seed = int(opening.Key()>>40) + i // each game has its own errors
	}
	for plies := 0; plies < 400; plies++ {
		if outcome, over := p.Outcome(); over {
			return int(outcome.Winner) - 1
		}
		c := sides[p.State().Turn]
		m := c.player.Think(context.Background(), p, &c.options, &c.goal, nil).Move
		if !slices.Contains(moves(p), m) {
			t.Fatalf("%s: plays %s", p, m)
		}
		p = p.Next(m)
	}
	return -1
}

// Each skill level beats the one ten below it.
func TestSkillLevelsAreOrderedLong(t *testing.T) {
	pairs, nodes := 3, int64(8000)
	if gametest.Long(t) {
		pairs, nodes = 30, 100_000
	}
	for level := 10; level <= 30; level += 10 {
		a := enter(Goal{Nodes: nodes}, func(o *Options) { o.Skill = level })
		b := enter(Goal{Nodes: nodes}, func(o *Options) { o.Skill = level - 10 })
		points, text := contest(t, a, b, pairs, uint64(level))
		t.Logf("level %d against %d: %s", level, level-10, text)
		if points <= float64(pairs) {
			t.Errorf("level %d against %d: %s", level, level-10, text)
		}
	}
}
