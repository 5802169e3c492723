package player

import (
	"context"
	"testing"
	"time"

	"thera/engine/hex/internal/slow"
	"thera/engine/hex/player/conv"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// The search proves small boards: the first player wins from the centre.
func TestSearchProvesSmallBoards(t *testing.T) {
	th := newTree(3, 1, net.Embedded(), conv.Embedded)
	c := th.search(context.Background(), make([]rules.Colour, 9), rules.Black, budget{playouts: 50_000})
	if !c.proven || c.Value != 1 {
		t.Errorf("3 x 3: %+v", c)
	}
	board := make([]rules.Colour, 9)
	board[4] = rules.Black // b2 wins for whoever put it there
	if c := th.search(context.Background(), board, rules.White, budget{playouts: 50_000}); !c.proven || c.Value != 0 {
		t.Errorf("after b2: %+v", c)
	}
}

func TestSearchIsRepeatable(t *testing.T) {
	first := newTree(7, 5, net.Embedded(), conv.Embedded).search(context.Background(), make([]rules.Colour, 49), rules.Black, budget{playouts: 300})
	again := newTree(7, 5, net.Embedded(), conv.Embedded).search(context.Background(), make([]rules.Colour, 49), rules.Black, budget{playouts: 300})
	if first != again || first.playouts != 300 {
		t.Errorf("%+v, then %+v", first, again)
	}
}

// A limit of CPU time ends a search by what the process used, not by the clock: beside
// other processes it takes longer. It replaces the default limit of time.
func TestSearchKeepsItsCPUTime(t *testing.T) {
	p := New()
	if err := p.Set(OptionCPU, "150ms"); err != nil {
		t.Fatal(err)
	}
	before := ownCPU()
	c := p.Choose(t.Context(), 11, make([]rules.Colour, 121), rules.Black)
	if used := ownCPU() - before; used < 150*time.Millisecond || c.playouts == 0 {
		t.Errorf("used %v of 150 ms for %d playouts", used, c.playouts)
	}
	for _, bad := range []string{"", "0s", "-1ms", "soon"} {
		if err := p.Set(OptionCPU, bad); err == nil {
			t.Errorf("cpu %q was accepted", bad)
		}
	}
}

func TestPlayoutsFillTheBoard(t *testing.T) {
	f := newField(net.NewGeometry(6), 3)
	wins := map[rules.Colour]int{}
	for range 2000 {
		f.load(make([]rules.Colour, 36))
		won := f.playout(rules.Black)
		cells := make([]rules.Colour, 36)
		stones := map[rules.Colour]int{}
		for i, at := range f.inner {
			cells[i] = f.cells[at]
			stones[cells[i]]++
		}
		if stones[rules.Black] != 18 || stones[rules.White] != 18 || slow.Winner(cells, 6) != won {
			t.Fatalf("stones %v, winner %v, by flood fill %v", stones, won, slow.Winner(cells, 6))
		}
		wins[won]++
	}
	if wins[rules.Black] < 900 || wins[rules.White] < 600 {
		t.Errorf("wins %v", wins)
	}
}

// After a swap the first seat has the other colour.
func TestExpectAfterSwap(t *testing.T) {
	for text, want := range map[string]float64{"3 b2 swap": 0, "3 a1 swap c3 b1 c2 c1": 0} {
		p, err := rules.Settings{Size: 3, Swap: true}.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (Builtin{}).Expect(t.Context(), p, 200_000); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
}
