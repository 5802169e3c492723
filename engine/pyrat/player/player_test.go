package player

import (
	"context"
	"testing"
	"time"

	"thera/engine/gametest"
	"thera/engine/pyrat/rules"
)

// generated returns a maze of a preset.
func generated(t testing.TB, preset string, seed uint64) *rules.Position {
	t.Helper()
	plan, _ := rules.Preset(preset)
	p, err := plan.Generate(seed, rules.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func search(p *rules.Position, playouts int) *Player {
	return New(p.Board(), Options{Strategy: Search, Depth: DefaultDepth, Playouts: playouts})
}

// duel plays one maze twice with changed seats and returns the points of a.
func duel(start *rules.Position, a, b *Player, limit time.Duration) float64 {
	points := 0.0
	for leg := range 2 {
		p := start
		players := [2]*Player{a, b}
		if leg == 1 {
			players = [2]*Player{b, a}
		}
		for p.ToMove() != 0 {
			var moves [2]rules.Move
			for i, player := range players {
				moves[i] = player.Think(context.Background(), p, i, limit, nil).Move
			}
			p = p.After(moves[0], moves[1])
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

// The search scores at least 70 % in 100 paired games on medium mazes at 50 ms a
// move, of which the built-in engine thinks 43. The short form plays 20 games on
// tiny mazes with 200 playouts a move.
func TestSearchBeatsGreedyLong(t *testing.T) {
	preset, mazes, playouts, limit := "tiny", uint64(10), 200, time.Duration(0)
	if gametest.Long(t) {
		preset, mazes, playouts, limit = "medium", 50, 0, 43750*time.Microsecond
	}
	points, began := 0.0, time.Now()
	for seed := range mazes {
		start := generated(t, preset, 1000+seed)
		points += duel(start, search(start, playouts), New(start.Board(), Options{Strategy: Greedy}), limit)
	}
	games := float64(2 * mazes)
	t.Logf("%v of %v games on %s mazes in %v", points, games, preset, time.Since(began).Round(time.Second))
	if points < 0.7*games {
		t.Errorf("Search made %v of %v against Greedy, want 70 %%", points, games)
	}
}

// With a fixed number of playouts a search finds the same move again, also after
// another search.
func TestSearchIsDeterministic(t *testing.T) {
	p := generated(t, "small", 4)
	b := search(p, 300)
	first := b.Think(t.Context(), p, 0, 0, nil)
	b.Think(t.Context(), generated(t, "small", 4), 1, 0, nil)
	again := b.Think(t.Context(), p, 0, 0, nil)
	if first.Move != again.Move || first.Score != again.Score || first.Depth != again.Depth || first.Nodes != 300 {
		t.Errorf("%+v, then %+v", first, again)
	}
}

// TestSearchStops soon after its context.
func TestSearchStops(t *testing.T) {
	p := generated(t, "medium", 4)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := search(p, 0).Think(ctx, p, 0, time.Hour, nil); got.Nodes != 32 {
		t.Errorf("%d playouts after the end", got.Nodes)
	}
}

// The last cheese is one step away and decides the game.
func TestSearchTakesWhatIsSure(t *testing.T) {
	p, err := rules.Parse("maze height:2 width:5; walls; mud; cheese (1,0); player1 rat (0,0); player2 python (4,1); turn 9; score rat:3 python:3", rules.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got := search(p, 100).Think(t.Context(), p, 0, 0, nil)
	if got.Move != rules.Right || p.Board().CellName(got.Target) != "(1,0)" || got.Score != 1 {
		t.Errorf("%+v", got)
	}
}

// A playout does not allocate: it uses the memory of the tree.
func TestPlayoutsAllocateNothing(t *testing.T) {
	b := search(generated(t, "medium", 1), 2000)
	b.Think(t.Context(), generated(t, "medium", 1), 0, 0, nil)
	if n := testing.AllocsPerRun(200, b.playout); n > 0 {
		t.Errorf("%v allocations a playout", n)
	}
}
