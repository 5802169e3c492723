package slow

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Gods of the printed text, which no engine of today plays: the model is all that the rules are compared with.

// slowTriton: each step onto the edge allows one more.
func slowTriton(g *generator) {
	for _, worker := range g.movers() {
		home := g.start.workers[g.me][worker]
		seen := map[string]bool{}
		var walk func(t turn)
		walk = func(t turn) {
			for _, to := range g.steps(t, worker, 1) {
				next, won := g.step(t, worker, to, home)
				if won {
					g.end(next, true)
					continue
				}
				if key := fmt.Sprint(to, next.up); !seen[key] {
					seen[key] = true
					g.buildEnd(next, worker)
					if onEdge(to) {
						walk(next)
					}
				}
			}
		}
		walk(turn{board: g.start})
	}
}

// limusForbids reports whether limus forbids a build on at that is not the fourth level.
func (g *generator) limusForbids(p position, at int, guards []int) bool {
	return g.start.god[g.them] == "limus" && p.height[at] != 3 && nextTo(guards, at)
}

// slowHeracles: once, any set of domes next to his workers.
func slowHeracles(g *generator) {
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, _ int) {
			g.end(t, false)
			if g.start.state[g.me] == "x" {
				return
			}
			t.board.state[g.me] = "x"
			spots := []int{}
			for at := range 25 {
				if nextTo(t.board.workers[g.me], at) && g.canDome(t.board, at) && !g.limusForbids(t.board, at, t.board.workers[g.them]) {
					spots = append(spots, at)
				}
			}
			for set := range 1 << len(spots) {
				domes := t
				for i, at := range spots {
					if set>>i&1 == 1 {
						domes = domed(domes, at)
					}
				}
				g.end(domes, false)
			}
		})
	})
}

// heraclesState is fresh on boards with many domes, where he has few sets of squares, and
// rarely on others.
func heraclesState(r *rand.Rand, w *position, side int, _ func() int) string {
	if r.IntN(3) == 0 {
		return "x"
	}
	for s := range 25 {
		if !w.taken(s) && r.IntN(5) < 3 && !strings.Contains(w.state[1-side], squareName(s)) {
			w.height[s] = 4
		}
	}
	return ""
}

// slowDionysus: after each complete tower a step and a build of an opponent's worker.
func slowDionysus(g *generator) {
	seen := map[string]bool{}
	var again func(t turn)
	again = func(t turn) {
		key := fmt.Sprint(t.board, t.up)
		if seen[key] || t.leftNeighbour {
			return
		}
		seen[key] = true
		for k, from := range t.board.workers[g.them] {
			if !g.canMove(t.board, from) {
				continue
			}
			for _, to := range touching(from) {
				if next, ok := g.lentStep(t, k, to); ok {
					g.lentBuilds(next, k, again)
				}
			}
		}
	}
	g.moveThen(func(t turn, worker, _ int) {
		g.buildThen(t, worker, func(t turn, at int) {
			g.end(t, false)
			if t.board.height[at] == 4 {
				again(t)
			}
		})
	})
}

// lentStep moves the opponent's k-th worker to to, as far as what binds Dionysus allows it.
func (g *generator) lentStep(t turn, k, to int) (next turn, ok bool) {
	from := t.board.workers[g.them][k]
	foe, state := g.start.god[g.them], t.board.state[g.them]
	d := [2]int{to%5 - from%5, to/5 - from/5}
	female := (foe == "hippolyta" || foe == "selene") && state == squareName(from)
	switch {
	case t.board.taken(to) || g.closed(t.board, to) || !g.levelOK(t.board.height[from], t.board.height[to], 1):
		return t, false
	case foe == "aeolus" && state == compass[d]:
		return t, false
	case foe == "hippolyta" && !female && (d[0] == 0 || d[1] == 0):
		return t, false
	}
	t.up = t.up || t.board.height[to] > t.board.height[from]
	for at := to; foe == "harpies"; to = at {
		at = ahead(to, d[0], d[1], false)
		if at < 0 || t.board.taken(at) && at != from || g.closed(t.board, at) || t.board.height[at] > t.board.height[to] {
			break
		}
	}
	t.board = t.board.copy()
	t.board.workers[g.them][k] = to
	if female {
		t.board.state[g.them] = squareName(to)
	}
	return t, true
}

// lentBuilds builds with the opponent's k-th worker and ends the turn; again goes on after a
// complete tower.
func (g *generator) lentBuilds(t turn, k int, again func(turn)) {
	theirs := t.board.workers[g.them]
	others := slices.Delete(slices.Clone(theirs), k, k+1)
	for _, at := range touching(theirs[k]) {
		if t.board.taken(at) || g.closed(t.board, at) || g.limusForbids(t.board, at, others) {
			continue
		}
		next := t
		next.board = t.board.raised(at, 1)
		g.end(next, false)
		if next.board.height[at] == 4 {
			again(next)
		}
	}
}

// dionysusTowers is no state: it leaves up to three towers of level 3, for the turns after
// them grow with each.
func dionysusTowers(r *rand.Rand, w *position, _ int, _ func() int) string {
	left := 1 + r.IntN(3)
	for _, s := range r.Perm(25) {
		switch {
		case w.height[s] != 3 && (left == 0 || w.taken(s)):
		case left > 0:
			w.height[s] = 3
			left--
		default:
			w.height[s] = r.IntN(3)
		}
	}
	return ""
}
