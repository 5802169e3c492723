package player

import (
	"context"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// unfinished are the vectors' positions in which somebody is to move.
func unfinished(t testing.TB, most int) []*rules.Position {
	t.Helper()
	var list []*rules.Position
	for _, v := range gametest.Vectors[struct {
		FEN  string
		Over bool
	}](t, "../rules/testdata/positions.jsonl.gz") {
		if v.Over || len(list) == most {
			continue
		}
		p, err := rules.Parse(rules.Default(), v.FEN)
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

// strong returns options of full strength.
func strong(hash int) Options {
	return Options{Algorithm: PVS, Skill: FullStrength, Human: true, Mobility: true, Net: true, Hash: hash, Seed: 1}
}

// rootScore returns what an algorithm finds at a fixed depth.
func rootScore(p *rules.Position, algorithm Algorithm, depth, skill int) int {
	o := strong(1)
	o.Skill, o.Algorithm = skill, algorithm
	return New().Think(context.Background(), p, &o, &Goal{Depth: depth}, nil).Score
}

// Alpha-beta, PVS and MTD(f) find the same score at a fixed depth.
func TestAlgorithmsAgreeLong(t *testing.T) {
	depth := 4
	if gametest.Long(t) {
		depth = 7
	}
	for i, p := range unfinished(t, 200) {
		skill := FullStrength
		if i%4 == 3 {
			skill = 12 // a handicap changes the score, not the agreement
		}
		want := rootScore(p, 0, depth, skill)
		for algorithm := PVS; algorithm <= MTDF; algorithm++ {
			if got := rootScore(p, algorithm, depth, skill); got != want {
				t.Errorf("%s depth %d: %s %d, %s %d", p, depth, AlphaBeta, want, algorithm, got)
			}
		}
	}
}

// The error of a handicap differs between images of a position, so that they share no
// entry of the table.
func TestHandicapKeepsTheScore(t *testing.T) {
	p, err := rules.Parse(rules.Default(), "*OOO****/*@@@****/******** w p r 3 4 3 5 1 0 0 0 0 0 0 0 7")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 10 {
		o := strong(1)
		o.Skill, o.Seed = 12, seed
		var scores [3]int
		for a := range scores {
			o.Algorithm = Algorithm(a)
			scores[a] = New().Think(t.Context(), p, &o, &Goal{Depth: 3}, nil).Score
		}
		if scores[0] != scores[1] || scores[1] != scores[2] {
			t.Errorf("seed %d: %d", seed, scores)
		}
	}
}

// minimax returns the plain value of a position at a depth in turns. The search
// must find it with everything that saves work.
func minimax(b *board, depth int) int {
	if score, ok := b.Known(); ok && b.ply > 0 {
		return later(score, b.ply)
	}
	if depth == 0 {
		return b.Evaluate()
	}
	var list search.List[rules.Move]
	b.Generate(0, &list)
	best := -search.Infinity
	for _, item := range list.Items {
		var score int
		if b.Make(item.Move) {
			score = minimax(b, depth)
		} else {
			score = -minimax(b, depth-1)
		}
		b.Unmake()
		best = max(best, score)
	}
	return best
}

// later makes a proven score count its plies from the root.
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
	e := search.New(func() search.Board[rules.Move] { return &board{} })
	e.Options.Table = 4 << 20
	e.Options.Features = search.All &^ (search.Selective | search.Extensions | search.Quiescence)
	st := style{mobility: true, human: true}
	for i, p := range unfinished(t, 120) {
		if i%3 != 0 {
			continue
		}
		b := &board{}
		b.set(p, st, nil)
		want := minimax(b, 3)
		e.Clear()
		got := e.Search(context.Background(), func(b search.Board[rules.Move]) { b.(*board).set(p, st, nil) }, search.Limits{Depth: 3}, nil)
		if got.Score != want {
			t.Errorf("%s: score %d, minimax %d", p, got.Score, want)
		}
	}
}

func moves(p *rules.Position) []rules.Move {
	s, r := p.State(), p.Rules()
	return s.Moves(&r, nil)
}
