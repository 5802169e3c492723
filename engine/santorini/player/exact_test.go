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

// opening plays a few random turns from the start of a match-up.
func opening(r *rand.Rand, a, b rules.God, plies int) rules.State {
	for {
		p := rules.Start(rules.Matchup{a, b}, false)
		l := rules.NewMoveList()
		for range plies {
			l.Generate(&p)
			if len(l.Moves) == 0 {
				break
			}
			p = l.Child(&p, l.Moves[r.IntN(len(l.Moves))])
		}
		if l.Generate(&p); p.Winner == 0 && len(l.Moves) > 0 {
			return p
		}
	}
}

// playOut is the winner, 0 or 1, of a game that the two players play. Every turn must be legal.
func playOut(t *testing.T, p rules.State, players [2]*Player, limits [2]Limits) int {
	t.Helper()
	for _, pl := range players {
		pl.NewGame()
	}
	for p.Winner == 0 {
		side := p.Mover & 1
		got := players[side].Search(context.Background(), &p, limits[side], nil)
		if !got.Found {
			return int(side ^ 1)
		}
		if !rules.Leads(&p, &got.Next) {
			t.Fatalf("%s: plays %s, which is not legal", rules.Text(&p, rules.V2), rules.Text(&got.Next, rules.V2))
		}
		p = got.Next
	}
	return int(p.Winner - 1)
}

// balanced reports whether neither side is far ahead: other openings show nothing.
func balanced(judge *Player, p *rules.State) bool {
	judge.NewGame()
	expect := ExpectedScore(judge.Search(context.Background(), p, Limits{Nodes: 10_000}, nil).Score)
	return expect > 0.35 && expect < 0.65
}

// TestLongPlayerBeatsItself plays the full player against depth 2 from balanced
// openings. The long form plays 200 games at 50 ms a move.
func TestLongPlayerBeatsItself(t *testing.T) {
	pairs, full := 4, Limits{Nodes: 20000}
	if gametest.Long(t) {
		pairs, full = 100, Limits{Time: 50 * time.Millisecond}
	}
	gods := basicGods(t)
	r := rand.New(rand.NewPCG(2, 98))
	strong, weak := New(), New()
	for _, p := range []*Player{strong, weak} {
		if err := p.Set("hash", "8"); err != nil {
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
		won += 1 - playOut(t, p, [2]*Player{strong, weak}, [2]Limits{full, {Depth: 2}})
		won += playOut(t, p, [2]*Player{weak, strong}, [2]Limits{{Depth: 2}, full})
	}
	t.Logf("%d of %d games won in %v", won, 2*pairs, time.Since(begin).Round(time.Millisecond))
	least := 2*pairs - 1
	if gametest.Long(t) {
		least = (2*pairs*98 + 99) / 100
	}
	if won < least {
		t.Errorf("%d of %d games won, want %d", won, 2*pairs, least)
	}
}
