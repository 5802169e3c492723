package player

import (
	"testing"
)

func TestSetOption(t *testing.T) {
	for line, want := range map[string]func(*Settings){
		"name Algorithm value 1":                 func(s *Settings) { s.Algorithm = PVS },
		"name SkillLevel value 30":               func(s *Settings) { s.Skill = 30 },
		"name MoveTime value 60":                 func(s *Settings) { s.MoveTime = 60 },
		"name UsePerfectDatabase value true":     func(s *Settings) { s.Database = true },
		"name PerfectDatabase value true":        func(s *Settings) { s.Database = true },
		"name PerfectDatabasePath value a b":     func(s *Settings) { s.Path = "a b" },
		"name DrawOnHumanExperience value false": func(s *Settings) { s.Human = false },
		"name ConsiderMobility value false":      func(s *Settings) { s.Mobility = false },
		"name DeveloperMode value false":         func(s *Settings) { s.Developer = false },
		"name AiIsLazy value true":               func(s *Settings) { s.Lazy = true },
		"name IDS value false":                   func(s *Settings) { s.Deepening = false },
		"name Hash value 8":                      func(s *Settings) { s.Hash = 8 },
		"name Endings value false":               func(s *Settings) { s.Endings = false },
		"name Threads value 2":                   func(s *Settings) { s.Threads = 2 },
		"name Threads value 0":                   nil,
		"name Seed value 7":                      func(s *Settings) { s.Seed = 7 },
		"name MayFly value false":                func(s *Settings) { s.Rules.Flying = false },
		"name NMoveRule value 50":                func(s *Settings) { s.Rules.QuietPlies = 50 },
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
		got, base := DefaultSettings(), DefaultSettings()
		err := got.SetOption(line)
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
