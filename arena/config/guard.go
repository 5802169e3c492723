package config

import (
	"fmt"
	"strconv"
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// Threads is the largest number of threads set for an engine of the plan.
func Threads(p *arena.Plan) int {
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

// busy is the number of cores that a game uses: the threads of the engine to
// move, or of both in games with simultaneous moves.
func busy(p *arena.Plan) int {
	threads := Threads(p)
	if p.Game == nil {
		return threads
	}
	if pos, err := p.Game.Start(0, p.Seed); err == nil && pos.ToMove() == game.Both {
		return 2 * threads
	}
	return threads
}

// Overload is the warning that a run asks for more than cores can give, ""
// where it does not.
func Overload(p *arena.Plan, cores int) string {
	threads, needed := Threads(p), busy(p)
	if p.Concurrency*needed <= cores {
		return ""
	}
	both := ""
	if needed > threads {
		both = " x both sides, who move simultaneously,"
	}
	return fmt.Sprintf("concurrency %d x threads %d%s are more than the %d cores allowed here: engines will slow each other down (hint: concurrency: auto)",
		p.Concurrency, threads, both, cores)
}
