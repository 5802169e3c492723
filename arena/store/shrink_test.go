package store

import (
	"testing"

	"thera/engine/gametest"
)

// TestShrink checks that the space of a deleted run is freed, and that the
// rest is intact and can be added to.
func TestShrink(t *testing.T) {
	gametest.Sequential(t)
	s := openTest(t)
	big, small := planOf("a", "b"), planOf("a", "b")
	big.Name, small.Name = "big", "small"
	games := newDraw(3).pairs(150, "a", "b")
	first, second := beginTest(t, s, big), beginTest(t, s, small)
	if err := putAll(t.Context(), s, first, games); err != nil {
		t.Fatal(err)
	}
	if err := putAll(t.Context(), s, second, games[:10]); err != nil {
		t.Fatal(err)
	}
	pages := func() (n int) {
		if err := s.reads.QueryRow("PRAGMA page_count").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := pages()
	if err := s.Remove(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if left := pages(); 2*left > before {
		t.Errorf("%d of %d pages are left; most of the games were deleted", left, before)
	}
	if err := putAll(t.Context(), s, second, games[10:20]); err != nil {
		t.Fatal(err)
	}
	if got := gamesOf(t, s, second, true); len(got) != 20 {
		t.Errorf("%d games are left, want 20", len(got))
	}
}
