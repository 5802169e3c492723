package slow

import (
	"maps"
	"slices"
)

// slowStymphalians: against harpies, and where persephone forces a climb, existing engines
// follow sets of squares instead of single flights.
func slowStymphalians(g *generator) {
	fly := map[string]func(*generator, int){"harpies": slowSlides, "persephone": slowClimbs}[g.start.god[g.them]]
	if fly != nil {
		g.eachFlight(fly)
	}
	if fly == nil || g.start.god[g.them] == "persephone" && !g.forced {
		g.eachFlight(slowFlights)
	}
}

// eachFlight calls fly for each worker. No flight ends on its start or next to it.
func (g *generator) eachFlight(fly func(g *generator, worker int)) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		g.noWin = map[int]bool{home: true}
		for _, at := range touching(home) {
			g.noWin[at] = true
		}
		fly(g, worker)
		g.noWin = nil
	}
}

// slowFlights takes one to three steps.
func slowFlights(g *generator, worker int) {
	home := g.start.workers[g.me][worker]
	near := g.noWin
	soonest := map[int]int{} // the fewest steps to win on a square
	var scout func(t turn, n int)
	scout = func(t turn, n int) {
		for _, to := range g.steps(t, worker, 1) {
			next, won := g.step(t, worker, to, home)
			if before, ok := soonest[to]; won && (!ok || n < before) {
				soonest[to] = n
			}
			if !won && n < 3 {
				scout(next, n+1)
			}
		}
	}
	scout(turn{board: g.start}, 1)
	var fly func(t turn, n int)
	fly = func(t turn, n int) {
		for _, to := range g.steps(t, worker, 1) {
			next, won := g.step(t, worker, to, home)
			if won {
				g.end(next, true)
				continue
			}
			at := next.board.workers[g.me][worker]
			wins, ok := soonest[at]
			if !near[at] && !ok {
				g.buildEnd(next, worker)
			}
			if n < 3 && !(ok && wins <= n) {
				fly(next, n+1)
			}
		}
	}
	fly(turn{board: g.start}, 1)
}

// strike lists where the steps from at end that do not win. A square that one wins on is
// struck from those on which a later step may win or end.
func (g *generator) strike(worker, at int) []int {
	var ends []int
	from := turn{board: g.start.move(worker, at)}
	for _, to := range g.steps(from, worker, 1) {
		next, won := g.step(from, worker, to, g.start.workers[g.me][worker])
		if won {
			g.end(next, true)
			g.noWin[to] = true
		} else {
			ends = append(ends, next.board.workers[g.me][worker])
		}
	}
	return ends
}

// flightEnds builds from those of squares where a flight may end.
func (g *generator) flightEnds(worker int, squares map[int]bool) {
	for at := range squares {
		if !g.noWin[at] {
			g.buildEnd(turn{board: g.start.move(worker, at), up: true}, worker)
		}
	}
}

// slowSlides is the flights against harpies. A first step alone is no turn.
func slowSlides(g *generator, worker int) {
	last, ends := map[int]bool{g.start.workers[g.me][worker]: true}, map[int]bool{}
	for n := 1; n <= 3; n++ {
		next := map[int]bool{}
		for _, at := range slices.Sorted(maps.Keys(last)) {
			for _, to := range g.strike(worker, at) {
				next[to] = true
				ends[to] = n > 1 || ends[to]
			}
		}
		last = next
	}
	maps.DeleteFunc(ends, func(_ int, late bool) bool { return !late })
	g.flightEnds(worker, ends)
}

// slowClimbs is the flights that climb.
func slowClimbs(g *generator, worker int) {
	home, height := g.start.workers[g.me][worker], g.start.height
	first := g.steps(turn{board: g.start}, worker, 1)
	slices.Sort(first)
	climbed, level := map[int]bool{}, map[int]bool{} // where two steps lead, with a climb and without
	for _, mid := range first {
		for _, to := range g.strike(worker, mid) {
			if height[mid] > height[home] || height[to] > height[mid] {
				climbed[to] = true
			} else {
				level[to] = true
			}
		}
	}
	for _, mid := range first {
		if height[mid] > height[home] {
			delete(climbed, mid)
		}
		delete(level, mid)
	}
	delete(climbed, home)
	delete(level, home)
	ends := maps.Clone(climbed)
	for _, at := range slices.Sorted(maps.Keys(climbed)) {
		for _, to := range g.strike(worker, at) {
			ends[to] = true
		}
	}
	for _, at := range slices.Sorted(maps.Keys(level)) {
		for _, to := range g.strike(worker, at) {
			if height[to] > height[at] {
				ends[to] = true
			}
		}
	}
	g.flightEnds(worker, ends)
}
