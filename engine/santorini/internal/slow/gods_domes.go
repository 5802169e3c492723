package slow

import "slices"

func slowAsteria(g *generator) {
	g.moveThen(func(t turn, worker, home int) {
		down := t.down || t.board.height[t.board.workers[g.me][worker]] < t.board.height[home] // a slide counts
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			for at := range 25 {
				if down && g.canDome(t.board, at) {
					g.end(domed(t, at), false)
				}
			}
		})
	})
}

func slowSelene(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildEnd(t, worker)
		for _, mine := range t.board.workers[g.me] {
			for _, at := range touching(mine) {
				if t.board.state[g.me] == squareName(mine) && t.board.height[at] < 3 && g.canDome(t.board, at) {
					g.end(domed(t, at), false)
				}
			}
		}
	})
}

func slowJason(g *generator) {
	slowCommon(g)
	for at := range 25 {
		if g.start.state[g.me] == "" && onEdge(at) && g.start.height[at] == 0 && !g.start.taken(at) && !g.closed(g.start, at) {
			t := turn{board: g.start.copy(), up: true} // persephone takes it for a climb
			t.board.state[g.me] = "x"
			t.board.workers[g.me] = append(t.board.workers[g.me], at)
			g.buildEnd(t, len(t.board.workers[g.me])-1)
		}
	}
}

func slowPolyphemus(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			t.board.state[g.me] = "x"
			for a := range 25 {
				if g.start.state[g.me] == "x" || !g.canDome(t.board, a) {
					continue
				}
				one := domed(t, a)
				g.end(one, false)
				for b := range a {
					if g.canDome(one.board, b) {
						g.end(domed(one, b), false)
					}
				}
			}
		})
	})
}

// place lists the ways to place all workers of the mover.
func (g *generator) place() {
	n := 2
	if slices.Contains([]string{"graeae", "proteus", "stymphalians"}, g.start.god[g.me]) {
		n = 3
	}
	var put func(p position, from, n int)
	put = func(p position, from, n int) {
		if n == 0 {
			g.placed(p)
			return
		}
		for at := from; at < 25; at++ {
			if !p.taken(at) && (g.start.god[g.me] != "bia" || onEdge(at)) {
				next := p.copy()
				next.workers[g.me] = append(next.workers[g.me], at)
				put(next, at+1, n-1)
			}
		}
	}
	put(g.start, 0, n)
}

func (g *generator) placed(p position) {
	a, b := p.workers[g.me][0], p.workers[g.me][1]
	p.mover = 0
	if len(p.workers[g.them]) == 0 {
		p.mover = 1 // in the text, whichever side placed first
	}
	switch p.god[g.me] {
	case "eros":
		// On opposite edges. A corner is on two edges.
		rows := a < 5 && b >= 20
		columns := a%5 == 0 && b%5 == 4 || a%5 == 4 && b%5 == 0
		if !rows && !columns {
			return
		}
	case "selene", "hippolyta":
		for _, female := range []int{a, b} {
			p.state[g.me] = squareName(female)
			g.out[p.String()] = true
		}
		return
	}
	g.out[p.String()] = true
}
