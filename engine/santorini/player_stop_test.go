package santorini

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"thera/engine/search"
)

// wideBoard has some 15,000 turns: a power that puts two domes anywhere.
const wideBoard = "0000000000000000000000000/1/polyphemus:B3,D3/polyphemus:C4,C2"

// TestGenerationHearsStop: generating thousands of turns asks whether to go on
// after so many, and breaks off at the answer; the root's are listed all.
func TestGenerationHearsStop(t *testing.T) {
	pos := mustParse(t, wideBoard)
	f := newFrame()
	if f.generate(&pos); len(f.moves) < 10_000 {
		t.Fatalf("only %d turns", len(f.moves))
	}
	w := newWalker()
	w.set(&pos)
	for _, stopAt := range []int{1, 3, 1 << 30} {
		polls, work := 0, 0
		w.SetInterrupt(func(n int) bool {
			polls, work = polls+1, work+n
			return polls == stopAt
		})
		var list search.List[move]
		w.Generate(0, &list)
		kids := len(w.frames[0].kids)
		switch {
		case stopAt <= 3 && (polls != stopAt || kids != stopAt*huntStep || work != kids):
			t.Errorf("stopped at poll %d: %d polls, work %d, %d kids", stopAt, polls, work, kids)
		case stopAt > 3 && (kids != len(f.kids) || polls != kids/huntStep):
			t.Errorf("never stopped: %d polls, %d kids of %d", polls, kids, len(f.kids))
		}
	}
}

// TestWideGodsHearStop: with thousands of turns a node a search still ends
// soon after stop, and after its deadline. The bound is far from what it takes
// (5 ms): the machine may be busy.
func TestWideGodsHearStop(t *testing.T) {
	pos := mustParse(t, wideBoard)
	p := newPlayer()
	p.newGame()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var asked time.Time
	got := p.search(ctx, &pos, thinkLimits{}, func(r thought) {
		if asked.IsZero() && r.depth >= 2 {
			asked = time.Now()
			cancel()
		}
	})
	late := time.Since(asked)
	if asked.IsZero() || !got.found || got.trigger != triggerStop || late > 20*time.Second {
		t.Errorf("stopped %v late: %+v", late, got.trigger)
	}
	began := time.Now()
	got = p.search(context.Background(), &pos, thinkLimits{Time: 50 * time.Millisecond}, nil)
	took := time.Since(began)
	if !got.found || got.trigger != triggerLimit || took > 20*time.Second {
		t.Errorf("50ms took %v: %+v", took, got.trigger)
	}
	t.Logf("stop is heard after %v, the deadline %v late", late, took-50*time.Millisecond)
}

// TestStagesListAll: where stage 0 breaks off at a turn that is good enough,
// both stages together list what one stage lists without an aim.
func TestStagesListAll(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	whole, staged := newWalker(), newWalker()
	broken := 0
	states := func(w *walker, items []search.Item[move], into map[state]int) {
		for _, item := range items {
			into[w.frames[0].child(w.now(), item.Move)]++
		}
	}
	for g := range godCount {
		randomWalk(r, g, func(p *state, _ *frame) {
			if p.placing() || r.IntN(4) != 0 {
				return
			}
			var all, first, rest search.List[move]
			whole.set(p)
			whole.Generate(0, &all)
			want, got := map[state]int{}, map[state]int{}
			states(whole, all.Items, want)
			staged.set(p)
			staged.HintBound(-50, 1+r.IntN(aimDepth))
			more := staged.Generate(0, &first)
			states(staged, first.Items, got)
			if more {
				broken++
				staged.HintBound(search.Infinity, 1) // as nodes below will have done
				staged.Generate(1, &rest)
				states(staged, rest.Items, got)
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%s: %d turns in stages, %d at once", p.text(formV2), len(got), len(want))
			}
		})
	}
	t.Logf("broke off %d times", broken)
	if broken < 100 {
		t.Errorf("stage 0 broke off %d times only", broken)
	}
}
