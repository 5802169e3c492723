package mill

import (
	"context"
	"os"
	"testing"
	"time"

	"thera/engine/gametest"
	"thera/engine/search"
)

// unfinished are the vectors' positions in which somebody is to move.
func unfinished(t testing.TB, most int) []*Position {
	t.Helper()
	var list []*Position
	for _, v := range gametest.Vectors[struct {
		FEN  string
		Over bool
	}](t, "testdata/positions.jsonl.gz") {
		if v.Over || len(list) == most {
			continue
		}
		p, err := parseFEN(&defaultRules, v.FEN)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if len(list) != most {
		t.Fatalf("%d positions, want %d", len(list), most)
	}
	return list
}

// rootScore is what an algorithm finds at a fixed depth, as the engine plays
// it.
func rootScore(p *Position, algorithm, depth, skill int) int {
	set := defaultSettings()
	set.skill, set.algorithm, set.hash = skill, algorithm, 1
	return newPlayer().think(context.Background(), p, &set, &goal{depth: depth}, nil).Score
}

// Alpha-beta, PVS and MTD(f) find the same score at a fixed depth.
func TestAlgorithmsAgreeLong(t *testing.T) {
	depth := 4
	if os.Getenv("THERA_LONG") == "1" {
		depth = 7
	}
	begin := time.Now()
	for i, p := range unfinished(t, 200) {
		skill := fullStrength
		if i%4 == 3 {
			skill = 12 // a handicap changes the score, not the agreement
		}
		want := rootScore(p, 0, depth, skill)
		for algorithm := 1; algorithm <= 2; algorithm++ {
			if got := rootScore(p, algorithm, depth, skill); got != want {
				t.Errorf("%s depth %d: %s %d, %s %d", p, depth, drivers[0].name, want, drivers[algorithm].name, got)
			}
		}
	}
	t.Logf("200 positions to depth %d in %v", depth, time.Since(begin))
}

// minimax is the plain value of a position, turns being the depth: the
// reference for the search with all that saves work.
func minimax(w *walker, depth int) int {
	if score, ok := w.Known(); ok && w.ply > 0 {
		return later(score, w.ply)
	}
	if depth == 0 {
		return w.Evaluate()
	}
	var list search.List[move]
	w.Generate(0, &list)
	best := -search.Infinity
	for _, item := range list.Items {
		var score int
		if w.Make(item.Move) {
			score = minimax(w, depth)
		} else {
			score = -minimax(w, depth-1)
		}
		w.Unmake()
		best = max(best, score)
	}
	return best
}

// later counts a proven score's plies from the root.
func later(score, ply int) int {
	switch {
	case score > search.Heuristic:
		return score - ply
	case score < -search.Heuristic:
		return score + ply
	}
	return score
}

func TestSearchIsMinimax(t *testing.T) {
	e := search.New(func() search.Board[move] { return &walker{} })
	e.Options.Table = 4 << 20
	e.Options.Features = search.All &^ (search.Selective | search.Extensions | search.Quiescence)
	st := style{mobility: true, human: true}
	for i, p := range unfinished(t, 120) {
		if i%3 != 0 {
			continue
		}
		w := &walker{}
		w.set(p, st, nil)
		want := minimax(w, 3)
		e.Clear()
		got := e.Search(context.Background(), func(b search.Board[move]) { b.(*walker).set(p, st, nil) }, search.Limits{Depth: 3}, nil)
		if got.Score != want {
			t.Errorf("%s: score %d, minimax %d", p, got.Score, want)
		}
	}
}

// The walk's key is the state's at every step, and Unmake brings all back.
func TestWalkerKeepsItsKey(t *testing.T) {
	for _, p := range unfinished(t, 100) {
		w := &walker{}
		w.set(p, style{}, nil)
		checkWalk(t, w, 3)
		if w.state != p.state || w.quiet != p.quiet || w.ply != 0 {
			t.Fatalf("%s is not as it was", p)
		}
	}
}

func checkWalk(t *testing.T, w *walker, depth int) {
	t.Helper()
	if w.act != actWon && w.key != w.state.key() {
		t.Fatalf("key %x, from scratch %x: %+v", w.key, w.state.key(), w.state)
	}
	if _, over := w.Known(); depth == 0 || over {
		return
	}
	var list search.List[move]
	w.Generate(0, &list)
	if want := w.state.moves(w.rules, nil); len(want) != len(list.Items) {
		t.Fatalf("%d moves generated, %d are legal: %+v", len(list.Items), len(want), w.state)
	}
	for i := 0; i < len(list.Items); i += 4 {
		w.Make(list.Items[i].Move)
		checkWalk(t, w, depth-1)
		w.Unmake()
	}
}

// All images of a position with few men have one key.
func TestSharedKey(t *testing.T) {
	for _, p := range unfinished(t, 150) {
		s := p.state
		for i := range symmetries {
			other := s
			other.men = [2]uint32{image(i, s.men[white]), image(i, s.men[black])}
			same := other.sharedKey(other.key()) == s.sharedKey(s.key())
			few := s.left(white)-int(s.hand[white])+s.left(black)-int(s.hand[black]) <= fewMen
			if few && !same || !few && same && other != s {
				t.Errorf("%s, image %d: shared %v, few men %v", p, i, same, few)
			}
			if milled(image(i, s.men[white])) != image(i, milled(s.men[white])) ||
				threats(image(i, s.men[black])) != image(i, threats(s.men[black])) {
				t.Errorf("%s, image %d: mills or threats do not follow", p, i)
			}
		}
	}
}

// threats and closer against the plain definition.
func TestThreats(t *testing.T) {
	for _, p := range unfinished(t, 200) {
		for c := range p.men {
			want := uint32(0)
			for at := range point(points) {
				if closes(p.men[c]&^at.bit(), at) {
					want |= at.bit()
				}
			}
			if got := threats(p.men[c]); got != want {
				t.Errorf("%s: threats %x, want %x", p, got, want)
			}
		}
		if p.act != actMove {
			continue
		}
		can := false
		for _, m := range p.moves(p.rules, nil) {
			next := p.state
			next.play(m)
			can = can || next.act == actRemove
		}
		if got := p.closer(p.rules); got != can {
			t.Errorf("%s: closer %v, want %v", p, got, can)
		}
	}
}

// Neither counting nor the walk allocates once its lists have grown.
func TestNoAllocations(t *testing.T) {
	w := &walker{}
	w.set(newPosition(Position{state: startState(), rules: &defaultRules}), style{mobility: true, paths: true}, nil)
	var list search.List[move]
	list.Items = make([]search.Item[move], 0, 64)
	if n := testing.AllocsPerRun(100, func() {
		list.Items = list.Items[:0]
		w.Generate(0, &list)
		for _, item := range list.Items {
			w.Make(item.Move)
			_, _ = w.Known()
			_, _ = w.Key(), w.Evaluate()
			w.Unmake()
		}
	}); n != 0 {
		t.Errorf("a node allocates %v times", n)
	}
	c := counter{ctx: context.Background(), rules: &defaultRules, lists: make([][]move, 5)}
	c.count(startState(), 4)
	if n := testing.AllocsPerRun(3, func() { c.count(startState(), 4) }); n != 0 {
		t.Errorf("a count allocates %v times", n)
	}
}

func BenchmarkSearch(b *testing.B) {
	set := defaultSettings()
	set.skill, set.algorithm = fullStrength, 1
	p := newPlayer()
	var nodes int64
	b.ReportAllocs()
	for b.Loop() {
		p.clear()
		pos := newPosition(Position{state: startState(), rules: &defaultRules})
		nodes += p.think(context.Background(), pos, &set, &goal{nodes: 3_000_000}, nil).Nodes
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
}
