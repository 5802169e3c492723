package tournament

import (
	"cmp"
	"math/bits"
	"slices"

	"thera/arena"
)

var swissKind = kind{
	name: "swiss", doc: "engines with similar points meet, no pairing twice",
	takes:  []string{"tournament.rounds", "tournament.pairs_per_match"},
	rounds: func(engines int) int { return bits.Len(uint(max(engines-1, 1))) },
	check: func(plan *arena.Plan, bad report) {
		n := len(plan.Engines)
		if most := (n + 1) / 2; plan.Format.Rounds > most {
			bad("tournament.rounds", "%d rounds of Swiss among %d engines, expected at most %d (round-robin plays all pairings)", plan.Format.Rounds, n, most)
		}
	},
	begin: func(d *Director) format { return newSwiss(d) },
}

// swiss pairs engines with similar points, and no two engines twice. If their number is odd, one has a
// bye in each round, which is worth as much as winning every game of a match.
type swiss struct {
	bracket
	rounds int
	met    [][]bool  // the bye is the last one if the number of engines is odd
	free   []float64 // points of byes
}

func newSwiss(d *Director) *swiss {
	n := len(d.plan.Engines)
	s := &swiss{
		bracket: newBracket(d), rounds: d.plan.Format.Rounds,
		free: make([]float64, n), met: make([][]bool, n+n%2),
	}
	for i := range s.met {
		s.met[i] = make([]bool, n+n%2)
	}
	if !slices.Contains(d.exact, false) { // no more than openings; otherwise matches would differ in length
		s.pairs = min(s.pairs, d.worth(0, 1, false))
	}
	s.more = s.pair
	return s
}

func (s *swiss) total() int { return 2 * s.rounds * (len(s.free) / 2) * s.pairs }

func (s *swiss) has(k key, _ int) bool { return k.a != k.b && k.number < s.rounds*s.pairs }

// add gives the pairs of an engine that left to its opponent. Those of a dead engine are byes anyway.
func (s *swiss) add(p *series) *arena.Stop {
	s.seen++
	gone, stays := p.A, p.B
	if s.director.left[stays] {
		gone, stays = stays, gone
	}
	if p.passed == passedLeft && !s.director.left[stays] && s.director.figures.living(gone) {
		s.free[stays] += 2
	}
	return nil
}

func (s *swiss) end() *arena.Stop {
	text := allPlayed(s.rounds, "round")
	if asked := s.director.plan.Format.PairsPerMatch; s.pairs < asked {
		text = noted(text, "with %d of %d pairs a match: there are no more openings", s.pairs, asked)
	}
	return ending(arena.StopPlayed, "%s", text)
}

// pair pairs the next round. It reports whether there is one.
func (s *swiss) pair() bool {
	if s.round == s.rounds {
		return false
	}
	order, bye := places(len(s.met)), len(s.free) // the place after the engines, if there is one, stays the last
	slices.SortStableFunc(order[:bye], compare(s.table(s.director.figures)))
	var round []Pair
	for _, pair := range match(order, s.met) {
		a, b := min(pair[0], pair[1]), max(pair[0], pair[1])
		s.met[a][b], s.met[b][a] = true, true
		if b == bye {
			s.free[a] += 2 * float64(s.pairs)
			s.note(a, "bye in round %d", s.round+1)
			continue
		}
		round = append(round, Pair{A: a, B: b, Round: s.round + 1, Number: s.round * s.pairs})
	}
	for nth := range s.pairs {
		for _, p := range round {
			p.Number, p.nth = p.Number+nth, nth
			s.queue = append(s.queue, p)
		}
	}
	s.round++
	return true
}

// match pairs neighbours in order that have not met. Engines that remain have all met each other. Two
// of them split the last pair that fits. While each engine has met fewer than half of the others,
// there is such a pair (Ore 1960).
func match(order []int, met [][]bool) (pairs [][2]int) {
	var rest []int
	for len(order) > 0 {
		a := order[0]
		order = order[1:]
		at := slices.IndexFunc(order, func(b int) bool { return !met[a][b] })
		if at < 0 {
			rest = append(rest, a)
			continue
		}
		pairs = append(pairs, [2]int{a, order[at]})
		order = slices.Concat(order[:at], order[at+1:])
	}
	for ; len(rest) > 1; rest = rest[2:] {
		a, b := rest[0], rest[1]
		for i, pair := range slices.Backward(pairs) {
			c, d := pair[0], pair[1]
			if met[a][c] || met[b][d] {
				c, d = d, c
			}
			if !met[a][c] && !met[b][d] {
				pairs[i] = [2]int{a, c}
				pairs = append(pairs, [2]int{b, d})
				break
			}
		}
	}
	return pairs
}

// compare returns the order by points, then Buchholz, then wins, then the file's order.
func compare(table []arena.Standing) func(a, b int) int {
	return func(a, b int) int {
		x, y := &table[a], &table[b]
		return cmp.Or(cmp.Compare(y.Points, x.Points), cmp.Compare(y.Buchholz, x.Buchholz), cmp.Compare(y.Wins, x.Wins), cmp.Compare(a, b))
	}
}

// table returns the scores of all engines, in the file's order. A match with a dead engine is a bye.
// The bye as an opponent has no points.
func (s *swiss) table(f *figures) []arena.Standing {
	table := append(s.scores(f), make([]arena.Standing, len(s.met)-len(s.free))...)
	for i, free := range s.free {
		one := &table[i]
		if one.Points += free; !f.living(i) {
			one.Points = 0
			continue
		}
		for j := range s.free {
			if s.met[i][j] && !f.living(j) {
				one.Points += 2 * float64(s.pairs)
				one.Note = noted(one.Note, "bye for %s, which never made a move", s.director.name(j))
			}
		}
	}
	for i := range table {
		for j, met := range s.met[i] {
			if met {
				table[i].Buchholz += table[j].Points
			}
		}
	}
	return table[:len(s.free)]
}

func (s *swiss) standings(f *figures) []arena.Standing {
	table := s.table(f)
	return order(f, table, compare(table))
}
