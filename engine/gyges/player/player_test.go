package player

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/internal/slow"
	"thera/engine/gyges/player/net"
	"thera/engine/gyges/rules"
	"thera/engine/search"
)

func parse(t testing.TB, layout, seat string) Position {
	t.Helper()
	b, err := rules.ParseBoard(layout, 12)
	if err != nil {
		t.Fatal(err)
	}
	return Position{Board: b, Seat: map[string]game.Seat{"1": game.First, "2": game.Second}[seat]}
}

// testdata/win3.tsv holds positions with a forced win in three plies and a
// move that forces it. With THERA_UPDATE=1 it is written from random
// games, and the slow model proves each position.
func TestPlayerFindsForcedWinsLong(t *testing.T) {
	if gametest.Update(t) {
		writeWins(t)
	}
	f, err := os.Open("testdata/win3.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, n := New(32<<20), 0
	longest := time.Duration(0)
	for scan := bufio.NewScanner(f); scan.Scan(); n++ {
		if n%8 != 0 && !gametest.Long(t) {
			continue
		}
		layout, rest, _ := strings.Cut(scan.Text(), " ")
		seat, move, _ := strings.Cut(rest, "\t")
		pos := parse(t, layout, seat)
		if gametest.Long(t) && (slow.Wins(layout, int(pos.Seat)) || !slow.WinsIn3(layout, int(pos.Seat), move)) {
			t.Errorf("%s %s: %s does not win in 3 plies", layout, seat, move)
		}
		p.engine.Clear()
		begin := time.Now()
		r := p.Search(context.Background(), pos, search.Limits{Depth: 5}, nil)
		longest = max(longest, time.Since(begin))
		if r.Score != search.WinIn(3) || !slow.WinsIn3(layout, int(pos.Seat), r.Move.String()) {
			t.Errorf("%s %s: found %s with score %d in %v", layout, seat, r.Move, r.Score, time.Since(begin))
		}
	}
	if n != 100 {
		t.Errorf("%d positions, want 100", n)
	}
	t.Logf("slowest %v", longest)
}

func writeWins(t *testing.T) {
	var text strings.Builder
	gen, n := rules.NewGenerator(), 0
	gygestest.Positions(77, func(b rules.Board, seat game.Seat) bool {
		if gygestest.Wins(gen, b, seat) {
			return true
		}
		layout := b.String()
		for _, m := range gen.Moves(b, seat, nil) {
			next := b.After(m)
			if !gen.CanMove(next, seat.Other()) || gygestest.Wins(gen, next, seat.Other()) || !gygestest.Wins(gen, next, seat) {
				continue // no threat; such a move rarely wins
			}
			if slow.WinsIn3(layout, int(seat), m.String()) {
				fmt.Fprintf(&text, "%s %d\t%s\n", layout, seat, m)
				n++
				return n < 100
			}
		}
		return true
	})
	if err := os.WriteFile("testdata/win3.tsv", []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The moves that Generate omits change nothing in plain minimax.
func TestTreeAgreesWithPlainMinimax(t *testing.T) {
	gen, n := rules.NewGenerator(), 0
	var value func(b rules.Board, seat game.Seat, depth int) int
	value = func(b rules.Board, seat game.Seat, depth int) int {
		if depth == 0 {
			switch {
			case gygestest.Wins(gen, b, seat): // the search sees it, too
				return 1
			case !gen.CanMove(b, seat):
				return -1
			}
			return 0
		}
		best := -1
		for _, m := range gen.Moves(b, seat, nil) {
			if m.End() >= rules.Squares {
				return 1
			}
			best = max(best, -value(b.After(m), seat.Other(), depth-1))
		}
		return best
	}
	decided := 0
	gygestest.Positions(21, func(b rules.Board, seat game.Seat) bool {
		if len(gen.Moves(b, seat, nil))*len(gen.Moves(b, seat.Other(), nil)) > 20_000 {
			return true // too wide for minimax
		}
		p := New(1 << 16)
		p.engine.Options.Features = search.Exact
		r := p.Search(context.Background(), Position{Board: b, Seat: seat}, search.Limits{Depth: 2}, nil)
		sign, _ := search.Proven(r.Score)
		if want := value(b, seat, 2); sign != want {
			t.Errorf("%s %d: search says %d (%s), minimax %d", b, seat, r.Score, r.Move, want)
		}
		if sign != 0 {
			decided++
		}
		n++
		return n < 12
	})
	if decided < 3 || decided == n {
		t.Errorf("%d of %d positions are decided", decided, n)
	}
}

// The option eval chooses what the search evaluates with.
func TestEvaluation(t *testing.T) {
	gen, p := rules.NewGenerator(), New(1<<16)
	different := 0
	n := 0
	gygestest.Positions(5, func(b rules.Board, seat game.Seat) bool {
		if gygestest.Wins(gen, b, seat) {
			return true
		}
		view := net.Look(gen, b, seat)
		for eval, want := range map[string]int{"net": net.Embedded().Evaluate(&view), "hand": Hand(&view)} {
			if err := p.Set(OptionEval, eval); err != nil {
				t.Fatal(err)
			}
			board := newTree().(*tree)
			p.place(board, Position{Board: b, Seat: seat})
			got := board.Evaluate()
			if got != want {
				t.Fatalf("%s %d: %s says %d, want %d", b, seat, eval, got, want)
			}
		}
		if net.Embedded().Evaluate(&view) != Hand(&view) {
			different++
		}
		n++
		return n < 50
	})
	if different == 0 {
		t.Error("both evaluations are the same")
	}
	if err := p.Set(OptionEval, "magic"); err == nil || !strings.Contains(err.Error(), "net or hand") {
		t.Errorf("magic: %v", err)
	}
}
