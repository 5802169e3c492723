package player

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"thera/engine/gametest"
	"thera/engine/santorini/internal/santorinitest"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// plainest is plain minimax. It fills values, if not nil, with the value of each turn
// of the root.
func plainest(b *board, depth, ply int, values *[]int) int {
	p := b.now()
	if p.Winner != 0 {
		return search.LossIn(ply)
	}
	if depth == 0 {
		return b.Evaluate()
	}
	l := rules.NewMoveList()
	l.Generate(p)
	if len(l.Moves) == 0 {
		return search.LossIn(ply)
	}
	best := -search.Infinity
	for _, m := range l.Moves {
		b.states[b.at+1] = l.Child(p, m)
		b.at++
		score := -plainest(b, depth-1, ply+1, nil)
		b.at--
		if values != nil {
			*values = append(*values, score)
		}
		best = max(best, score)
	}
	return best
}

// smallPosition is a position of a random game with few sequences of depth
// turns below it.
func smallPosition(t *testing.T, r *rand.Rand, depth int, most uint64) rules.State {
	gods := basicGods(t)
	for {
		p := rules.Start(rules.Matchup{gods[r.IntN(4)], gods[r.IntN(4)]}, false)
		l := rules.NewMoveList()
		var game []rules.State
		for {
			l.Generate(&p)
			if p.Winner != 0 || len(l.Moves) == 0 {
				break
			}
			game = append(game, p)
			p = l.Child(&p, l.Moves[r.IntN(len(l.Moves))])
		}
		p = game[len(game)*2/3+r.IntN(len(game)-len(game)*2/3)]
		// Counting itself must stay cheap.
		wide := uint64(math.Pow(float64(most), 2/float64(depth)))
		if n, _ := rules.Count(context.Background(), &p, 2); n > 2*wide || n < wide/4 {
			continue
		}
		if n, _ := rules.Count(context.Background(), &p, depth); n < most && n > most/50 {
			return p
		}
	}
}

// TestLongPlayerEqualsMinimax checks the player against minimax. Without pruning it
// has the same score and the first of the best turns; with ordering and table it
// still has the same score and one of the best turns. The long form searches 500
// positions to depth 5.
func TestLongPlayerEqualsMinimax(t *testing.T) {
	positions, depth, most := 25, 4, uint64(100_000)
	if gametest.Long(t) {
		positions, depth, most = 500, 5, 3_000_000
	}
	unsound := []string{
		"extensions", "reductions", "futility", "latepruning", "standing", "nullmove", "quiescence", "wins", "blocks",
	}
	orders := []string{"ordering", "killers", "history", "table"}
	ctx := context.Background()
	r := rand.New(rand.NewPCG(5, 500))
	begin, decided := time.Now(), 0
	b := newBoard()
	quick := New()
	for seen := 0; seen < positions; {
		pos := smallPosition(t, r, depth, most)
		if sign, _ := search.Proven(quick.Search(ctx, &pos, Limits{Depth: depth}, nil).Score); sign != 0 && decided > seen/4 {
			continue // most positions should be told apart by their evaluation
		}
		seen++
		b.set(&pos)
		var values []int
		want := plainest(b, depth, 0, &values)
		l := rules.NewMoveList()
		l.Generate(&pos)
		for _, ordered := range []bool{false, true} {
			p := New()
			off := unsound
			if !ordered {
				off = append(off[:len(off):len(off)], orders...)
			}
			for _, name := range append(off, "hash") {
				if err := p.Set(name, map[bool]string{true: "1", false: "0"}[name == "hash"]); err != nil {
					t.Fatal(err)
				}
			}
			if err := p.Set("eval", "hand"); err != nil { // as minimax evaluates
				t.Fatal(err)
			}
			got := p.Search(ctx, &pos, Limits{Depth: depth}, nil)
			if got.Score != want {
				t.Fatalf("%s: score %d, minimax %d (ordered %v)", rules.Text(&pos, rules.V2), got.Score, want, ordered)
			}
			// A search that has proven the outcome at a lower depth ends there:
			// its turn is one of the best, not always the first.
			proven, _ := search.Proven(want)
			first := !ordered && proven == 0
			for i, m := range l.Moves {
				same := l.Child(&pos, m) == got.Next
				if same && values[i] != want || values[i] == want && first && !same {
					t.Fatalf("%s: turn %s, not minimax's (ordered %v)", rules.Text(&pos, rules.V2), rules.Text(&got.Next, rules.V2), ordered)
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

func TestPlayerTreeDoesNotAllocate(t *testing.T) {
	for _, text := range positions[:6] {
		pos := santorinitest.MustParse(t, text)
		p := New()
		allocs := func(nodes int64) float64 {
			p.NewGame()
			return testing.AllocsPerRun(2, func() { p.Search(context.Background(), &pos, Limits{Nodes: nodes}, nil) })
		}
		few := allocs(500)
		if many := allocs(30000); many > few+100 { // lines of better results, not nodes
			t.Errorf("%s: %v allocations in 30000 nodes, %v in 500", text, many, few)
		}
	}
}

func basicGods(t testing.TB) []rules.God {
	return santorinitest.Gods(t, "mortal", "pan", "artemis", "hephaestus")
}
