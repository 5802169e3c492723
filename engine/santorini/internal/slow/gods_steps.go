package slow

import "slices"

func slowProteus(g *generator) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		for _, to := range g.steps(turn{board: g.start}, worker, 1) {
			t, won := g.step(turn{board: g.start}, worker, to, home)
			switch {
			case won:
				g.end(t, true)
				continue
			case len(g.start.workers[g.me]) == 1:
				g.buildEnd(t, worker)
			}
			for other := range g.start.workers[g.me] {
				if other == worker {
					continue
				}
				// The other worker goes first, so that a slide passes where it stood.
				filled := turn{board: g.start.copy()}
				filled.board.workers[g.me][other] = home
				d := g.ways(home)[to]
				t, _ := g.land(filled, worker, to, home, d)
				g.buildEnd(t, worker)
			}
		}
	}
}

func slowHermes(g *generator) {
	g.moveThen(func(t turn, worker, home int) {
		if t.board.height[t.board.workers[g.me][worker]] != g.start.height[home] {
			g.buildEnd(t, worker)
		}
	})
	homes := slices.Clone(g.start.workers[g.me])
	slices.Sort(homes)
	held := map[int]bool{}
	for worker, home := range g.start.workers[g.me] {
		held[home] = !slices.Contains(g.movers(), worker)
	}
	// Each worker glides alone: the other one can make way unless it is held.
	var area []map[int]bool
	for _, home := range homes {
		alone := turn{board: g.start.copy()}
		alone.board.workers[g.me] = []int{home}
		for _, other := range homes {
			if other != home && held[other] {
				alone.board.workers[g.me] = append(alone.board.workers[g.me], other)
			}
		}
		squares := map[int]bool{home: true}
		var glide func(at int)
		glide = func(at int) {
			alone.board.workers[g.me][0] = at
			for _, to := range g.steps(alone, 0, 1) {
				if !squares[to] && g.start.height[to] == g.start.height[home] {
					squares[to] = true
					glide(to)
					alone.board.workers[g.me][0] = at
				}
			}
		}
		if !held[home] {
			glide(home)
		}
		area = append(area, squares)
	}
	if len(homes) == 1 {
		for at := range area[0] {
			g.hermesEnd(homes, []int{at}, held)
		}
		return
	}
	shared := area[0][homes[1]]
	if shared {
		area[1] = area[0]
	}
	for a := range area[0] {
		for b := range area[1] {
			// The pair is taken for the exchange of another one.
			double := shared && b < a && g.hermesMay(homes[0], b)
			if a != b && !double {
				g.hermesEnd(homes, []int{a, b}, held)
			}
		}
	}
}

// hermesMay reports whether aphrodite lets the worker from home end on at.
func (g *generator) hermesMay(home, at int) bool {
	theirs := g.start.workers[g.them]
	return g.start.god[g.them] != "aphrodite" || !nextTo(theirs, home) || nextTo(theirs, at)
}

// hermesEnd builds next to a worker that is not held.
func (g *generator) hermesEnd(homes, ends []int, held map[int]bool) {
	t := turn{board: g.start.copy()}
	t.board.workers[g.me] = ends
	for worker, home := range homes {
		if !g.hermesMay(home, ends[worker]) {
			return
		}
	}
	for worker, home := range homes {
		if !held[home] {
			g.buildEnd(t, worker)
		}
	}
}

func slowCastor(g *generator) {
	slowCommon(g)
	homes := g.start.workers[g.me]
	alone := turn{board: g.start}
	orders := [][]int{{0, 1}, {1, 0}}
	if len(homes) == 1 {
		orders = [][]int{{0}}
	}
	may := true
	for worker, home := range homes {
		may = may && slices.Contains(g.movers(), worker)
		may = may && (g.start.god[g.them] != "hypnus" || g.start.height[home] == 2)
	}
	for _, order := range orders {
		first := order[0]
		for _, to := range g.steps(alone, first, 1) {
			t, won := g.step(alone, first, to, homes[first])
			switch {
			case !may || won:
			case len(order) == 1:
				g.end(t, false)
			default:
				slid := []int{to} // the squares that the first worker passed
				d := g.ways(homes[first])[to]
				for at := t.board.workers[g.me][first]; slid[len(slid)-1] != at; {
					slid = append(slid, ahead(slid[len(slid)-1], d[0], d[1], false))
				}
				g.castorSecond(t, order[1], slid[:len(slid)-1])
			}
		}
		var build func(t turn, left []int)
		build = func(t turn, left []int) {
			if len(left) == 0 {
				g.end(t, false)
				return
			}
			g.buildThen(t, left[0], func(t turn, _ int) { build(t, left[1:]) })
		}
		build(alone, order)
	}
}

// castorSecond moves the second worker after the first has slid over some squares.
func (g *generator) castorSecond(t turn, worker int, slid []int) {
	home := g.start.workers[g.me][worker]
	alone := turn{board: g.start}
	for _, to := range g.steps(t, worker, 1) {
		next, won := g.step(t, worker, to, home)
		if slices.Contains(g.steps(alone, worker, 1), to) {
			before, wonBefore := g.step(alone, worker, to, home)
			at := next.board.workers[g.me][worker]
			if wonBefore || at == before.board.workers[g.me][worker] && slices.Contains(slid, at) {
				continue // it had to be made first
			}
		}
		next.leftNeighbour = next.leftNeighbour || t.leftNeighbour
		g.end(next, won)
	}
}
