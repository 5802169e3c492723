package mill

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/search"
	"thera/engine/serve"
)

func TestMoveTimeFormula(t *testing.T) {
	for value, want := range map[int]time.Duration{0: 10, 1: 650, 10: 6410, 60: 38410} {
		g := goal{}
		if got := g.budget(white, value); got != want*time.Millisecond {
			t.Errorf("MoveTime %d: %v, want %d ms", value, got, want)
		}
	}
	for question, want := range map[string]time.Duration{
		"infinite": 0, "depth 5": 0, "nodes 100": 0, "movetime 1000": 995 * time.Millisecond, "movetime 10": 9 * time.Millisecond,
	} {
		g := parseGoal(strings.Fields(question))
		if got := g.budget(white, 1); got != want {
			t.Errorf("go %s: %v, want %v", question, got, want)
		}
	}
	g := parseGoal(strings.Fields("wtime 60000 btime 100 winc 1000 binc 0"))
	if w, b := g.budget(white, 1), g.budget(black, 1); w < time.Second || w > 4*time.Second || b <= 0 || b > 50*time.Millisecond {
		t.Errorf("clocks: %v and %v", w, b)
	}
}

func TestParseGoal(t *testing.T) {
	a1, d6 := place(numberOf(t, "a1")), place(numberOf(t, "d6"))
	for question, want := range map[string]goal{
		"":                              {},
		"infinite":                      {infinite: true},
		"depth 4 nodes 9":               {depth: 4, nodes: 9},
		"searchmoves a1 d6 depth 2":     {moves: []move{a1, d6}, depth: 2},
		"depth 2 searchmoves a1 zz d6":  {moves: []move{a1}, depth: 2},
		"depth -3":                      {},
		"depth x movetime 0":            {time: time.Millisecond},
		"depth":                         {},
		"ponder movestogo 4 depth 3":    {depth: 3},
		"wtime 5 btime 6 winc 7 binc 8": {left: [2]time.Duration{5e6, 6e6}, inc: [2]time.Duration{7e6, 8e6}},
		"depth 99999999999999999999999": {},
		"nodes 5 infinite":              {nodes: 5, infinite: true},
		"searchmoves":                   {},
	} {
		if diff := cmp.Diff(want, parseGoal(strings.Fields(question)), cmp.AllowUnexported(goal{})); diff != "" {
			t.Errorf("go %s: %s", question, diff)
		}
	}
}

func numberOf(t *testing.T, name string) point {
	t.Helper()
	p, ok := pointNamed(name)
	if !ok {
		t.Fatal(name)
	}
	return p
}

func TestSetOption(t *testing.T) {
	for line, want := range map[string]func(*settings){
		"name Algorithm value 3":                 func(s *settings) { s.algorithm = 3 },
		"name SkillLevel value 30":               func(s *settings) { s.skill = 30 },
		"name MoveTime value 60":                 func(s *settings) { s.moveTime = 60 },
		"name UsePerfectDatabase value true":     func(s *settings) { s.database = true },
		"name PerfectDatabase value true":        func(s *settings) { s.database = true },
		"name PerfectDatabasePath value a b":     func(s *settings) { s.path = "a b" },
		"name DrawOnHumanExperience value false": func(s *settings) { s.human = false },
		"name ConsiderMobility value false":      func(s *settings) { s.mobility = false },
		"name DeveloperMode value false":         func(s *settings) { s.developer = false },
		"name AiIsLazy value true":               func(s *settings) { s.lazy = true },
		"name IDS value false":                   func(s *settings) { s.deepening = false },
		"name Hash value 8":                      func(s *settings) { s.hash = 8 },
		"name Seed value 7":                      func(s *settings) { s.seed = 7 },
		"name LogFile value x.log":               func(s *settings) { s.logFile = "x.log" },
		"name MayFly value false":                func(s *settings) { s.flying = false },
		"name NMoveRule value 50":                func(s *settings) { s.quietPlies = 50 },
		"name Algorithm value 5":                 nil,
		"name Algorithm value -1":                nil,
		"name SkillLevel value 31":               nil,
		"name MoveTime value 2000":               nil, // the text's own example is out of its range
		"name algorithm value 1":                 nil, // names are case-sensitive
		"name IDS value 1":                       nil,
		"name IDS":                               nil,
		"Algorithm value 1":                      nil,
		"":                                       nil,
	} {
		got, base := defaultSettings(), defaultSettings()
		err := got.setOption(line)
		if want == nil {
			if err == nil {
				t.Errorf("%q: no error", line)
			}
		} else {
			want(&base)
			if err != nil {
				t.Errorf("%q: %v", line, err)
			}
		}
		if got != base {
			t.Errorf("%q: %+v, want %+v", line, got, base)
		}
	}
}

// thinkAt searches a position with some options and returns the result.
func thinkAt(t *testing.T, fen string, g goal, change func(s *settings)) search.Result[move] {
	t.Helper()
	p, err := parseFEN(&defaultRules, fen)
	if err != nil {
		t.Fatal(err)
	}
	set := defaultSettings()
	set.skill, set.hash = fullStrength, 4
	change(&set)
	return newPlayer().think(context.Background(), p, &set, &g, nil)
}

const (
	slidingFEN = "O@OO*@OO/O**@O*@@/@*@O@@*O b m s 9 0 9 0 0 0 0 0 0 0 0 9 14"
	manUpFEN   = "O**O*@O*/O**@O*@@/@*@O@*** b m s 6 0 7 0 0 0 0 0 0 0 0 9 14"
)

func TestAiIsLazy(t *testing.T) {
	lazy := func(s *settings) { s.lazy = true }
	if r := thinkAt(t, manUpFEN, goal{nodes: 200_000}, lazy); r.Depth > lazyDepth {
		t.Errorf("a man ahead and lazy: depth %d", r.Depth)
	}
	if r := thinkAt(t, manUpFEN, goal{nodes: 200_000}, func(*settings) {}); r.Depth <= lazyDepth {
		t.Errorf("a man ahead: depth %d", r.Depth)
	}
	if r := thinkAt(t, slidingFEN, goal{nodes: 200_000}, lazy); r.Depth <= lazyDepth {
		t.Errorf("even and lazy: depth %d", r.Depth)
	}
	if r := thinkAt(t, manUpFEN, goal{depth: 6}, lazy); r.Depth != 6 {
		t.Errorf("told a depth: %d", r.Depth)
	}
}

func TestIDS(t *testing.T) {
	with := thinkAt(t, slidingFEN, goal{depth: 6}, func(*settings) {})
	set := defaultSettings()
	set.skill, set.deepening = fullStrength, false
	p, err := parseFEN(&defaultRules, slidingFEN)
	if err != nil {
		t.Fatal(err)
	}
	var depths []int
	without := newPlayer().think(context.Background(), p, &set, &goal{depth: 6}, func(r search.Result[move]) { depths = append(depths, r.Depth) })
	if without.Score != with.Score || depths[0] != 6 {
		t.Errorf("score %d with and %d without deepening, at depths %v", with.Score, without.Score, depths)
	}
}

func TestConsiderMobility(t *testing.T) {
	with := thinkAt(t, slidingFEN, goal{depth: 1}, func(*settings) {})
	without := thinkAt(t, slidingFEN, goal{depth: 1}, func(s *settings) { s.mobility = false })
	if with.Score == without.Score {
		t.Errorf("mobility changes nothing: %d", with.Score)
	}
}

// With human experience a position that occurred before is a draw already.
func TestDrawOnHumanExperience(t *testing.T) {
	p, err := parsePosition(&defaultRules, "fen "+slidingFEN+" moves c3-d3 e4-f4 d3-c3")
	if err != nil {
		t.Fatal(err)
	}
	m, ok := parseMove("f4-e4") // back to the start
	if !ok || !p.legal(p.rules, m) {
		t.Fatal(m)
	}
	for _, human := range []bool{true, false} {
		w := &walker{}
		w.set(p, style{human: human}, nil)
		w.Make(m)
		if score, known := w.Known(); known != human || score != 0 {
			t.Errorf("human %v: known %v, %d", human, known, score)
		}
	}
	// The rule's own third occurrence is a draw either way.
	p, err = parsePosition(&defaultRules, "fen "+slidingFEN+" moves c3-d3 e4-f4 d3-c3 f4-e4 c3-d3 e4-f4 d3-c3")
	if err != nil {
		t.Fatal(err)
	}
	w := &walker{}
	w.set(p, style{}, nil)
	w.Make(m)
	if score, known := w.Known(); !known || score != 0 {
		t.Errorf("third occurrence: %v %d", known, score)
	}
}

func TestDeveloperMode(t *testing.T) {
	on := commands(t, "go depth 2")
	off := commands(t, "setoption name DeveloperMode value false", "go depth 2")
	for _, what := range []string{"search starts", "node count: ", "best move found: "} {
		if !strings.Contains(on, "info string debug: "+what) || strings.Contains(off, what) {
			t.Errorf("%q: on %s off %s", what, on, off)
		}
	}
}

// A level's handicap shrinks to nothing at 30.
func TestSkillLevelHandicap(t *testing.T) {
	for level := range fullStrength {
		if skillDepth(level+1) < skillDepth(level) || skillNoise(level+1) >= skillNoise(level) {
			t.Errorf("level %d is no better than %d", level+1, level)
		}
	}
	if skillNoise(fullStrength) != 0 {
		t.Error("full strength errs")
	}
	if r := thinkAt(t, StartFEN, goal{nodes: 50_000}, func(s *settings) { s.skill = 4 }); r.Depth > skillDepth(4) {
		t.Errorf("level 4 looks %d deep", r.Depth)
	}
	if r := thinkAt(t, StartFEN, goal{depth: 5}, func(s *settings) { s.skill = 4 }); r.Depth != 5 {
		t.Errorf("level 4 told to look 5 deep looks %d deep", r.Depth)
	}
}

// What other options left in the table is not believed.
func TestOptionsKeepTheirEntries(t *testing.T) {
	set := defaultSettings()
	set.skill = fullStrength
	p, err := parseFEN(&defaultRules, slidingFEN)
	if err != nil {
		t.Fatal(err)
	}
	pl := newPlayer()
	fresh := pl.think(context.Background(), p, &set, &goal{depth: 6}, nil)
	pl.clear()
	pl.think(context.Background(), p, &set, &goal{nodes: 300_000}, nil)
	weak := set
	weak.skill = 0
	pl.think(context.Background(), p, &weak, &goal{depth: 6}, nil)
	if again := pl.think(context.Background(), p, &set, &goal{depth: 6}, nil); again.Score != fresh.Score {
		t.Errorf("score %d, fresh %d", again.Score, fresh.Score)
	}
}

func TestInfoThrottle(t *testing.T) {
	var buf bytes.Buffer
	pos := newPosition(Position{state: startState(), rules: &defaultRules})
	i := newInformer(serve.NewOutput(&buf), pos)
	d6, f4 := place(numberOf(t, "d6")), place(numberOf(t, "f4"))
	i.report(search.Result[move]{Depth: 1, Score: 5, PV: []move{d6}})
	i.report(search.Result[move]{Depth: 1, Score: 7, PV: []move{f4}}) // better, too soon
	i.current(d6)                                                     // too soon
	i.report(search.Result[move]{Depth: 2, Score: 6})
	i.printed = i.printed.Add(-infoEvery)
	i.current(f4)
	i.current(f4) // searched again
	i.printed = i.printed.Add(-infoEvery)
	i.current(d6) // seen before: a new pass
	i.printed = i.printed.Add(-infoEvery)
	i.report(search.Result[move]{Depth: 2, Score: 9})
	i.finish(search.Result[move]{Depth: 2, Score: 9, Nodes: 7})
	got := regexp.MustCompile(` time \d+`).ReplaceAllString(buf.String(), "")
	want := `info depth 1 score cp 7 nodes 0 pv f4
info currmove f4 currmovenumber 2
info currmove d6 currmovenumber 1
info depth 2 score cp 9 nodes 0
info depth 2 score cp 9 nodes 7
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Deep fixed depths are reached by leaving things out, shallow ones are not.
func TestFullDepth(t *testing.T) {
	for depth, want := range map[int]bool{0: false, 1: true, fullDepth: true, fullDepth + 1: false} {
		p, set := newPlayer(), defaultSettings()
		full := p.configure(&set, &goal{depth: depth})
		if selective := p.engine.Options.Features&search.Selective != 0; selective == want || full.paths == want {
			t.Errorf("depth %d: selective %v, paths %v", depth, selective, full.paths)
		}
	}
}
