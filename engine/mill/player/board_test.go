package player

import (
	"testing"

	"thera/engine/mill/rules"
	"thera/engine/search"
)

// The board's key is that of its state at every step, and Unmake restores all.
func TestBoardKeepsItsKey(t *testing.T) {
	for _, p := range unfinished(t, 100) {
		b := &board{}
		b.set(p, style{}, nil)
		checkBoard(t, b, 3)
		if b.State != p.State() || b.quiet != p.QuietPlies() || b.ply != 0 {
			t.Fatalf("%s is not restored", p)
		}
	}
}

func checkBoard(t *testing.T, b *board, depth int) {
	t.Helper()
	if b.Action != rules.Won && b.key != b.State.Key() {
		t.Fatalf("key %x, from scratch %x: %+v", b.key, b.State.Key(), b.State)
	}
	if _, over := b.Known(); depth == 0 || over {
		return
	}
	var list search.List[rules.Move]
	b.Generate(0, &list)
	if want := b.Moves(&b.rules, nil); len(want) != len(list.Items) {
		t.Fatalf("%d moves generated, %d are legal: %+v", len(list.Items), len(want), b.State)
	}
	for i := 0; i < len(list.Items); i += 4 {
		b.Make(list.Items[i].Move)
		checkBoard(t, b, depth-1)
		b.Unmake()
	}
}

// A node of the search allocates nothing once its list has grown.
func TestNoAllocations(t *testing.T) {
	b := &board{}
	b.set(rules.Start(rules.Default()), style{mobility: true, paths: true}, nil)
	var list search.List[rules.Move]
	list.Items = make([]search.Item[rules.Move], 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		list.Items = list.Items[:0]
		b.Generate(0, &list)
		for _, item := range list.Items {
			b.Make(item.Move)
			_, _ = b.Known()
			_, _ = b.Key(), b.Evaluate()
			b.Unmake()
		}
	}); n != 0 {
		t.Errorf("a node allocates %v times", n)
	}
}
