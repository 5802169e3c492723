package santorini

import (
	"thera/engine/game"

	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// dialect is one version of the protocol as the arena speaks it.
type dialect struct {
	name string
	// probe asks an engine that announces nothing which version it speaks.
	probe bool
}

// Dialects lists auto, v1 and v2. auto probes engines that announce nothing, but only
// if a match needs more than v1.
func (g *Game) Dialects() []game.Dialect {
	return []game.Dialect{
		dialect{name: dialectAuto, probe: g.beyondV1()},
		dialect{name: dialectV1},
		dialect{name: dialectV2},
	}
}

// beyondV1 reports whether an engine of v1 cannot know some start.
func (g *Game) beyondV1() bool {
	for i := range g.starts {
		gods, known := g.known(g.starts[i])
		if !known {
			return true
		}
		if p := rules.Start(gods, g.empty); !wire.FitsV1(&p) {
			return true
		}
	}
	return false
}

func (d dialect) Name() string { return d.name }

// Args is empty: the protocol has no command line.
func (d dialect) Args(game.Seat) []string { return nil }

// Bye is "quit".
func (d dialect) Bye() string { return "quit" }

// Ping is a question that an engine answers at once, even during a search.
func (d dialect) Ping() (question, answer string) { return fence.Question, fence.Answer }
