package tournament

import (
	"cmp"
	"math/bits"
	"slices"

	"thera/arena"
)

var knockoutKind = kind{
	name: "knockout", doc: "a bracket, seeded in the order of the engines",
	takes: []string{"tournament.pairs_per_match"},
	begin: func(d *Director) format { return newKnockout(d) },
}

// extra is the largest number of further pairs of a tied match.
const extra = 8

// knockout is a bracket, seeded in the plan's order. A tied match gets further pairs from new
// openings. If it stays tied, the higher seed advances.
type knockout struct {
	bracket
	rounds  int    // number of rounds
	alive   []int  // in bracket order; a number of len(engines) or more is a bye
	matches []duel // of all rounds that were drawn
	first   int    // index of the first one of this round
	out     []int  // round in which an engine was knocked out, 0 if it was not
}

// duel is one match.
type duel struct {
	round  int
	a, b   int // a is the higher seed
	points [2]float64
	pairs  int
	left   [2]bool
	winner int // -1 if not decided
	tied   bool
}

func newKnockout(d *Director) *knockout {
	n := len(d.plan.Engines)
	k := &knockout{
		bracket: newBracket(d), rounds: bits.Len(uint(n - 1)), out: make([]int, n), alive: []int{0},
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

// total returns the number of games. It grows when matches are tied.
func (k *knockout) total() int {
	rest := len(k.matches) - k.first - 1 // matches after this round
	if k.round == 0 {
		rest = len(k.out) - 1
	}
	return 2 * (k.begin + len(k.queue) + max(rest, 0)*k.pairs)
}

func (k *knockout) has(g key, _ int) bool {
	return g.a != g.b && g.number < k.rounds*(k.pairs+extra)
}

// advance judges the matches of the round. When all are decided, it draws the next round. It reports
// whether there is more to play.
func (k *knockout) advance() bool {
	now := k.matches[k.first:]
	for i := range now {
		k.judge(&now[i])
	}
	if len(k.queue) > 0 || k.round == k.rounds {
		return len(k.queue) > 0
	}
	if k.round++; k.round > 1 {
		k.alive = arena.Map(now, func(m duel) int { return m.winner })
	}
	k.first = len(k.matches)
	for pair := range slices.Chunk(k.alive, 2) {
		m := duel{round: k.round, a: slices.Min(pair), b: slices.Max(pair), winner: -1}
		if m.b >= len(k.out) {
			m.winner = m.a
		}
		k.matches = append(k.matches, m)
	}
	for range k.pairs {
		for i := k.first; i < len(k.matches); i++ {
			if m := &k.matches[i]; m.winner < 0 {
				k.play(m)
			}
		}
	}
	return true
}

// duels returns the matches of all rounds that were drawn.
func (k *knockout) duels() (all []arena.Duel) {
	for _, m := range k.matches {
		d := arena.Duel{Round: m.round, Engines: [2]string{k.director.name(m.a)}, Points: m.points}
		if m.b < len(k.out) {
			d.Engines[1] = k.director.name(m.b)
		}
		if m.winner >= 0 {
			d.Winner = k.director.name(m.winner)
		}
		all = append(all, d)
	}
	return all
}

// play adds a pair to a match.
func (k *knockout) play(m *duel) {
	number := (k.round-1)*(k.pairs+extra) + m.pairs
	k.queue = append(k.queue, Pair{A: m.a, B: m.b, Round: k.round, Number: number, nth: m.pairs})
	m.pairs++
}

// judge decides a match, or adds a pair to it.
func (k *knockout) judge(m *duel) {
	tied := m.points[0] == m.points[1]
	switch {
	case m.winner >= 0:
		return
	case m.left[0] != m.left[1]:
		m.winner = [2]int{m.b, m.a}[btoi(m.left[1])]
	case tied && !m.left[0] && m.pairs < min(k.pairs+extra, k.director.worth(m.a, m.b, false)):
		k.play(m)
		return
	default:
		m.winner = [2]int{m.a, m.b}[btoi(m.points[1] > m.points[0])]
		if m.tied = tied; tied {
			k.note(m.a, "advanced in round %d as the higher seed", k.round)
		}
	}
	loser := m.a + m.b - m.winner
	k.out[loser] = k.round
	if !k.director.figures.living(loser) {
		k.note(m.winner, "walkover in round %d", k.round)
	}
}

func (k *knockout) add(s *series) *arena.Stop {
	k.seen++
	at := slices.IndexFunc(k.matches, func(m duel) bool { return m.a == s.A && m.b == s.B })
	m, points := &k.matches[at], s.points()
	m.points[0] += points[0]
	m.points[1] += points[1]
	if s.passed == passedLeft {
		m.left = [2]bool{k.director.left[s.A], k.director.left[s.B]}
	}
	return nil
}

func (k *knockout) end() *arena.Stop {
	final := k.matches[k.first]
	winner := k.director.name(final.winner)
	if !k.director.figures.living(final.winner) {
		return &arena.Stop{Kind: arena.StopDead, Engine: winner, Text: "nobody won the final: no engine made a move"}
	}
	text := winner + " won the final"
	if final.tied {
		text += " as the higher seed of a tie"
	}
	return ending(arena.StopPlayed, "%s", text)
}

// standings returns the engines in the reverse of the order in which they were knocked out. The
// winner comes first.
func (k *knockout) standings(f *figures) []arena.Standing {
	table := k.scores(f)
	last := slices.Clone(k.out)
	for i, out := range k.out {
		if out == 0 {
			last[i] = k.round + 1
			continue
		}
		table[i].Note = noted(table[i].Note, "out in round %d", out)
	}
	return order(f, table, func(a, b int) int {
		return cmp.Or(cmp.Compare(last[b], last[a]), cmp.Compare(table[b].Points, table[a].Points), cmp.Compare(a, b))
	})
}
