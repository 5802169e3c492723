package tournament

import (
	"cmp"
	"fmt"
	"slices"

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
	bracket
	base    int   // pairs of a match
	extra   int   // the most further ones
	alive   []int // in bracket order; the number of engines or more is a bye
	matches []*duel
	out     []int // round in which an engine was knocked out; 0: not yet
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

func newKnockout(f *Fold) *knockout {
	n := len(f.plan.Engines)
	k := &knockout{
		bracket: bracket{fold: f, notes: make([]string, n)}, base: max(1, f.plan.Format.PairsPerMatch), extra: f.plan.Format.Extra,
		out: make([]int, n), alive: []int{0},
	}
	for len(k.alive) < n { // 1 meets the last seed, 2 the last but one, and so on
		var next []int
		for _, seed := range k.alive {
			next = append(next, seed, 2*len(k.alive)-1-seed)
		}
		k.alive = next
	}
	k.more = k.advance
	return k
}

// total grows when matches are tied.
func (k *knockout) total() int {
	rest := len(k.matches) - 1 // matches after this round
	if k.round == 0 {
		rest = len(k.out) - 1
	}
	return 2 * (k.begin + len(k.queue) + max(rest, 0)*k.base)
}

func (k *knockout) has(g key, _ int) bool {
	rounds := 0
	for size := 1; size < len(k.out); size *= 2 {
		rounds++
	}
	return g.a != g.b && int(g.number) < rounds*(k.base+k.extra)
}

// advance judges the matches of the round, and draws the next one when all are decided. It
// reports whether there is more to play.
func (k *knockout) advance() bool {
	for {
		for _, m := range k.matches {
			if !m.done {
				k.judge(m)
			}
		}
		if len(k.queue) > 0 {
			return true
		}
		if k.round > 0 {
			k.alive = nil
			for _, m := range k.matches {
				k.alive = append(k.alive, m.winner)
			}
			k.matches = nil
		}
		if len(k.alive) == 1 {
			return false
		}
		k.round++
		for i := 0; i < len(k.alive); i += 2 {
			a, b := min(k.alive[i], k.alive[i+1]), max(k.alive[i], k.alive[i+1])
			k.matches = append(k.matches, &duel{a: a, b: b, done: b >= len(k.out), winner: a})
		}
		for range k.base {
			for _, m := range k.matches {
				if !m.done {
					k.play(m)
				}
			}
		}
		if len(k.queue) > 0 {
			return true
		}
	}
}

// play adds a pair to a match.
func (k *knockout) play(m *duel) {
	number := (k.round-1)*(k.base+k.extra) + m.pairs
	k.queue = append(k.queue, Pair{A: m.a, B: m.b, Round: k.round, Number: number, nth: m.pairs})
	m.pairs++
}

// judge decides a match, or adds a pair to it.
func (k *knockout) judge(m *duel) {
	tied := m.points[0] == m.points[1]
	m.winner = m.a
	switch {
	case m.left[0] != m.left[1]:
		if m.left[0] {
			m.winner = m.b
		}
	case tied && !m.left[0] && m.pairs < min(k.base+k.extra, k.fold.worth(m.a, m.b, false)):
		k.play(m)
		return
	case tied:
		k.tie(m)
	case m.points[1] > m.points[0]:
		m.winner = m.b
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
	case m.pairs >= k.fold.worth(m.a, m.b, false):
		why = "and have no more openings"
	}
	a, b := k.fold.name(m.a), k.fold.name(m.b)
	t := arena.Tie{Engines: [2]string{a, b}, Round: k.round, Text: fmt.Sprintf(
		"%s and %s are tied %g:%g %s in round %d: %s advances as the higher seed", a, b, m.points[0], m.points[1], why, k.round, a)}
	k.notes[m.a] = fmt.Sprintf("advanced in round %d as the higher seed", k.round)
	k.fold.ties, k.fold.news = append(k.fold.ties, t), append(k.fold.news, t.Text)
}

func (k *knockout) add(p *Pair, r *result) *arena.Stop {
	k.seen++
	for _, m := range k.matches {
		if m.a != p.A || m.b != p.B {
			continue
		}
		points := r.points(p)
		m.points[0] += points[0]
		m.points[1] += points[1]
		if r.passed == passedLeft {
			m.left = r.left
		}
	}
	return nil
}

func (k *knockout) end() *arena.Stop {
	winner := k.fold.name(k.alive[0])
	if !k.fold.figures.living(k.alive[0]) {
		return &arena.Stop{Kind: arena.StopDead, Engine: winner, Text: "nobody won the final: no engine made a move"}
	}
	text := winner + " won the final"
	if slices.ContainsFunc(k.fold.ties, func(t arena.Tie) bool { return t.Round == k.round }) {
		text += " as the higher seed of a tie"
	}
	return ending(arena.StopPlayed, "%s", text)
}

// standings returns the engines in the reverse order in which they were knocked
// out: the winner comes first.
func (k *knockout) standings(f *figures) []arena.Standing {
	table := k.scores(f)
	last := make([]int, len(table))
	for i := range table {
		if last[i] = k.out[i]; last[i] == 0 {
			last[i] = k.round + 1
			continue
		}
		if table[i].Note != "" {
			table[i].Note += ", "
		}
		table[i].Note += fmt.Sprintf("out in round %d", k.out[i])
	}
	return k.ranked(f, table, func(a, b int) int {
		return cmp.Or(cmp.Compare(last[b], last[a]), cmp.Compare(table[b].Points, table[a].Points), cmp.Compare(a, b))
	})
}
