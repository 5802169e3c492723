package slow

import "slices"

func slowApollo(g *generator) {
	slowCommon(g)
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		for to, d := range g.ways(home) {
			a, b := g.start.height[home], g.start.height[to]
			if !slices.Contains(g.start.workers[g.them], to) || g.closed(g.start, to) || !g.levelOK(a, b, 1) || g.start.god[g.me] == "apollov2" && b > a {
				continue
			}
			t, won := g.land(g.force(turn{board: g.start}, to, home), worker, to, home, d)
			if won {
				g.end(t, true)
			} else {
				g.buildEnd(t, worker)
			}
		}
	}
}

func slowMinotaur(g *generator) {
	slowCommon(g)
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		for to, d := range g.ways(home) {
			back := ahead(to, d[0], d[1], false)
			if !slices.Contains(g.start.workers[g.them], to) || g.closed(g.start, to) || !g.levelOK(g.start.height[home], g.start.height[to], 1) {
				continue
			}
			if back < 0 || g.start.taken(back) || g.closed(g.start, back) {
				continue
			}
			t, won := g.land(g.force(turn{board: g.start}, to, back), worker, to, home, d)
			if won {
				t, _ = g.land(turn{board: g.start}, worker, to, home, d) // pushes nobody
				g.end(t, true)
			} else {
				g.buildEnd(t, worker)
			}
		}
	}
}

func slowScylla(g *generator) {
	g.moveThen(func(t turn, worker, home int) {
		g.buildEnd(t, worker)
		for _, foe := range touching(home) {
			if g.canMove(t.board, foe) && !t.board.taken(home) {
				dragged := g.force(t, foe, home)
				dragged.leftNeighbour = false
				g.buildEnd(dragged, worker)
			}
		}
	})
}

func slowCharon(g *generator) {
	slowCommon(g)
	for worker, home := range g.start.workers[g.me] {
		movable := slices.Contains(g.movers(), worker)
		if !movable && g.start.god[g.me] == "charon" {
			continue
		}
		plainWins := map[int]bool{}
		for _, to := range g.steps(turn{board: g.start}, worker, 1) {
			_, plainWins[to] = g.step(turn{board: g.start}, worker, to, home)
		}
		for d := range compass {
			foe, to := ahead(home, d[0], d[1], false), ahead(home, -d[0], -d[1], false)
			if foe < 0 || to < 0 || !g.canMove(g.start, foe) || g.start.taken(to) || g.closed(g.start, to) {
				continue
			}
			flipped := g.force(turn{board: g.start}, foe, to)
			if g.start.god[g.me] == "charonv2" {
				g.buildEnd(flipped, worker) // also a worker that hypnus holds
				continue
			}
			for _, to := range g.steps(flipped, worker, 1) {
				t, won := g.step(flipped, worker, to, home)
				switch {
				case won && plainWins[to]:
				case won:
					g.end(t, true)
				default:
					g.buildEnd(t, worker)
				}
			}
		}
	}
}

func slowNemesis(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			for _, mine := range t.board.workers[g.me] {
				if nextTo(t.board.workers[g.them], mine) {
					return
				}
			}
			g.swapAll(t, 0, len(t.board.workers[g.me]), nil)
		})
	})
}

// swapAll swaps workers of the mover from worker on with those of the opponent, as many as
// the smaller side has.
func (g *generator) swapAll(t turn, worker, mine int, taken []int) {
	want := min(mine, len(g.start.workers[g.them]))
	if len(taken) == want {
		g.end(t, false)
	}
	if worker == mine {
		return
	}
	g.swapAll2(t, worker, mine, taken)
	if mine-worker-1+len(taken) >= want {
		g.swapAll(t, worker+1, mine, taken)
	}
}

func (g *generator) swapAll2(t turn, worker, mine int, taken []int) {
	at := t.board.workers[g.me][worker]
	for _, foe := range t.board.workers[g.them] {
		if slices.Contains(taken, foe) || len(taken) == min(mine, len(g.start.workers[g.them])) {
			continue
		}
		next := g.force(t, foe, at)
		next.board.workers[g.me][worker] = foe
		g.swapAll(next, worker+1, mine, append(slices.Clone(taken), at))
	}
}

func slowBia(g *generator) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		ways := g.ways(home)
		for _, to := range g.steps(turn{board: g.start}, worker, 1) {
			t, won := g.step(turn{board: g.start}, worker, to, home)
			if won {
				g.end(t, true)
				continue
			}
			foe := ahead(to, ways[to][0], ways[to][1], false)
			hits := foe >= 0 && g.canMove(g.start, foe)
			if hits && g.start.god[g.them] == "harpies" { // the slide goes on through the square
				free := turn{board: g.start.copy()}
				g.take(&free.board, foe)
				t, _ = g.step(free, worker, to, home)
			} else if hits {
				g.take(&t.board, foe)
			}
			g.buildEnd(t, worker)
		}
	}
}

func slowTheseus(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			if g.start.state[g.me] == "x" {
				return
			}
			for other, mine := range t.board.workers[g.me] {
				for _, foe := range touching(mine) {
					a, b := t.board.height[mine], t.board.height[foe]
					kills := other == worker && b >= a+2 || other != worker && a == 0 && b == 3
					if kills && g.canMove(t.board, foe) {
						hit := t
						hit.board = t.board.copy()
						g.take(&hit.board, foe)
						hit.board.state[g.me] = "x"
						g.end(hit, false)
					}
				}
			}
		})
	})
}

func slowGraeae(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		for other := range t.board.workers[g.me] {
			if other != worker {
				g.buildEnd(t, other)
			}
		}
	})
}

func slowHydra(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) { g.heads(t, worker) })
	})
}

func (g *generator) heads(t turn, worker int) {
	mine := t.board.workers[g.me]
	for _, a := range mine {
		if nextTo(mine, a) {
			for i := range mine {
				next := t
				next.board = t.board.copy()
				next.board.workers[g.me] = slices.Delete(next.board.workers[g.me], i, i+1)
				g.end(next, false)
			}
			return
		}
	}
	low := 4
	for _, at := range touching(mine[worker]) {
		if !t.board.taken(at) && !g.closed(t.board, at) {
			low = min(low, t.board.height[at])
		}
	}
	if len(mine) == 11 {
		g.end(t, false)
		return
	}
	for _, at := range touching(mine[worker]) { // without room there is no such turn
		if !t.board.taken(at) && !g.closed(t.board, at) && t.board.height[at] == low {
			next := t
			next.board = t.board.copy()
			next.board.workers[g.me] = append(next.board.workers[g.me], at)
			g.end(next, false)
		}
	}
}

func slowPoseidon(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			for other, at := range t.board.workers[g.me] {
				if other == worker || t.board.height[at] > 0 {
					continue
				}
				g.buildThen(t, other, func(t turn, _ int) {
					g.end(t, false)
					g.buildThen(t, other, func(t turn, _ int) {
						g.end(t, false)
						g.buildEnd(t, other)
					})
				})
			}
		})
	})
}

func slowAres(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			for other, mine := range t.board.workers[g.me] {
				for _, at := range touching(mine) {
					if other != worker && t.board.height[at] > 0 && !t.board.taken(at) && !g.closed(t.board, at) {
						next := t
						next.board.height[at]--
						g.end(next, false)
					}
				}
			}
		})
	})
}
