package config

import (
	"fmt"
	"strconv"
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// maxThreads returns the largest number of threads set for an engine.
func maxThreads(p *arena.Plan) int {
	most := 1
	for _, e := range p.Engines {
		for _, o := range e.Options {
			if !strings.EqualFold(o.Name, "threads") {
				continue
			}
			if n, err := strconv.Atoi(o.Value); err == nil {
				most = max(most, n)
			}
		}
	}
	return most
}

// busy returns the number of cores that a game uses: the threads of the engine to
// move, or of both engines in games with simultaneous moves.
func busy(p *arena.Plan) int {
	threads := maxThreads(p)
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
	threads, needed := maxThreads(p), busy(p)
	if p.Concurrency*needed <= cores {
		return ""
	}
	both := ""
	if needed > threads {
		both = " x both sides, which move simultaneously,"
	}
	return fmt.Sprintf("concurrency %d x threads %d%s are more than the %d cores allowed here: engines will slow each other down (hint: concurrency: auto)",
		p.Concurrency, threads, both, cores)
}
