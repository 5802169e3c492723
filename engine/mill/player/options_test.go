package player

import (
	"context"
	"slices"
	"testing"
	"time"

	"thera/engine/mill/rules"
	"thera/engine/search"
)

func TestBudget(t *testing.T) {
	for _, tt := range []struct {
		goal     Goal
		moveTime int
		want     time.Duration
	}{
		{Goal{}, 0, 10 * time.Millisecond},
		{Goal{}, 1, 650 * time.Millisecond},
		{Goal{}, 10, 6410 * time.Millisecond},
		{Goal{}, 60, 38410 * time.Millisecond},
		{Goal{Infinite: true}, 1, 0},
		{Goal{Depth: 5}, 1, 0},
		{Goal{Nodes: 100}, 1, 0},
		{Goal{Time: time.Second}, 1, 995 * time.Millisecond},
		{Goal{Time: 10 * time.Millisecond}, 1, 9 * time.Millisecond},
	} {
		if got := tt.goal.budget(rules.White, tt.moveTime); got != tt.want {
			t.Errorf("%+v, MoveTime %d: %v, want %v", tt.goal, tt.moveTime, got, tt.want)
		}
	}
	g := Goal{Left: [2]time.Duration{time.Minute, 100 * time.Millisecond}, Inc: [2]time.Duration{time.Second, 0}}
	if w, b := g.budget(rules.White, 1), g.budget(rules.Black, 1); w < time.Second || w > 4*time.Second || b <= 0 || b > 50*time.Millisecond {
		t.Errorf("clocks: %v and %v", w, b)
	}
}

// position reads a position and plays moves from it.
func position(t *testing.T, fen string, moves ...string) *rules.Position {
	t.Helper()
	p, err := rules.Parse(rules.Default(), fen)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range moves {
		m, ok := rules.ParseMove(text)
		s, r := p.State(), p.Rules()
		if !ok || !s.Legal(&r, m) {
			t.Fatalf("%s: %s is not legal", p, text)
		}
		p = p.Next(m)
	}
	return p
}

// thinkAt searches a position with full strength but for some options.
func thinkAt(t *testing.T, fen string, g Goal, change func(o *Options)) Result {
	t.Helper()
	o := strong(4)
	o.Algorithm = MTDF
	change(&o)
	return New().Think(context.Background(), position(t, fen), &o, &g, nil)
}

const (
	slidingFEN = "O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14"
	manUpFEN   = "O**O*@O*/O**@O*@@/@*@O@*** b m s 6 0 7 0 0 0 0 0 0 0 0 9 14"
)

func TestConsiderMobility(t *testing.T) {
	with := thinkAt(t, slidingFEN, Goal{Depth: 1}, func(*Options) {})
	without := thinkAt(t, slidingFEN, Goal{Depth: 1}, func(o *Options) { o.Mobility = false })
	if with.Score == without.Score {
		t.Errorf("mobility changes nothing: %d", with.Score)
	}
}

// The net evaluates unless it is switched off, or mobility is.
func TestNet(t *testing.T) {
	score := func(net, mobility bool) int {
		return thinkAt(t, slidingFEN, Goal{Depth: 4}, func(o *Options) { o.Net, o.Mobility = net, mobility }).Score
	}
	with, without := score(true, true), score(false, true)
	if with == without {
		t.Errorf("the net changes nothing: %d", with)
	}
	if a, b := score(true, false), score(false, false); a != b || a == without {
		t.Errorf("without mobility: %d with the net, %d without; %d with mobility", a, b, without)
	}
}

// With human experience a position that occurred once before is a draw.
func TestDrawOnHumanExperience(t *testing.T) {
	again, ok := rules.ParseMove("c3-d3") // to the first position that a slide reached
	if !ok {
		t.Fatal("not a move")
	}
	known := func(p *rules.Position, human bool) bool {
		b := &board{}
		b.set(p, style{human: human}, nil)
		b.Make(again)
		score, known := b.Known()
		return known && score == 0
	}
	second := position(t, slidingFEN, "c3-d3", "e4-f4", "d3-c3", "f4-e4")
	for _, human := range []bool{true, false} {
		if known(second, human) != human {
			t.Errorf("second occurrence, human %v: drawn %v", human, !human)
		}
	}
	if third := position(t, slidingFEN, "c3-d3", "e4-f4", "d3-c3", "f4-e4", "c3-d3", "e4-f4", "d3-c3", "f4-e4"); !known(third, false) {
		t.Error("third occurrence: not drawn")
	}
}

// A level's handicap shrinks to nothing at 30.
func TestSkillLevelHandicap(t *testing.T) {
	for level := range FullStrength {
		if skillDepth(level+1) < skillDepth(level) || skillNoise(level+1) >= skillNoise(level) {
			t.Errorf("level %d is no better than %d", level+1, level)
		}
	}
	if skillNoise(FullStrength) != 0 {
		t.Error("full strength errs")
	}
	if r := thinkAt(t, rules.StartFEN, Goal{Nodes: 50_000}, func(o *Options) { o.Skill = 4 }); r.Depth > skillDepth(4) {
		t.Errorf("level 4 looks %d deep", r.Depth)
	}
	if r := thinkAt(t, rules.StartFEN, Goal{Depth: 5}, func(o *Options) { o.Skill = 4 }); r.Depth != 5 {
		t.Errorf("level 4 asked to look 5 deep looks %d deep", r.Depth)
	}
}

// Shallow fixed depths are searched in full width, deep ones are not.
func TestFullDepth(t *testing.T) {
	for depth, want := range map[int]bool{0: false, 1: true, fullDepth: true, fullDepth + 1: false} {
		p, o := New(), strong(1)
		st := p.configure(&o, &Goal{Depth: depth})
		if selective := p.engine.Options.Features&search.Selective != 0; selective == want || st.paths == want {
			t.Errorf("depth %d: selective %v, paths %v", depth, selective, st.paths)
		}
	}
}

// Threads search together.
func TestThreads(t *testing.T) {
	o, pl := strong(4), New()
	o.Threads = 3
	for _, algorithm := range []Algorithm{AlphaBeta, PVS, MTDF} {
		o.Algorithm = algorithm
		p := position(t, slidingFEN)
		got := pl.Think(context.Background(), p, &o, &Goal{Depth: 7}, nil)
		if !slices.Contains(moves(p), got.Move) || got.Depth != 7 {
			t.Errorf("%s: %s at depth %d", algorithm, got.Move, got.Depth)
		}
		o.Threads = 1
		if alone := New().Think(context.Background(), p, &o, &Goal{Depth: 7}, nil); alone.Score != got.Score {
			t.Errorf("%s: score %d with three threads, %d with one", algorithm, got.Score, alone.Score)
		}
		o.Threads = 3
		pl.Clear()
	}
}
