package tournament

import (
	"fmt"

	"thera/arena"
)

// knockout is a bracket, seeded in the plan's order. A tied match has further
// pairs from new openings; if those leave it tied, the higher seed goes on.
type knockout struct {
	plan    *arena.Plan
	remark  func(string)
	base    int
	extra   int
	round   int
	alive   []int // in bracket order; -1: nobody
	matches []*duel
	queue   []Pair // pairs of this round, in job order
	begin   int    // place of queue[0]
	seen    int
	notes   []string
	out     []int // round in which an engine lost, 0: not yet
	score   []float64
	wins    []int
}

// duel is one match of the round.
type duel struct {
	a, b   int // a is the higher seed
	points [2]float64
	pairs  int
	left   [2]bool
	done   bool
	winner int
}

func newKnockout(plan *arena.Plan, remark func(string)) *knockout {
	n := len(plan.Engines)
	k := &knockout{
		plan: plan, remark: remark, base: max(1, plan.Format.PairsPerMatch), extra: plan.Format.Extra,
		notes: make([]string, n), out: make([]int, n), score: make([]float64, n), wins: make([]int, n),
	}
	size := 1
	for size < n {
		size *= 2
	}
	k.alive = []int{0}
	for len(k.alive) < size { // 1 meets the last, 2 the last but one …
		var next []int
		for _, seed := range k.alive {
			next = append(next, seed, 2*len(k.alive)-1-seed)
		}
		k.alive = next
	}
	for i, seed := range k.alive {
		if seed >= n {
			k.alive[i] = -1
		}
	}
	return k
}

// total grows where matches are tied.
func (k *knockout) total() int {
	rest := len(k.matches) - 1 // matches after this round
	if k.round == 0 {
		rest = len(k.plan.Engines) - 1
	}
	return 2 * (k.begin + len(k.queue) + max(rest, 0)*k.base)
}

func (k *knockout) next(place int) (Pair, State) {
	for place == k.begin+len(k.queue) {
		if k.seen < place {
			return Pair{}, Wait
		}
		k.begin, k.queue = place, k.queue[:0:0]
		if k.settle() {
			continue
		}
		if len(k.alive) == 1 {
			return Pair{}, Over
		}
		k.draw()
	}
	return k.queue[place-k.begin], Ready
}

// draw makes the next round's matches and their first pairs.
func (k *knockout) draw() {
	k.round++
	k.matches = k.matches[:0:0]
	for i := 0; i < len(k.alive); i += 2 {
		a, b := k.alive[i], k.alive[i+1]
		if a < 0 || b >= 0 && b < a {
			a, b = b, a
		}
		k.matches = append(k.matches, &duel{a: a, b: b, done: b < 0, winner: a})
	}
	for range k.base {
		for _, m := range k.matches {
			if !m.done {
				k.play(m)
			}
		}
	}
}

func (k *knockout) play(m *duel) {
	k.queue = append(k.queue, Pair{A: m.a, B: m.b, Round: k.round, Number: (k.round-1)*(k.base+k.extra) + m.pairs})
	m.pairs++
}

// settle ends matches that are decided and asks for further pairs of those
// that are not. It reports whether it asked for any; else, once all are
// decided, the winners are alive.
func (k *knockout) settle() bool {
	if len(k.matches) == 0 {
		return false
	}
	for _, m := range k.matches {
		if !m.done {
			k.judge(m)
		}
	}
	if len(k.queue) > 0 {
		return true
	}
	k.alive = k.alive[:0:0]
	for _, m := range k.matches {
		k.alive = append(k.alive, m.winner)
	}
	k.matches = k.matches[:0:0]
	return false
}

func (k *knockout) judge(m *duel) {
	switch {
	case m.left[0] != m.left[1]:
		m.winner = m.a
		if m.left[0] {
			m.winner = m.b
		}
	case m.points[1] > m.points[0]:
		m.winner = m.b
	case m.points[0] == m.points[1] && !m.left[0] && m.pairs < k.base+k.extra:
		k.play(m)
		return
	case m.points[0] == m.points[1]:
		m.winner = m.a
		k.remark(fmt.Sprintf("%s and %s are tied %g:%g after %d further pairs in round %d: %s goes on as the higher seed",
			k.name(m.a), k.name(m.b), m.points[0], m.points[1], m.pairs-k.base, k.round, k.name(m.a)))
		k.notes[m.a] = fmt.Sprintf("went on in round %d as the higher seed", k.round)
	default:
		m.winner = m.a
	}
	m.done = true
	k.out[m.a+m.b-m.winner] = k.round
}

func (k *knockout) name(i int) string { return k.plan.Engines[i].Name }

func (k *knockout) saw(p Pair, r Result) string {
	k.seen++
	for _, m := range k.matches {
		if m.a != p.A || m.b != p.B {
			continue
		}
		a, b := r.Points()
		m.points[0] += a
		m.points[1] += b
		k.score[p.A] += a
		k.score[p.B] += b
		for _, g := range r.Games {
			if g.Winner >= 0 {
				k.wins[[2]int{p.A, p.B}[g.Winner]]++
			}
		}
		if r.Skipped {
			m.left = r.Left
		}
	}
	return ""
}

func (k *knockout) end() string { return fmt.Sprintf("%s won the final", k.name(k.alive[0])) }
