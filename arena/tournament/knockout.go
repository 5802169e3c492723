package tournament

import (
	"fmt"

	"thera/arena"
)

var knockoutKind = kind{
	name: "knockout", doc: "a bracket, seeded in the order of the engines",
	settings: map[string]string{
		"tournament.pairs_per_match": matchDoc,
		"tournament.extra":           "most further pairs of a tied match, then the higher seed advances (default 8)",
	},
	extra: 8,
	begin: func(f *Fold) format { return newKnockout(f) },
}

// knockout is a bracket, seeded in the plan's order. A tied match gets further
// pairs from new openings. If it stays tied, the higher seed advances.
type knockout struct {
	fold    *Fold
	base    int
	extra   int
	round   int
	alive   []int // in bracket order; -1: a bye
	matches []*duel
	queue   []Pair // pairs of the current round, in job order
	begin   int    // place of queue[0]
	seen    int
	notes   []string
	out     []int // round in which an engine was knocked out; 0: not yet
	ledger  ledger
}

// duel is one match of the round.
type duel struct {
	a, b   int // a is the higher seed
	points [2]float64
	pairs  int
	left   [2]bool
	used   bool // its openings are used up
	done   bool
	winner int
}

func newKnockout(f *Fold) *knockout {
	plan := f.plan
	n := len(plan.Engines)
	k := &knockout{
		fold: f, base: max(1, plan.Format.PairsPerMatch), extra: plan.Format.Extra,
		notes: make([]string, n), out: make([]int, n), ledger: newLedger(n),
	}
	size := 1
	for size < n {
		size *= 2
	}
	k.alive = []int{0}
	for len(k.alive) < size { // 1 meets the last seed, 2 the last but one, and so on
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

// total grows when matches are tied.
func (k *knockout) total() int {
	rest := len(k.matches) - 1 // matches after this round
	if k.round == 0 {
		rest = len(k.fold.plan.Engines) - 1
	}
	return 2 * (k.begin + len(k.queue) + max(rest, 0)*k.base)
}

func (k *knockout) most(int) int {
	rounds := 0
	for size := 1; size < len(k.fold.plan.Engines); size *= 2 {
		rounds++
	}
	return 2 * rounds * (k.base + k.extra)
}

func (k *knockout) has(g key, _ int) bool {
	return g.a != g.b && int(g.number) < k.most(0)/2
}

// playing reports whether the pair belongs to the current round.
func (k *knockout) playing(g key) bool {
	first := (k.round - 1) * (k.base + k.extra)
	for _, m := range k.matches {
		if m.a == int(g.a) && m.b == int(g.b) && int(g.number) >= first && int(g.number) < first+m.pairs {
			return true
		}
	}
	return false
}

func (k *knockout) next(place int) (Pair, Readiness) {
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

// draw pairs the next round.
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

// settle ends decided matches and adds a pair to each of the others. It reports
// whether it added any. If not, the round is over and only its winners are
// alive.
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
	case m.points[0] == m.points[1] && !m.left[0] && !m.used && m.pairs < k.base+k.extra:
		k.play(m)
		return
	case m.points[0] == m.points[1]:
		m.winner = m.a
		k.tie(m)
	default:
		m.winner = m.a
	}
	m.done = true
	loser := m.a + m.b - m.winner
	k.out[loser] = k.round
	if !k.fold.figures.living(loser) {
		k.notes[m.winner] = fmt.Sprintf("walkover in round %d", k.round)
	}
}

// tie records that the seeding decided a match.
func (k *knockout) tie(m *duel) {
	why := fmt.Sprintf("after %d further pairs", m.pairs-k.base)
	switch {
	case m.left[0]:
		why = "and both left the run"
	case m.used:
		why = "and have no more openings"
	}
	t := arena.Tie{Engines: [2]string{k.name(m.a), k.name(m.b)}, Round: k.round}
	t.Text = fmt.Sprintf("%s and %s are tied %g:%g %s in round %d: %s advances as the higher seed",
		k.name(m.a), k.name(m.b), m.points[0], m.points[1], why, k.round, k.name(m.a))
	k.notes[m.a] = fmt.Sprintf("advanced in round %d as the higher seed", k.round)
	k.fold.ties = append(k.fold.ties, t)
	k.fold.news = append(k.fold.news, t.Text)
}

func (k *knockout) name(i int) string { return k.fold.plan.Engines[i].Name }

func (k *knockout) add(p Pair, r *result) *arena.Stop {
	k.seen++
	k.ledger.add(p, r)
	for _, m := range k.matches {
		if m.a != p.A || m.b != p.B {
			continue
		}
		a, b := r.points()
		m.points[0] += a
		m.points[1] += b
		switch r.passed {
		case passedLeft:
			m.left = r.left
		case passedUsed:
			m.used = true
		}
	}
	return nil
}

func (k *knockout) end() *arena.Stop {
	if !k.fold.figures.living(k.alive[0]) {
		return &arena.Stop{Kind: arena.StopDead, Engine: k.name(k.alive[0]), Text: "nobody won the final: no engine made a move"}
	}
	text := k.name(k.alive[0]) + " won the final"
	for _, t := range k.fold.ties {
		if t.Round == k.round {
			text += " as the higher seed of a tie"
		}
	}
	return ending(arena.StopPlayed, "%s", text)
}
