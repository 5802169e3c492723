package search

import (
	"context"
	"testing"

	"thera/engine/gametest"
)

// aiming is a toy that lists one move first if it is given a bound.
type aiming struct {
	toy
	aim    int
	first  [MaxPly + 2]int8 // the move listed by stage 0, by ply
	list   List[int8]
	asked  int // aims below Infinity
	hidden int // lists that stage 0 left for later
	second int // of which stage 1 was asked for
}

func (a *aiming) HintBound(value, depth int) {
	if a.aim = value; value < Infinity {
		a.asked++
	}
}

func (a *aiming) Generate(stage int, list *List[int8]) bool {
	a.list.Items = a.list.Items[:0]
	for s, more := 0, true; more; s++ {
		more = a.toy.Generate(s, &a.list)
	}
	if stage == 0 {
		a.first[a.at] = -1
		if a.aim < Infinity && len(a.list.Items) > 1 {
			item := a.list.Items[len(a.list.Items)/2]
			a.first[a.at] = item.Move
			list.Items = append(list.Items, item)
			a.hidden++
			return true
		}
	} else {
		a.second++
	}
	for _, item := range a.list.Items {
		if item.Move != a.first[a.at] {
			list.Items = append(list.Items, item)
		}
	}
	return false
}

// Listing one move first changes no score while no feature is selective, and
// most lists need not be completed.
func TestBoundHintKeepsTheScore(t *testing.T) {
	gametest.Sequential(t)
	ctx := context.Background()
	board := &aiming{}
	for seed := range uint32(60) {
		again := seed%2 == 1
		plain := engineOf("plain", seed, again)
		plain.Options.Features = 0
		const depth = 5
		want := plain.Search(ctx, setToy(seed, again, false), Limits{Depth: depth}, nil)
		e := New(func() Board[int8] { return board })
		e.Options.Table = 1 << 20
		e.Options.Features = Exact | Ordering | Killers | History | Table
		got := e.Search(ctx, func(Board[int8]) { board.toy = *newToy(seed, again) }, Limits{Depth: depth}, nil)
		if got.Score != want.Score || got.Depth != want.Depth {
			t.Errorf("seed %d: score %d depth %d, want %d depth %d", seed, got.Score, got.Depth, want.Score, want.Depth)
		}
	}
	t.Logf("%d aims, %d lists left for later, %d of them wanted", board.asked, board.hidden, board.second)
	if board.hidden < 1000 || board.second == 0 || board.second >= board.hidden {
		t.Errorf("%d aims, %d lists left for later, %d of them wanted", board.asked, board.hidden, board.second)
	}
}
