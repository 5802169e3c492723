package mill

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/mill/player"
	"thera/engine/mill/rules"
)

func TestSetOption(t *testing.T) {
	for line, want := range map[string]func(*settings){
		"name Algorithm value 3":                 func(s *settings) { s.Algorithm = 3 },
		"name SkillLevel value 30":               func(s *settings) { s.Skill = 30 },
		"name MoveTime value 60":                 func(s *settings) { s.MoveTime = 60 },
		"name UsePerfectDatabase value true":     func(s *settings) { s.database = true },
		"name PerfectDatabase value true":        func(s *settings) { s.database = true },
		"name PerfectDatabasePath value a b":     func(s *settings) { s.path = "a b" },
		"name DrawOnHumanExperience value false": func(s *settings) { s.Human = false },
		"name ConsiderMobility value false":      func(s *settings) { s.Mobility = false },
		"name DeveloperMode value false":         func(s *settings) { s.developer = false },
		"name AiIsLazy value true":               func(s *settings) { s.Lazy = true },
		"name IDS value false":                   func(s *settings) { s.Deepening = false },
		"name Hash value 8":                      func(s *settings) { s.Hash = 8 },
		"name Endings value false":               func(s *settings) { s.Endings = false },
		"name Threads value 2":                   func(s *settings) { s.Threads = 2 },
		"name Threads value 0":                   nil,
		"name Seed value 7":                      func(s *settings) { s.Seed = 7 },
		"name LogFile value x.log":               func(s *settings) { s.logFile = "x.log" },
		"name MayFly value false":                func(s *settings) { s.rules.Flying = false },
		"name NMoveRule value 50":                func(s *settings) { s.rules.QuietPlies = 50 },
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

func TestParseGo(t *testing.T) {
	a1, d6 := move(t, "a1"), move(t, "d6")
	for question, want := range map[string]player.Goal{
		"":                              {},
		"infinite":                      {Infinite: true},
		"depth 4 nodes 9":               {Depth: 4, Nodes: 9},
		"searchmoves a1 d6 depth 2":     {Moves: []rules.Move{a1, d6}, Depth: 2},
		"depth 2 searchmoves a1 zz d6":  {Moves: []rules.Move{a1}, Depth: 2},
		"depth -3":                      {},
		"depth x movetime 0":            {Time: time.Millisecond},
		"depth":                         {},
		"ponder movestogo 4 depth 3":    {Depth: 3, ToGo: 4},
		"wtime 5 btime 6 winc 7 binc 8": {Left: [2]time.Duration{5e6, 6e6}, Inc: [2]time.Duration{7e6, 8e6}},
		"depth 99999999999999999999999": {},
		"nodes 5 infinite":              {Nodes: 5, Infinite: true},
		"searchmoves":                   {},
	} {
		if diff := cmp.Diff(want, parseGo(strings.Fields(question))); diff != "" {
			t.Errorf("go %s: %s", question, diff)
		}
	}
}

func move(t *testing.T, text string) rules.Move {
	t.Helper()
	m, ok := rules.ParseMove(text)
	if !ok {
		t.Fatalf("%q is not a move", text)
	}
	return m
}
