package config

import (
	"fmt"
	"strconv"
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// busy returns the number of cores that a game uses: the most threads set for an engine,
// or twice as many in games with simultaneous moves.
func busy(p *arena.Plan) int {
	threads := 1
	for _, e := range p.Engines {
		for _, o := range e.Options {
			if n, err := strconv.Atoi(o.Value); err == nil && strings.EqualFold(o.Name, "threads") {
				threads = max(threads, n)
			}
		}
	}
	if p.Game == nil {
		return threads
	}
	if pos, err := p.Game.Start(0, p.Seed); err == nil && pos.ToMove() == game.Both {
		return 2 * threads
	}
	return threads
}

// Overload returns a warning if the run needs more than the given number of
// cores, and "" otherwise.
func Overload(p *arena.Plan, cores int) string {
	needed := busy(p)
	if p.Concurrency*needed <= cores {
		return ""
	}
	return fmt.Sprintf("concurrency %d x %s a game are more than the %d cores allowed here: "+
		"engines will slow each other down (hint: concurrency: auto)", p.Concurrency, arena.Plural(needed, "thread"), cores)
}
