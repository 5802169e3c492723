package config

import (
	"fmt"
	"strconv"
	"strings"

	"thera/arena"
)

// Threads is the most threads that an engine of the plan is told to use.
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

// Overload is the warning that a run asks for more than cores can give, ""
// where it does not. In a game one engine thinks at a time.
func Overload(p *arena.Plan, cores int) string {
	threads := Threads(p)
	if p.Concurrency*threads <= cores {
		return ""
	}
	return fmt.Sprintf("concurrency %d x threads %d are more than the %d cores allowed here: engines will slow each other down (hint: concurrency: auto)",
		p.Concurrency, threads, cores)
}
