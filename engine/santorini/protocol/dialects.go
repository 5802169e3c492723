package protocol

import "thera/engine/game"

// dialect is one version of the protocol as the arena speaks it.
type dialect struct {
	name string
}

// Dialects lists auto, v1 and v2. auto asks an engine that announces nothing which
// version it speaks.
func Dialects() []game.Dialect {
	return []game.Dialect{dialect{name: dialectAuto}, dialect{name: dialectV1}, dialect{name: dialectV2}}
}

func (d dialect) Name() string { return d.name }

// Args is empty: the protocol has no command line.
func (d dialect) Args(game.Seat) []string { return nil }

// Bye is "quit".
func (d dialect) Bye() string { return "quit" }

// Ping is a question that an engine answers at once, even during a search.
func (d dialect) Ping() (question, answer string) { return fence.Question, fence.Answer }
