package pyrat

import (
	"context"
	"os"
	"testing"
	"time"
)

func long() bool { return os.Getenv("THERA_LONG") == "1" }

// duel plays one maze twice with seats changed and returns a's points.
func duel(t testing.TB, start *position, a, b *brain, limit time.Duration) float64 {
	t.Helper()
	points := 0.0
	for leg := range 2 {
		p := start
		players := [2]*brain{a, b}
		if leg == 1 {
			players = [2]*brain{b, a}
		}
		for p.end() == running {
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

// TestSearchBeatsGreedyLong: at least 70 % over 100 paired games on medium
// mazes at 50 ms a move, of which the built-in engine thinks 43; in short form
// over 20 games on tiny ones with 200 playouts a move.
func TestSearchBeatsGreedyLong(t *testing.T) {
	preset, mazes, playouts, limit := "tiny", uint64(10), 200, time.Duration(0)
	if long() {
		preset, mazes, playouts, limit = "medium", 50, 0, thinkingTime(50*time.Millisecond)
	}
	points, began := 0.0, time.Now()
	for seed := range mazes {
		start := generated(t, preset, 1000+seed)
		points += duel(t, start, newBrain(start.board, search, defaultDepth, playouts), newBrain(start.board, greedy, 1, 0), limit)
	}
	games := float64(2 * mazes)
	t.Logf("%v of %v games on %s mazes in %v", points, games, preset, time.Since(began).Round(time.Second))
	if points < 0.7*games {
		t.Errorf("Search made %v of %v against Greedy, want 70 %%", points, games)
	}
}

func TestBalancedBeatsGreedy(t *testing.T) {
	points := 0.0
	for seed := range uint64(20) {
		start := generated(t, "medium", seed)
		points += duel(t, start, newBrain(start.board, balanced, 1, 0), newBrain(start.board, greedy, 1, 0), 0)
	}
	if points < 24 {
		t.Errorf("%v of 40", points)
	}
}

// TestSearchIsDeterministic with a fixed number of playouts, also after other
// work.
func TestSearchIsDeterministic(t *testing.T) {
	p := generated(t, "small", 4)
	b := newBrain(p.board, search, defaultDepth, 300)
	first := b.think(t.Context(), p, 0, 0, nil)
	b.think(t.Context(), generated(t, "small", 4), 1, 0, nil)
	again := b.think(t.Context(), p, 0, 0, nil)
	if first.move != again.move || first.score != again.score || first.depth != again.depth || first.nodes != 300 {
		t.Errorf("%+v, then %+v", first, again)
	}
}

// TestSearchStops soon after its context.
func TestSearchStops(t *testing.T) {
	p := generated(t, "medium", 4)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := newBrain(p.board, search, defaultDepth, 0).think(ctx, p, 0, time.Hour, nil); got.nodes != 32 {
		t.Errorf("%d playouts after the end", got.nodes)
	}
}

// TestSearchTakesWhatIsSure: the last cheese, one step away, decides.
func TestSearchTakesWhatIsSure(t *testing.T) {
	p := mustParse(t, "maze height:2 width:5; walls; mud; cheese (1,0); player1 rat (0,0); player2 python (4,1); turn 9; score rat:3 python:3")
	got := newBrain(p.board, search, defaultDepth, 100).think(t.Context(), p, 0, 0, nil)
	if got.move != right || got.target != p.board.cell(1, 0) || got.score != 1 {
		t.Errorf("%+v", got)
	}
}

// TestPathsCountMud holds the distances to a walk by the rules.
func TestPathsCountMud(t *testing.T) {
	p := generated(t, "small", 2)
	paths := newPaths(p.board)
	for k, cheese := range p.board.order {
		for cell := range int16(p.board.cells()) {
			s := state{at: [2]int16{cell, 0}, dest: [2]int16{cell, 0}}
			none := newCheeses(p.board.cells())
			turns := int32(0)
			for s.at[0] != cheese || s.timer[0] > 0 {
				s.step(p.board.maze, none, paths.to(int16(k), s.at[0]), stay)
				if turns++; turns > 1000 {
					t.Fatalf("no way from %s to %s", p.board.name(cell), p.board.name(cheese))
				}
			}
			if want := paths.turns(int16(k), cell); turns != want {
				t.Fatalf("%s to %s takes %d turns, not %d", p.board.name(cell), p.board.name(cheese), turns, want)
			}
			// No first move leads there sooner.
			for move := range moves {
				n := p.board.next[int(cell)*moves+move]
				if n >= 0 && paths.turns(int16(k), n)+1+int32(p.board.mud[int(cell)*moves+move]) < paths.turns(int16(k), cell) {
					t.Fatalf("from %s %s is shorter", p.board.name(cell), words[move])
				}
			}
		}
	}
}

func TestSignature(t *testing.T) {
	got, err := New().Signature(t.Context(), map[string]string{"Playouts": "40"})
	if err != nil {
		t.Fatal(err)
	}
	const want = 14666
	if got != want {
		t.Errorf("signature %d, want %d: the player has changed", got, want)
	}
	if _, err := New().Signature(t.Context(), map[string]string{"Playouts": "x"}); err == nil {
		t.Error("a bad switch was taken")
	}
}

// TestPlayoutsAllocateNothing: a playout needs no memory of its own.
func TestPlayoutsAllocateNothing(t *testing.T) {
	p := generated(t, "medium", 1)
	b := newBrain(p.board, search, defaultDepth, 2000)
	b.think(t.Context(), p, 0, 0, nil)
	set := b.left(p)
	if n := testing.AllocsPerRun(200, func() { b.playout(p, set) }); n > 0 {
		t.Errorf("%v allocations a playout", n)
	}
}
