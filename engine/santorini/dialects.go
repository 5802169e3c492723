package santorini

import "thera/engine/game"

// dialect is one generation of the written protocol as the arena speaks it.
type dialect struct {
	name string
	// probe: an engine that announces nothing is asked what it speaks.
	probe bool
}

// Dialects lists auto, v1 and v2. auto asks silent engines for their
// generation only where a match needs to know.
func (g *Game) Dialects() []game.Dialect {
	return []game.Dialect{
		dialect{name: dialectAuto, probe: g.beyondV1()},
		dialect{name: dialectV1},
		dialect{name: dialectV2},
	}
}

// beyondV1 reports whether any start cannot be told to an engine of v1.
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

// Ping is the question that is answered at once, also while thinking.
func (d dialect) Ping() (question, answer string) { return "ping", "pong" }
