package hex

import (
	"context"
	"os"
	"testing"
	"time"
)

func isLong() bool { return os.Getenv("THERA_LONG") == "1" }

func botOf(t testing.TB, options ...string) *bot {
	t.Helper()
	b := newBot()
	for i := 0; i < len(options); i += 2 {
		if err := b.set(options[i], options[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// playGame returns the winning colour.
func playGame(p *position, bots map[colour]*bot) colour {
	for _, b := range bots {
		b.reset(p.rules.Size)
	}
	for p.winner == none {
		c := bots[p.turn].choose(context.Background(), p.rules.Size, p.stones.cells, p.turn)
		p = p.put(c.cell)
	}
	return p.winner
}

// playPairs plays from single first stones, each both ways, and returns a's
// wins.
func playPairs(t testing.TB, size, games int, a, b *bot) int {
	t.Helper()
	wins := 0
	empty := sized(t, size, false).empty()
	for i := range games / 2 {
		first := (i*17 + 3) % (size * size)
		if playGame(empty.put(first), map[colour]*bot{black: a, white: b}) == black {
			wins++
		}
		if playGame(empty.put(first), map[colour]*bot{black: b, white: a}) == white {
			wins++
		}
	}
	return wins
}

func TestPlayerBeatsRandomLong(t *testing.T) {
	games := 10
	if isLong() {
		games = 100
	}
	wins := playPairs(t, 11, games, botOf(t, "playouts", "100"), botOf(t, "bot", "random"))
	if wins != games {
		t.Errorf("%d wins of %d games", wins, games)
	}
}

// The shipped two-distance bot, on 11 x 11. A second a move is some 60,000
// playouts and more; a share of that must do.
func TestPlayerBeatsTwoDistanceLong(t *testing.T) {
	games, playouts, share := 2, "1000", 0.5
	if isLong() {
		games, playouts, share = 100, "5000", 0.9
	}
	begin := time.Now()
	wins := playPairs(t, 11, games, botOf(t, "playouts", playouts), botOf(t, "bot", "two-distance"))
	t.Logf("%d wins of %d games in %v", wins, games, time.Since(begin))
	if float64(wins) < share*float64(games) {
		t.Errorf("%d wins of %d games, want %v", wins, games, share*float64(games))
	}
}

// Ten times the playouts, which is ten times the time.
func TestPlayerBeatsItsTenthLong(t *testing.T) {
	games, share := 4, 0.5
	if isLong() {
		games, share = 100, 0.65
	}
	begin := time.Now()
	wins := playPairs(t, 8, games, botOf(t, "playouts", "3000", "seed", "1"), botOf(t, "playouts", "300", "seed", "2"))
	t.Logf("%d wins of %d games in %v", wins, games, time.Since(begin))
	if float64(wins) < share*float64(games) {
		t.Errorf("%d wins of %d games, want %v", wins, games, share*float64(games))
	}
}
