package santorini

import "thera/engine/game"

// dialect is one generation of the written protocol as the arena speaks it.
type dialect struct {
	name  string
	probe bool // find out what an engine speaks that announces nothing
}

// Dialects lists auto, v1 and v2. auto probes an engine that announces nothing
// only where the match depends on its generation.
func (g *Game) Dialects() []game.Dialect {
	return []game.Dialect{
		dialect{name: dialectAuto, probe: g.beyondV1()},
		dialect{name: dialectV1},
		dialect{name: dialectV2},
	}
}

// beyondV1 reports whether an engine of v1 cannot play some start.
func (g *Game) beyondV1() bool {
	for i := range g.starts {
		if p, _ := startOf(g.starts[i], g.empty); !p.fitsV1() {
			return true
		}
	}
	return false
}

func (d dialect) Name() string { return d.name }

// Args are none: the protocol has no words for the command line.
func (d dialect) Args(game.Seat) []string { return nil }

// Bye is "quit".
func (d dialect) Bye() string { return "quit" }

// Ping is answered at once, also while the engine thinks.
func (d dialect) Ping() (question, answer string) { return fence.Question, fence.Answer }
