package search

import (
	"context"
	"slices"
	"testing"
	"time"

	"thera/engine/gametest"
)

func TestExactEqualsMinimax(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	decided := 0
	for _, kind := range []string{"plain", "restless"} {
		for seed := range uint32(60) {
			again, forcing := seed%2 == 1, seed%3 == 0
			set := setToy(seed, again, forcing)
			for depth := 1; depth <= 4; depth++ {
				reference := engineOf(kind, seed, again).newBoard()
				set(reference)
				want, move := minimax(reference, depth, 0)
				for _, features := range []Feature{0, Exact} {
					e := engineOf(kind, seed, again)
					e.Options.Features = features | Quiescence
					set(e.newBoard())
					got := e.Search(ctx, set, Limits{Depth: depth}, nil)
					if got.Done {
						decided++
						if got.Score != want && got.Depth == depth {
							t.Fatalf("%s %d depth %d: proven %d, minimax %d", kind, seed, depth, got.Score, want)
						}
						continue
					}
					if got.Score != want || got.Move != move {
						t.Fatalf("%s %d depth %d features %b: %d by %d, minimax %d by %d",
							kind, seed, depth, features, got.Score, got.Move, want, move)
					}
				}
			}
		}
	}
	if decided == 0 {
		t.Error("no position was decided")
	}
}

// Table, order and driver may not change the score while nothing is selective.
func TestUnselectiveKeepsTheScore(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	for seed := range uint32(60) {
		again := seed%2 == 1
		set := setToy(seed, again, false)
		e := engineOf("plain", seed, again)
		e.Options.Features = 0
		const depth = 5
		want := e.Search(ctx, set, Limits{Depth: depth}, nil)
		for _, driver := range []Driver{PVS, AlphaBeta, MTDF} {
			e := engineOf("plain", seed, again)
			e.Options.Driver = driver
			e.Options.Features = Exact | Ordering | Killers | History | Table
			got := e.Search(ctx, set, Limits{Depth: depth}, nil)
			if got.Score != want.Score || got.Depth != want.Depth {
				t.Errorf("seed %d driver %d: score %d depth %d, want %d depth %d", seed, driver, got.Score, got.Depth, want.Score, want.Depth)
			}
		}
	}
}

// A proven win is the shortest and a proven loss the longest there is,
// even with selective features.
func TestProofsAreExact(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	wins, losses := 0, 0
	for seed := range uint32(400) {
		small := func(t *toy) {
			if seed%2 == 0 {
				t.stack[0].piles = [4]int8{1, int8(seed / 2 % 2), int8(seed / 4 % 3), 1}
			}
		}
		set := func(b Board[int8]) {
			setToy(seed, false, false)(b)
			small(&b.(*restless).toy)
		}
		e := engineOf("restless", seed, false)
		got := e.Search(ctx, set, Limits{Depth: 5}, nil)
		sign, plies := Proven(got.Score)
		if sign == 0 || plies > 5 {
			continue
		}
		b := newToy(seed, false)
		small(b)
		want, _ := minimax(b, plies+1, 0)
		if got.Score != want || !got.Done {
			t.Errorf("seed %d: %d in %d plies, done %v; minimax %d", seed, sign, plies, got.Done, want)
		}
		b.Make(got.Move)
		after, _ := minimax(b, plies, 1)
		if _, known := b.Known(); !known && -after != want {
			t.Errorf("seed %d: move %d keeps %d of %d", seed, got.Move, -after, want)
		}
		if sign > 0 {
			wins++
		} else {
			losses++
		}
	}
	if wins < 20 || losses < 20 {
		t.Errorf("only %d wins and %d losses were seen", wins, losses)
	}
}

func TestNodeLimitIsExactAndDeterministic(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	set := setToy(3, true, true)
	for _, driver := range []Driver{PVS, AlphaBeta, MTDF} {
		for _, nodes := range []int64{1, 2, 57, 1000, 3001} {
			var lines [2][]Result[int8]
			var last [2]Result[int8]
			for i := range last {
				e := engineOf("restless", 3, true)
				e.Options.Driver = driver
				last[i] = e.Search(ctx, set, Limits{Nodes: nodes}, func(r Result[int8]) { lines[i] = append(lines[i], r) })
				e.Clear()
				again := e.Search(ctx, set, Limits{Nodes: nodes}, nil)
				if again.Move != last[i].Move || again.Nodes != last[i].Nodes || again.Score != last[i].Score {
					t.Errorf("driver %d nodes %d: %+v after Clear, %+v fresh", driver, nodes, again, last[i])
				}
			}
			if !last[0].Done && last[0].Nodes != nodes {
				t.Errorf("driver %d: %d nodes of %d", driver, last[0].Nodes, nodes)
			}
			same := func(a, b Result[int8]) bool {
				return a.Move == b.Move && a.Score == b.Score && a.Nodes == b.Nodes && slices.Equal(a.PV, b.PV)
			}
			if !same(last[0], last[1]) || !slices.EqualFunc(lines[0], lines[1], same) {
				t.Errorf("driver %d nodes %d: two runs differ", driver, nodes)
			}
		}
	}
}

func TestStops(t *testing.T) {
	set := setToy(3, false, false)
	for _, threads := range []int{1, 3} {
		for _, driver := range []Driver{PVS, MTDF} {
			e := New(func() Board[int8] { return &endless{} })
			e.Options.Driver, e.Options.Threads = driver, threads
			ctx, cancel := context.WithCancel(context.Background())
			got := e.Search(ctx, func(Board[int8]) {}, Limits{}, func(r Result[int8]) {
				if r.Depth >= 3 {
					cancel()
				}
			})
			if !got.Found || got.Depth < 3 {
				t.Errorf("threads %d: stopped with %+v", threads, got)
			}
			cancel()
			if got = e.Search(ctx, func(Board[int8]) {}, Limits{}, nil); !got.Found || got.Nodes > 1 {
				t.Errorf("a search that is stopped before it begins: %+v", got)
			}
			got = e.Search(context.Background(), func(Board[int8]) {}, Limits{Time: time.Millisecond}, nil)
			if !got.Found {
				t.Errorf("out of time with %+v", got)
			}
		}
	}
	// The root has no move.
	e := engineOf("plain", 3, false)
	got := e.Search(context.Background(), func(b Board[int8]) {
		set(b)
		b.(*toy).stack[0].piles = [4]int8{}
	}, Limits{}, nil)
	if got.Found || got.Score != LossIn(0) || !got.Done {
		t.Errorf("without moves: %+v", got)
	}
}

// endless has two moves everywhere and no end.
type endless struct{ at int }

func (e *endless) Known() (int, bool) { return 0, false }

func (e *endless) Generate(_ int, list *List[int8]) bool {
	for m := range int8(8) {
		list.Add(m, uint32(m)+1, uint16(m), int32(m))
	}
	return false
}
func (e *endless) Stuck() int     { return 0 }
func (e *endless) Make(int8) bool { e.at++; return false }
func (e *endless) Unmake()        { e.at-- }
func (e *endless) Key() uint64    { return uint64(e.at) }
func (e *endless) Evaluate() int  { return e.at }

func TestAllow(t *testing.T) {
	gametest.Sequential(t)
	e := engineOf("plain", 3, false)
	set := setToy(3, false, false)
	got := e.Search(context.Background(), set, Limits{Depth: 3, Allow: func(tag uint32) bool { return tag == 4 }}, nil)
	if got.Move != 3 {
		t.Errorf("move %d is not allowed", got.Move)
	}
}

func TestTreeDoesNotAllocate(t *testing.T) {
	gametest.Sequential(t)
	set := setToy(9, true, true)
	for _, driver := range []Driver{PVS, MTDF} {
		e := engineOf("restless", 9, true)
		e.Options.Driver = driver
		allocs := func(nodes int64) float64 {
			return testing.AllocsPerRun(3, func() { e.Search(context.Background(), set, Limits{Nodes: nodes}, nil) })
		}
		few := allocs(20)
		if many := allocs(20000); many > few+60 { // best moves noted, not nodes
			t.Errorf("driver %d: %v allocations in 20000 nodes, %v in 20", driver, many, few)
		}
		w := e.workers[0]
		w.rootBest = nil
		w.maxNodes = 0
		if n := testing.AllocsPerRun(5, func() { w.stopped = false; w.search(6, 1, -Infinity, Infinity) }); n != 0 {
			t.Errorf("driver %d: %v allocations in the tree", driver, n)
		}
	}
}
