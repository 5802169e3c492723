package store

import (
	"fmt"
	"strings"

	"thera/arena"
)

// ChangedError is the error of resuming a run whose games were played under other
// conditions. A mix of both would be meaningless.
type ChangedError struct {
	Run         string
	Games       int
	Differences []string // "limit.move: was 200ms, is 100ms"
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("run %s has %d games that were played under other conditions:\n  %s\n"+
		"they are kept; start a new run with --fresh, or use another name (name: …)",
		e.Run, e.Games, strings.Join(e.Differences, "\n  "))
}

func (h header) conditions() arena.Conditions { return h.settings.Conditions(h.game, h.engines) }
