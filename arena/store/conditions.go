package store

import (
	"fmt"
	"strings"

	"thera/arena"
)

// Changed refuses to go on with a run whose games were played under other
// conditions: mixed games would be meaningless.
type Changed struct {
	Run         string
	Games       int
	Differences []string // "limit.move: was 200ms, is 100ms"
}

func (e *Changed) Error() string {
	return fmt.Sprintf("run %s holds %d games that were played under other conditions:\n  %s\n"+
		"they are kept; play anew with --fresh, or under another name (name: …)",
		e.Run, e.Games, strings.Join(e.Differences, "\n  "))
}

func (h header) conditions() arena.Conditions { return h.settings.Conditions(h.game, h.engines) }

// kept is an engine as it is stored, without the values of its environment.
func kept(e arena.EngineSpec) arena.EngineSpec {
	e.Env = arena.SealEnv(e.Env)
	return e
}
