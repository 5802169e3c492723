package tournament

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"thera/arena"
)

var swissKind = kind{
	name: "swiss", doc: "engines with similar points meet, no pairing twice",
	settings: map[string]string{
		"tournament.rounds":          "rounds (default: as many as in a knockout)",
		"tournament.pairs_per_match": matchDoc,
	},
	rounds: func(engines int) int { return bits.Len(uint(max(engines-1, 1))) },
	check: func(plan *arena.Plan, bad report) {
		n := len(plan.Engines)
		if most := n - 1 + n%2; plan.Format.Rounds > most {
			bad("tournament.rounds", "%d rounds of Swiss among %d engines cannot be paired without a rematch, expected at most %d (round-robin plays all pairings)",
				plan.Format.Rounds, n, most)
		}
	},
	begin: func(f *Fold) format { return newSwiss(f) },
}

const matchDoc = "pairs of a match (default 1)"

// swiss pairs engines with similar points, and never twice. If their number is
// odd, one of them has a bye in each round, which is worth winning every game of
// a match.
type swiss struct {
	fold    *Fold
	n       int // engines, and the bye as the last one if their number is odd
	numbers int // planned pairs of a match, by which pairs are numbered
	matches int // played pairs of a match: at most the number of openings
	rounds  int
	round   int       // current round, from 1; 0 before the first
	current [][2]int  // its matches without the bye
	begin   int       // place of the round's first pair
	seen    int       // pairs folded
	free    []float64 // points of byes
	ledger  ledger
	met     [][]bool
	notes   []string
	stuck   bool
}

func newSwiss(f *Fold) *swiss {
	plan := f.plan
	n := len(plan.Engines)
	n += n % 2
	s := &swiss{
		fold: f, n: n, numbers: max(1, plan.Format.PairsPerMatch), rounds: plan.Format.Rounds,
		free: make([]float64, n), ledger: newLedger(len(plan.Engines)), met: make([][]bool, n), notes: make([]string, n),
	}
	for i := range s.met {
		s.met[i] = make([]bool, n)
	}
	s.matches = s.numbers
	if !slices.Contains(f.exact, false) { // otherwise matches would differ in length
		s.matches = min(s.numbers, f.worth(0, 1, false))
	}
	return s
}

func (s *swiss) total() int { return 2 * s.rounds * (len(s.fold.plan.Engines) / 2) * s.matches }

func (s *swiss) most(int) int { return 2 * s.rounds * s.matches }

func (s *swiss) has(k key, _ int) bool {
	return k.a != k.b && int(k.number) < s.rounds*s.numbers && int(k.number)%s.numbers < s.matches
}

// playing reports whether the pair belongs to the current round.
func (s *swiss) playing(k key) bool {
	return int(k.number)/s.numbers == s.round-1 && slices.Contains(s.current, [2]int{int(k.a), int(k.b)})
}

func (s *swiss) next(place int) (Pair, Readiness) {
	if place == s.begin+len(s.current)*s.matches {
		if s.seen < place {
			return Pair{}, Wait
		}
		if s.round == s.rounds || s.stuck || !s.pair() {
			return Pair{}, Over
		}
		s.begin = place
	}
	i := place - s.begin
	m, k := s.current[i%len(s.current)], i/len(s.current)
	return Pair{A: m[0], B: m[1], Round: s.round, Number: (s.round-1)*s.numbers + k}, Ready
}

func (s *swiss) add(p Pair, r *result) *arena.Stop {
	s.seen++
	s.ledger.add(p, r)
	if r.passed == passedLeft && r.left[0] != r.left[1] { // the engine that stays wins
		s.ledger.points[p.A][p.B] += 2 * float64(btoi(r.left[1]))
		s.ledger.points[p.B][p.A] += 2 * float64(btoi(r.left[0]))
	}
	return nil
}

func (s *swiss) end() *arena.Stop {
	if s.stuck {
		return ending(arena.StopStuck, "round %d cannot be paired without a rematch: ended after %d rounds", s.round+1, s.round)
	}
	text := allPlayed(s.rounds, "round")
	if s.matches < s.numbers {
		text += fmt.Sprintf(", with %d of %d pairs a match: there are no more openings", s.matches, s.numbers)
	}
	return ending(arena.StopPlayed, "%s", text)
}

// pair pairs the next round. It reports whether that is possible.
func (s *swiss) pair() bool {
	order := make([]int, s.n)
	for i := range order {
		order[i] = i
	}
	bye, better := s.bye(), compare(s.table(s.fold.figures.dead()))
	slices.SortStableFunc(order, func(a, b int) int {
		if (a == bye) != (b == bye) { // the bye goes to the last engine that can have it
			return cmp.Compare(btoi(a == bye), btoi(b == bye))
		}
		return better(a, b)
	})
	m := &matching{met: s.met, order: order, budget: 200_000, rounds: s.rounds - s.round - 1}
	if !m.find() {
		s.stuck = true
		return false
	}
	s.round++
	s.current = s.current[:0:0]
	for _, pair := range m.pairs {
		a, b := min(pair[0], pair[1]), max(pair[0], pair[1])
		s.met[a][b], s.met[b][a] = true, true
		if b == bye {
			s.free[a] += 2 * float64(s.matches)
			s.notes[a] = fmt.Sprintf("bye in round %d", s.round)
			continue
		}
		s.current = append(s.current, [2]int{a, b})
	}
	return true
}

// bye returns the place of the bye, -1 if the number of engines is even.
func (s *swiss) bye() int {
	if s.n == len(s.fold.plan.Engines) {
		return -1
	}
	return s.n - 1
}

// compare returns the order by points, then Buchholz, then wins, then the file's order.
func compare(table []arena.Standing) func(a, b int) int {
	return func(a, b int) int {
		x, y := &table[a], &table[b]
		return cmp.Or(cmp.Compare(y.Points, x.Points), cmp.Compare(y.Buchholz, x.Buchholz), cmp.Compare(y.Wins, x.Wins), cmp.Compare(a, b))
	}
}

// table returns the scores of all engines and of the bye, in the file's order. A
// match with a dead engine is a bye.
func (s *swiss) table(dead []bool) []arena.Standing {
	table := make([]arena.Standing, s.n)
	for i := range dead {
		one := &table[i]
		one.Engine, one.Note = s.fold.plan.Engines[i].Name, s.notes[i]
		if dead[i] {
			continue
		}
		one.Points, one.Wins = s.ledger.of(i, dead)
		one.Points += s.free[i]
		for j, gone := range dead {
			if pairs := s.ledger.pairs[i][j]; gone && pairs > 0 {
				one.Points += 2 * float64(pairs)
				if one.Note != "" {
					one.Note += ", "
				}
				one.Note += fmt.Sprintf("bye for %s, which never made a move", s.fold.plan.Engines[j].Name)
			}
		}
	}
	for i := range dead {
		for j, met := range s.met[i] {
			if met {
				table[i].Buchholz += table[j].Points // none of a dead engine or the bye
			}
		}
	}
	return table
}

func (s *swiss) standings(dead []bool) []arena.Standing {
	table, order := s.table(dead), living(dead)
	slices.SortStableFunc(order, compare(table))
	var out []arena.Standing
	for _, i := range order {
		out = append(out, table[i])
	}
	return out
}
