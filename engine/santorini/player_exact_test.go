package santorini

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"thera/engine/search"
)

func long() bool { return os.Getenv("THERA_LONG") == "1" }

// plainest is minimax without anything clever. It fills values, if given, with
// the value of each of the root's turns.
func plainest(w *walker, depth, ply int, values *[]int) int {
	p := w.now()
	if p.winner != 0 {
		return search.LossIn(ply)
	}
	if depth == 0 {
		return w.Evaluate()
	}
	f := newFrame()
	f.generate(p)
	if len(f.moves) == 0 {
		return search.LossIn(ply)
	}
	best := -search.Infinity
	for _, m := range f.moves {
		w.states[w.at+1] = f.child(p, m)
		w.at++
		score := -plainest(w, depth-1, ply+1, nil)
		w.at--
		if values != nil {
			*values = append(*values, score)
		}
		best = max(best, score)
	}
	return best
}

// smallPosition is a position of a random game with few sequences of depth
// turns below it.
func smallPosition(r *rand.Rand, depth int, most uint64) state {
	gods := []God{mortal, pan, artemis, hephaestus}
	for {
		p, _ := startOf(matchup{gods[r.IntN(4)], gods[r.IntN(4)]}, false)
		f := newFrame()
		var game []state
		for {
			f.generate(&p)
			if p.winner != 0 || len(f.moves) == 0 {
				break
			}
			game = append(game, p)
			p = f.child(&p, f.moves[r.IntN(len(f.moves))])
		}
		p = game[len(game)*2/3+r.IntN(len(game)-len(game)*2/3)]
		// Counting itself must stay cheap.
		wide := uint64(math.Pow(float64(most), 2/float64(depth)))
		if n, _ := count(context.Background(), &p, 2); n > 2*wide || n < wide/4 {
			continue
		}
		if n, _ := count(context.Background(), &p, depth); n < most && n > most/50 {
			return p
		}
	}
}

// TestLongPlayerEqualsMinimax: without pruning the player's score is plain
// minimax's, and its turn the first best one; order and table keep the score
// and play one of the best. The long form looks at 500 positions, depth 5.
func TestLongPlayerEqualsMinimax(t *testing.T) {
	positions, depth, most := 25, 4, uint64(100_000)
	if long() {
		positions, depth, most = 500, 5, 3_000_000
	}
	unsound := []string{
		"extensions", "reductions", "futility", "latepruning", "standing", "nullmove", "quiescence", "wins", "blocks",
	}
	orders := []string{"ordering", "killers", "history", "table"}
	ctx := context.Background()
	r := rand.New(rand.NewPCG(5, 500))
	begin, decided := time.Now(), 0
	w := newWalker()
	quick := newPlayer()
	for seen := 0; seen < positions; {
		pos := smallPosition(r, depth, most)
		if sign, _ := search.Proven(quick.search(ctx, &pos, thinkLimits{Depth: depth}, nil).score); sign != 0 && decided > seen/4 {
			continue // most positions should be told apart by their evaluation
		}
		seen++
		w.set(&pos)
		var values []int
		want := plainest(w, depth, 0, &values)
		f := newFrame()
		f.generate(&pos)
		for _, ordered := range []bool{false, true} {
			p := newPlayer()
			off := unsound
			if !ordered {
				off = append(off[:len(off):len(off)], orders...)
			}
			for _, name := range append(off, "hash") {
				if err := p.set(name, map[bool]string{true: "1", false: "0"}[name == "hash"]); err != nil {
					t.Fatal(err)
				}
			}
			got := p.search(ctx, &pos, thinkLimits{Depth: depth}, nil)
			if got.score != want {
				t.Fatalf("%s: score %d, minimax %d (ordered %v)", pos.text(formV2), got.score, want, ordered)
			}
			// A search that has proven the outcome at a lower depth ends there:
			// its turn is one of the best, not always the first.
			proven, _ := search.Proven(want)
			first := !ordered && proven == 0
			for i, m := range f.moves {
				same := f.child(&pos, m) == got.next
				if same && values[i] != want || values[i] == want && first && !same {
					t.Fatalf("%s: turn %s, not minimax's (ordered %v)", pos.text(formV2), got.next.text(formV2), ordered)
				}
				first = first && values[i] != want
			}
		}
		if sign, _ := search.Proven(want); sign != 0 {
			decided++
		}
	}
	t.Logf("%d positions at depth %d, %d of them decided, in %v", positions, depth, decided, time.Since(begin).Round(time.Millisecond))
}

// TestRootKeepsTheOrderOfTurns: of equal turns the first is played, so the root
// lists them as they are generated.
func TestRootKeepsTheOrderOfTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	w, f := newWalker(), newFrame()
	climbs := 0
	for range 200 {
		pos := opening(r, mortal, hephaestus, 4+r.IntN(12))
		w.set(&pos)
		if w.stops(&pos) != 0 {
			continue
		}
		var list search.List[move]
		w.HintBound(search.Infinity, search.MaxPly)
		if more := w.Generate(0, &list); more {
			t.Fatalf("%s: more than one stage", pos.text(formV2))
		}
		f.generate(&pos)
		for i, m := range f.moves {
			if i >= len(list.Items) || list.Items[i].Move != m {
				t.Fatalf("%s: turn %d is not listed in its place", pos.text(formV2), i)
			}
			if m.climbs() {
				climbs++
			}
		}
	}
	if climbs < 100 {
		t.Errorf("only %d climbs were listed", climbs)
	}
}

func TestPlayerTreeDoesNotAllocate(t *testing.T) {
	for _, text := range benchPositions[:6] {
		pos := mustParse(t, text)
		p := newPlayer()
		allocs := func(nodes int64) float64 {
			p.newGame()
			return testing.AllocsPerRun(2, func() { p.search(context.Background(), &pos, thinkLimits{Nodes: nodes}, nil) })
		}
		few := allocs(500)
		if many := allocs(30000); many > few+100 { // lines of better results, not nodes
			t.Errorf("%s: %v allocations in 30000 nodes, %v in 500", text, many, few)
		}
	}
}

// opening plays a few random turns from the start of a match-up.
func opening(r *rand.Rand, a, b God, plies int) state {
	for {
		p, _ := startOf(matchup{a, b}, false)
		f := newFrame()
		for range plies {
			f.generate(&p)
			if len(f.moves) == 0 {
				break
			}
			p = f.child(&p, f.moves[r.IntN(len(f.moves))])
		}
		if f.generate(&p); p.winner == 0 && len(f.moves) > 0 {
			return p
		}
	}
}

// playOut is the winner, 0 or 1, of a game that the two players play.
func playOut(p state, players [2]*player, limits [2]thinkLimits) int {
	for _, pl := range players {
		pl.newGame()
	}
	for p.winner == 0 {
		side := p.mover & 1
		t := players[side].search(context.Background(), &p, limits[side], nil)
		if !t.found {
			return int(side ^ 1)
		}
		p = t.next
	}
	return int(p.winner - 1)
}

// balanced reports whether neither side is far ahead already: such openings
// show nothing.
func balanced(judge *player, p *state) bool {
	judge.newGame()
	expect := chance(judge.search(context.Background(), p, thinkLimits{Nodes: 10_000}, nil).score)
	return expect > 0.35 && expect < 0.65
}

// TestLongPlayerBeatsItself: the full player against its own depth-2 setting, from
// balanced openings.
// The long form plays 200 games at 50 ms a move.
func TestLongPlayerBeatsItself(t *testing.T) {
	pairs, full := 4, thinkLimits{Nodes: 20000}
	if long() {
		pairs, full = 100, thinkLimits{Time: 50 * time.Millisecond}
	}
	gods := []God{mortal, pan, artemis, hephaestus}
	r := rand.New(rand.NewPCG(2, 98))
	strong, weak := newPlayer(), newPlayer()
	for _, p := range []*player{strong, weak} {
		if err := p.set("hash", "8"); err != nil {
			t.Fatal(err)
		}
	}
	begin, won := time.Now(), 0
	for i := range pairs {
		// The same god on both sides: the match-up decides nothing.
		god := gods[i%len(gods)]
		p := opening(r, god, god, 2)
		for !balanced(strong, &p) {
			p = opening(r, god, god, 2)
		}
		won += 1 - playOut(p, [2]*player{strong, weak}, [2]thinkLimits{full, {Depth: 2}})
		won += playOut(p, [2]*player{weak, strong}, [2]thinkLimits{{Depth: 2}, full})
	}
	t.Logf("%d of %d games won in %v", won, 2*pairs, time.Since(begin).Round(time.Millisecond))
	least := 2*pairs - 1
	if long() {
		least = (2*pairs*98 + 99) / 100
	}
	if won < least {
		t.Errorf("%d of %d games won, want %d", won, 2*pairs, least)
	}
}
