package tournament

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"thera/arena"
)

var knockoutKind = kind{
	name: "knockout", doc: "a bracket, seeded in the order of the engines",
	takes: []string{"tournament.pairs_per_match"},
	begin: func(f *Fold) format { return newKnockout(f) },
}

// extra is how many further pairs a tied match gets at most.
const extra = 8

// knockout is a bracket, seeded in the plan's order. A tied match gets further
// pairs from new openings. If it stays tied, the higher seed advances.
type knockout struct {
	bracket
	base    int   // pairs of a match
	rounds  int   // of the bracket
	alive   []int // in bracket order; the number of engines or more is a bye
	matches []duel
	before  []arena.Duel // matches of earlier rounds
	out     []int        // round in which an engine was knocked out; 0: not yet
}

// duel is one match of the round.
type duel struct {
	a, b   int // a is the higher seed
	points [2]float64
	pairs  int
	left   [2]bool
	winner int // -1: not decided
}

func newKnockout(f *Fold) *knockout {
	n := len(f.plan.Engines)
	k := &knockout{
		bracket: newBracket(f), base: max(1, f.plan.Format.PairsPerMatch), rounds: bits.Len(uint(n - 1)), out: make([]int, n), alive: []int{0},
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
	return g.a != g.b && int(g.number) < k.rounds*(k.base+extra)
}

// advance judges the matches of the round, and draws the next one when all are decided. It
// reports whether there is more to play.
func (k *knockout) advance() bool {
	for i := range k.matches {
		k.judge(&k.matches[i])
	}
	if len(k.queue) > 0 || k.round == k.rounds {
		return len(k.queue) > 0
	}
	k.before = k.duels()
	if k.round++; k.round > 1 {
		k.alive = nil
		for _, m := range k.matches {
			k.alive = append(k.alive, m.winner)
		}
	}
	k.matches = nil
	for pair := range slices.Chunk(k.alive, 2) {
		m := duel{a: slices.Min(pair), b: slices.Max(pair), winner: -1}
		if m.b >= len(k.out) {
			m.winner = m.a
		}
		k.matches = append(k.matches, m)
	}
	for range k.base {
		for i := range k.matches {
			if m := &k.matches[i]; m.winner < 0 {
				k.play(m)
			}
		}
	}
	return true
}

// duels returns the matches of all rounds that were drawn.
func (k *knockout) duels() []arena.Duel {
	all := slices.Clone(k.before)
	for _, m := range k.matches {
		d := arena.Duel{Round: k.round, Points: m.points}
		for i, engine := range [2]int{m.a, m.b} {
			if engine < len(k.out) {
				d.Engines[i] = k.fold.name(engine)
			}
		}
		if m.winner >= 0 {
			d.Winner = k.fold.name(m.winner)
		}
		all = append(all, d)
	}
	return all
}

// play adds a pair to a match.
func (k *knockout) play(m *duel) {
	number := (k.round-1)*(k.base+extra) + m.pairs
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
	case tied && !m.left[0] && m.pairs < min(k.base+extra, k.fold.worth(m.a, m.b, false)):
		k.play(m)
		return
	default:
		m.winner = [2]int{m.a, m.b}[btoi(m.points[1] > m.points[0])]
		if tied {
			k.tie(m)
		}
	}
	loser := m.a + m.b - m.winner
	k.out[loser] = k.round
	if !k.fold.figures.living(loser) {
		k.note(m.winner, "walkover in round %d", k.round)
	}
}

// tie records that the seeding decided a match.
func (k *knockout) tie(m *duel) {
	a, b := k.fold.name(m.a), k.fold.name(m.b)
	t := arena.Tie{Engines: [2]string{a, b}, Round: k.round, Text: fmt.Sprintf(
		"%s and %s are tied %g:%g in round %d after %s: %s advances as the higher seed",
		a, b, m.points[0], m.points[1], k.round, arena.Plural(m.pairs, "pair"), a)}
	k.note(m.a, "advanced in round %d as the higher seed", k.round)
	k.fold.ties, k.fold.news = append(k.fold.ties, t), append(k.fold.news, t.Text)
}

func (k *knockout) add(s *slot) *arena.Stop {
	k.seen++
	at := slices.IndexFunc(k.matches, func(m duel) bool { return m.a == s.A && m.b == s.B })
	m, points := &k.matches[at], s.points()
	m.points[0] += points[0]
	m.points[1] += points[1]
	if s.passed == passedLeft {
		m.left = [2]bool{k.fold.left[s.A], k.fold.left[s.B]}
	}
	return nil
}

func (k *knockout) end() *arena.Stop {
	final := k.matches[0]
	winner := k.fold.name(final.winner)
	if !k.fold.figures.living(final.winner) {
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
