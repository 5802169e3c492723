package pyrat

import (
	"context"
	"testing"
	"time"
)

// duel plays one maze twice with seats changed and returns a's points.
func duel(t testing.TB, start *position, a, b *brain, limit time.Duration) float64 {
	t.Helper()
	points := 0.0
	for leg := range 2 {
		p := start
		for p.end() == running {
			players := [2]*brain{a, b}
			if leg == 1 {
				players = [2]*brain{b, a}
			}
			var asked [2]string
			for i, player := range players {
				m := player.think(context.Background(), p, i, limit, nil).move
				asked[i] = letters[m : m+1]
			}
			next, err := p.play(asked)
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
		o, _ := p.Outcome()
		switch int(o.Winner) {
		case leg + 1:
			points++
		case 0:
			points += 0.5
		}
	}
	return points
}

func TestX(t *testing.T) {
	for _, c := range []struct{ a, b string; n int }{{balanced, greedy, 0}, {search, greedy, 1000}, {search, greedy, 5000},{search, balanced, 1000}} {
		points := 0.0
		began := time.Now()
		for seed := range uint64(20) {
			start := generated(t, "medium", seed)
			points += duel(t, start, newBrain(start.board, c.a, 40, c.n), newBrain(start.board, c.b, 40, c.n), 0)
		}
		t.Logf("%v: %v of 40, %v", c, points, time.Since(began))
	}
}
