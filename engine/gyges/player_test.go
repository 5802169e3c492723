package gyges

import (
	"bufio"
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/internal/slow"
	"thera/engine/search"
)

// chooser picks a legal move of a position that is not over.
type chooser func(p *position) Move

// searcher is the built-in player with limits of its own.
func searcher(limits search.Limits) chooser {
	p := newPlayer()
	p.engine.Options.Table = 4 << 20
	return func(pos *position) Move {
		return p.play(context.Background(), pos.board, pos.mover, pos.rules, limits, nil).Move
	}
}

func randomMover(seed uint64) chooser {
	rng, w := rand.New(rand.NewPCG(seed, 5)), newWalker()
	return func(p *position) Move {
		moves := w.generate(p.board, p.mover, nil)
		return moves[rng.IntN(len(moves))]
	}
}

// playGame returns the first chooser's points: 1, 0.5 or 0.
func playGame(p *position, first, second chooser) float64 {
	w := newWalker()
	for !p.over {
		if p.mover == game.First {
			p = p.after(first(p), w)
		} else {
			p = p.after(second(p), w)
		}
	}
	switch p.outcome.Winner {
	case game.First:
		return 1
	case game.Second:
		return 0
	}
	return 0.5
}

// playPairs plays random placements, both ways each, and returns a's points.
func playPairs(t testing.TB, games int, a, b chooser) float64 {
	g, problems := New().With(&Rules{NoMove: "loss", MaxPlies: 200}, &Openings{Placement: "random"})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	points := 0.0
	for i := range games / 2 {
		pos, err := g.Start(0, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		points += playGame(pos.(*position), a, b)
		points += 1 - playGame(pos.(*position), b, a)
	}
	return points
}

func TestPlayerBeatsRandomLong(t *testing.T) {
	games := 10
	if gametest.Long(t) {
		games = 100
	}
	if points := playPairs(t, games, searcher(search.Limits{Nodes: 2000}), randomMover(1)); points != float64(games) {
		t.Errorf("%v points of %d games", points, games)
	}
}

// Ten times the nodes, which is ten times the time on any machine.
func TestPlayerBeatsItsTenthLong(t *testing.T) {
	games, share, nodes := 4, 0.5, int64(6000)
	if gametest.Long(t) {
		games, share, nodes = 100, 0.65, 30_000
	}
	begin := time.Now()
	points := playPairs(t, games, searcher(search.Limits{Nodes: nodes}), searcher(search.Limits{Nodes: nodes / 10}))
	t.Logf("%v points of %d games in %v", points, games, time.Since(begin))
	if points < share*float64(games) {
		t.Errorf("%v points of %d games, want %v", points, games, share*float64(games))
	}
}

// testdata/win3.tsv holds positions with a forced win in three plies and a
// move that forces it. With THERA_UPDATE=1 it is written anew from random
// games, each position proven by the slow model.
func TestPlayerFindsForcedWinsLong(t *testing.T) {
	if gametest.Update(t) {
		writeWins(t)
	}
	f, err := os.Open("testdata/win3.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, n := newPlayer(), 0
	longest := time.Duration(0)
	for scan := bufio.NewScanner(f); scan.Scan(); n++ {
		if n%8 != 0 && !gametest.Long(t) {
			continue
		}
		layout, rest, _ := strings.Cut(scan.Text(), " ")
		seat, move, _ := strings.Cut(rest, "\t")
		pos := parse(t, layout+" "+seat)
		if gametest.Long(t) && (slow.Wins(layout, int(pos.mover)) || !slow.WinsIn3(layout, int(pos.mover), move)) {
			t.Errorf("%s: %s does not win in 3 plies", pos, move)
		}
		p.engine.Clear()
		begin := time.Now()
		r := p.play(context.Background(), pos.board, pos.mover, pos.rules, search.Limits{Depth: 5}, nil)
		longest = max(longest, time.Since(begin))
		if r.Score != search.WinIn(3) || !slow.WinsIn3(layout, int(pos.mover), r.Move.String()) {
			t.Errorf("%s: found %s with score %d in %v", pos, r.Move, r.Score, time.Since(begin))
		}
	}
	if n != 100 {
		t.Errorf("%d positions, want 100", n)
	}
	t.Logf("slowest %v", longest)
}

func writeWins(t *testing.T) {
	var text strings.Builder
	w, n := newWalker(), 0
	randomPositions(77, func(p *position) bool {
		if w.wins(p.board, p.mover) {
			return true
		}
		for _, m := range w.generate(p.board, p.mover, nil) {
			layout := p.board.String()
			next := p.after(m, w)
			if next.over || w.wins(next.board, next.mover) || !w.wins(next.board, p.mover) {
				continue // no threat, which may still win, but seldom
			}
			if slow.WinsIn3(layout, int(p.mover), m.String()) {
				text.WriteString(p.String() + "\t" + m.String() + "\n")
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

// The search's shortcuts (one of equal boards, only moves that touch a threat)
// change nothing in plain minimax.
func TestTreeAgreesWithPlainMinimax(t *testing.T) {
	w, n := newWalker(), 0
	var value func(p *position, depth int) int
	value = func(p *position, depth int) int {
		if p.over {
			if p.outcome.Winner == game.None {
				return 0
			}
			return -1
		}
		if depth == 0 {
			if w.wins(p.board, p.mover) {
				return 1 // the search sees a win with the next move, too
			}
			return 0
		}
		best := -1
		for _, m := range w.generate(p.board, p.mover, nil) {
			if best = max(best, -value(p.after(m, newWalker()), depth-1)); best == 1 {
				break
			}
		}
		return best
	}
	decided := 0
	randomPositions(21, func(p *position) bool {
		if w.count(p.board, p.mover).moves*w.count(p.board, p.mover.Other()).moves > 20_000 {
			return true // too wide for minimax
		}
		p = parse(t, p.board.String()+" "+string('0'+rune(p.mover)))
		e := search.New(newTree)
		e.Options.Features, e.Options.Table = search.Exact, 1<<16
		set := func(b search.Board[Move]) { b.(*tree).set(p.board, p.mover, p.rules) }
		r := e.Search(context.Background(), set, search.Limits{Depth: 2}, nil)
		sign, _ := search.Proven(r.Score)
		if want := value(p, 2); sign != want {
			t.Errorf("%s: search says %d (%s), minimax %d", p, r.Score, r.Move, want)
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

func TestSignature(t *testing.T) {
	signature := func(switches map[string]string) int64 {
		n, err := New().Signature(context.Background(), switches)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := signature(nil)
	if again := signature(map[string]string{"history": "true"}); again != first {
		t.Errorf("%d nodes, then %d", first, again)
	}
	if other := signature(map[string]string{"history": "false"}); other == first {
		t.Errorf("%d nodes with and without history", other)
	}
	if _, err := New().Signature(context.Background(), map[string]string{"magic": "true"}); err == nil {
		t.Error("an unknown switch is accepted")
	}
}

func TestExpect(t *testing.T) {
	expect := func(text string) float64 {
		e, err := New().Expect(context.Background(), parse(t, text), 3000)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for text, want := range map[string]float64{
		"000000/000000/000000/000000/222333/111123 1":        1, // wins at once
		"303030/222211/000001/130000/000000/000000 1":        0, // has no move
		"000000/000000/000000/000000/222033/111123 2 goal:1": 1,
		"023000/000003/301011/000000/220321/000000 1":        0, // every move loses
	} {
		if got := expect(text); got < want-0.01 || got > want+0.01 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if a, b := expect("start 1"), expect("start 2"); a+b < 0.99 || a+b > 1.01 || a < 0.2 || a > 0.8 {
		t.Errorf("the mirrored starts are worth %v and %v to the first seat", a, b)
	}
}
