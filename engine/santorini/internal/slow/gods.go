package slow

import (
	"slices"
	"strconv"
)

// moveThen takes each common step of each worker. then continues those that do not
// win.
func (g *generator) moveThen(then func(t turn, worker, home int)) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		for _, to := range g.steps(turn{board: g.start}, worker, 1) {
			t, won := g.step(turn{board: g.start}, worker, to, home)
			if won {
				g.end(t, true)
			}
			if !won || g.fault == winBuilds {
				then(t, worker, home)
			}
		}
	}
}

// buildThen builds once next to worker. then continues the turn.
func (g *generator) buildThen(t turn, worker int, then func(t turn, at int)) {
	on := t.board.workers[g.me][worker]
	for _, at := range append(g.reachable(on), on) {
		if g.canBuild(t.board, at) {
			then(g.built(t, at), at)
		}
	}
}

// buildEnd builds once and ends the turn.
func (g *generator) buildEnd(t turn, worker int) {
	g.buildThen(t, worker, func(t turn, _ int) { g.end(t, false) })
}

func slowCommon(g *generator) {
	g.moveThen(func(t turn, worker, _ int) { g.buildEnd(t, worker) })
}

func slowArtemis(g *generator) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		won := map[int]bool{}
		ends := map[int]turn{}
		other := map[int][]turn{}
		add := func(t turn) {
			at := t.board.workers[g.me][worker]
			ends[at] = t
			other[at] = append(other[at], t)
		}
		for _, to := range g.steps(turn{board: g.start}, worker, 1) {
			t, win := g.step(turn{board: g.start}, worker, to, home)
			if win {
				won[to] = true
				g.end(t, true)
				if g.fault != artemisOn {
					continue
				}
			} else {
				add(t)
			}
			for _, to := range g.steps(t, worker, 1) {
				if to == home && g.fault != artemisHome {
					continue
				}
				t, win := g.step(t, worker, to, home)
				if win {
					won[to] = true
					g.end(t, true)
				} else {
					add(t)
				}
			}
		}
		for at, list := range other {
			for _, t := range list {
				if !won[at] { // a slide may have led back home
					g.buildEnd(t, worker)
				}
			}
		}
	}
}

func slowHephaestus(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, at int) {
			g.end(t, false)
			if (t.board.height[at] < 3 || g.fault == hephDome) && g.canBuild(t.board, at) {
				g.end(g.built(t, at), false)
			}
		})
	})
}

func slowAtlas(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildEnd(t, worker)
		for _, at := range g.reachable(t.board.workers[g.me][worker]) {
			if g.canDome(t.board, at) {
				g.end(domed(t, at), false)
			}
		}
	})
}

func domed(t turn, at int) turn {
	t.board = t.board.raised(at, 4)
	return t
}

func slowDemeter(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, first int) {
			g.end(t, false)
			g.buildThen(t, worker, func(t turn, second int) {
				if second != first {
					g.end(t, false)
				}
			})
		})
	})
}

func slowHestia(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			g.buildThen(t, worker, func(t turn, second int) {
				if !onEdge(second) {
					g.end(t, false)
				}
			})
		})
	})
}

func slowZeus(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildEnd(t, worker)
		at := t.board.workers[g.me][worker]
		if t.board.height[at] < 3 && !(g.start.god[g.them] == "limus" && nextTo(t.board.workers[g.them], at)) {
			g.end(g.built(t, at), false)
		}
	})
}

func slowPrometheus(g *generator) {
	slowCommon(g)
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		g.buildThen(turn{board: g.start}, worker, func(t turn, first int) {
			for _, to := range g.steps(t, worker, 0) {
				t, won := g.step(t, worker, to, home)
				if won {
					g.end(t, true)
					continue
				}
				g.buildThen(t, worker, func(t turn, second int) {
					// Of two squares next to the start, the first has the higher index.
					if second <= first || !slices.Contains(touching(home), second) || !g.canBuild(g.start, second) {
						g.end(t, false)
					}
				})
			}
		})
	}
}

func slowAchilles(g *generator) {
	slowCommon(g)
	if g.start.state[g.me] == "x" {
		return
	}
	forced := g.forced && g.start.god[g.them] == "persephone"
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		winsPlainly := func(to int) bool {
			_, won := g.step(turn{board: g.start}, worker, to, home)
			return won && slices.Contains(g.steps(turn{board: g.start}, worker, 1), to)
		}
		winsIfBuilt := map[int]bool{}
		g.buildThen(turn{board: g.start}, worker, func(t turn, first int) {
			if slices.Contains(g.steps(t, worker, 1), first) {
				_, winsIfBuilt[first] = g.step(t, worker, first, home)
			}
		})
		g.buildThen(turn{board: g.start}, worker, func(t turn, first int) {
			t.board.state[g.me] = "x"
			ends := g.steps(t, worker, 1)
			if _, ok := g.ways(home)[first]; ok && t.board.height[first] == 4 && g.start.height[home] == 3 && g.levelOK(3, 4, 1) {
				ends = append(ends, first)
			}
			for _, to := range ends {
				after, won := g.step(t, worker, to, home)
				switch {
				case winsPlainly(to) && !forced:
					continue // no need of the power
				case winsIfBuilt[first] && to == first:
					g.end(after, won)
					continue
				case winsIfBuilt[first] && !winsPlainly(to):
					continue // built on to win there, and for nothing else
				}
				g.buildThen(after, worker, func(t turn, second int) {
					double := second > first && slices.Contains(touching(home), second) && g.canBuild(g.start, second) && !winsIfBuilt[second]
					if forced { // what was built on first may be the square to which he climbs
						double = second > first && slices.Contains(touching(home), second) && g.canBuild(g.start, second) && to != first
					}
					if !double {
						g.end(t, false)
					}
				})
			}
		})
	}
}

func slowMaenads(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		mine := t.board.workers[g.me]
		dance, room := false, false
		for _, mid := range t.board.workers[g.them] {
			if len(mine) == 2 && mine[0]+mine[1] == 2*mid && slices.Contains(touching(mid), mine[0]) && slices.Contains(touching(mid), mine[1]) && g.canMove(t.board, mid) {
				dance = true
			}
		}
		for _, at := range g.reachable(mine[worker]) {
			room = room || g.canBuild(t.board, at)
		}
		if dance && room {
			g.end(t, true)
		} else {
			g.buildEnd(t, worker)
		}
	})
}

func (g *generator) climbing(height int, mark string) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		for _, to := range g.steps(turn{board: g.start}, worker, height) {
			t, won := g.step(turn{board: g.start}, worker, to, home)
			if mark != "" {
				if g.start.height[to]-g.start.height[home] != 2 {
					continue
				}
				t.board.state[g.me] = mark
			}
			if won {
				g.end(t, true)
			} else {
				g.buildEnd(t, worker)
			}
		}
	}
}

func slowPegasus(g *generator) { g.climbing(3, "") }

func slowBellerophon(g *generator) {
	slowCommon(g)
	if g.start.state[g.me] == "" {
		g.climbing(2, "x")
	}
}

func slowIris(g *generator) {
	slowCommon(g)
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		for over, d := range g.ways(home) {
			to := ahead(over, d[0], d[1], false)
			if !g.start.taken(over) || g.closed(g.start, over) || to < 0 || g.start.taken(to) || g.closed(g.start, to) || !g.levelOK(g.start.height[home], g.start.height[to], 4) {
				continue
			}
			t, won := g.land(turn{board: g.start}, worker, to, home, d)
			if won {
				g.end(t, true)
			} else {
				g.buildEnd(t, worker)
			}
		}
	}
}

func slowChronus(g *generator) {
	p := g.start.copy()
	if g.after(&p, turn{}) {
		g.end(turn{board: g.start}, true)
		return
	}
	slowCommon(g)
}

func slowAeolus(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			for _, name := range compass {
				if g.start.state[g.me] == "" {
					t.board.state[g.me] = name
					g.end(t, false)
				}
			}
			t.board.state[g.me] = ""
			g.end(t, false)
		})
	})
}

func slowEuropa(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			for _, at := range touching(t.board.workers[g.me][worker]) {
				if !t.board.taken(at) && !g.closed(t.board, at) {
					t.board.state[g.me] = squareName(at)
					g.end(t, false)
				}
			}
		})
	})
}

func slowMorpheus(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		bank, _ := strconv.Atoi(g.start.state[g.me])
		seen := map[string]bool{}
		var builds func(t turn, left int)
		builds = func(t turn, left int) {
			t.board.state[g.me] = strconv.Itoa(left)
			if text := t.board.String(); seen[text] {
				return
			}
			seen[t.board.String()] = true
			g.end(t, false)
			if left > 0 {
				g.buildThen(t, worker, func(t turn, _ int) { builds(t, left-1) })
			}
		}
		builds(t, bank+1)
	})
}
