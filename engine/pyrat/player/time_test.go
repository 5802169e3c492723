package player

import (
	"testing"
	"time"

	"thera/engine/pyrat/rules"
)

// What was searched before a move was asked for is part of the first search that is timed,
// and changes nothing where playouts are limited.
func TestSearchGoesOnFromPreparation(t *testing.T) {
	p := generated(t, "small", 4)
	fresh := search(p, 300).Think(t.Context(), p, 0, 0, nil)

	b := search(p, 0)
	b.Prepare(t.Context(), p, time.Millisecond)
	root, _ := b.node(&b.tree.root)
	prepared := root.visits
	if prepared == 0 {
		t.Fatal("nothing is prepared")
	}
	a := b.Think(t.Context(), p, 0, time.Nanosecond, nil)
	if got := int(root.visits) - int(prepared); got != a.Nodes {
		t.Errorf("the root has %d visits after %d in preparation and %d playouts", root.visits, prepared, a.Nodes)
	}

	limited := search(p, 0)
	limited.Prepare(t.Context(), p, time.Millisecond)
	limited.Playouts = 300
	if got := limited.Think(t.Context(), p, 0, 0, nil); got.Move != fresh.Move || got.Score != fresh.Score || got.Depth != fresh.Depth {
		t.Errorf("%+v after preparation, %+v without", got, fresh)
	}
	limited.Prepare(t.Context(), p, time.Hour) // returns: playouts are limited
}

// A player that has one choice takes no time for it.
func TestOneChoiceIsMadeAtOnce(t *testing.T) {
	p, err := rules.Parse("maze height:2 width:6; walls; mud; cheese (4,0) (5,0); player1 rat (2,0); player2 python (0,0); turn 9; score rat:0 python:0", rules.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for side := range 2 {
		if got := search(p, 0).Think(t.Context(), p, side, time.Hour, nil); got.Move != rules.Right || got.Nodes != 1 {
			t.Errorf("side %d: %+v", side, got)
		}
	}
	if got := search(p, 50).Think(t.Context(), p, 0, 0, nil); got.Nodes != 50 {
		t.Errorf("%d of 50 playouts", got.Nodes)
	}
}

// A player on its way is in the same state whichever turn it began in.
func TestStatesOnTheWayAreTheSame(t *testing.T) {
	p := generated(t, "small", 4)
	b := search(p, 0)
	for k := range int16(b.cheese) {
		var whole, rest race
		b.set(&whole, p, b.left(p))
		b.send(&whole, 0, k)
		b.set(&rest, p, b.left(p))
		b.send(&rest, 0, k)
		for turn := int32(1); turn < whole.runner[0].arrives; turn++ {
			whole.turn, rest.turn = turn, turn
			b.walk(&rest.runner[0], turn)
			now := whole
			b.walk(&now.runner[0], turn)
			if now.key() != rest.key() || now.runner[0].arrives != rest.runner[0].arrives {
				t.Fatalf("cheese %d, turn %d: %+v and %+v", k, turn, now.runner[0], rest.runner[0])
			}
		}
	}
}
