package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"thera/arena"
	"thera/arena/rating"
	"thera/engine/gametest"
)

// opening is how the two games of a pair are alike: bias is what an opening adds to the
// score of the first seat or takes from it, draws the share of draws.
type opening struct {
	name        string
	bias, draws float64
}

var openings = []opening{
	{"openings even, no draws", 0, 0},
	{"openings even, many draws", 0, 0.6},
	{"openings biased, no draws", 0.3, 0},
	{"openings biased, draws", 0.2, 0.4},
}

// pair plays a pair of games between engines whose expected score is e.
func (o *opening) pair(rng *rand.Rand, e float64) (winners [2]int) {
	bias := min(o.bias, e, 1-e) * float64(rng.IntN(3)-1)
	for leg, score := range [2]float64{e + bias, e - bias} {
		d := o.draws * 2 * min(score, 1-score)
		switch x := rng.Float64(); {
		case x < score-d/2:
			winners[leg] = 0
		case x < score+d/2:
			winners[leg] = -1
		default:
			winners[leg] = 1
		}
	}
	return winners
}

// simulated plays a round robin of engines that are apart by as many Elo.
func (o *opening) simulated(rng *rand.Rand, engines int, apart float64, pairs int) *arena.Summary {
	sum := &arena.Summary{}
	name := func(i int) string { return fmt.Sprint("e", i) }
	for i := range engines {
		sum.Run.Plan.Engines = append(sum.Run.Plan.Engines, arena.EngineSpec{Name: name(i)})
		for j := range i {
			rows := [2]arena.Row{}
			for leg := range rows {
				rows[leg] = arena.Row{Pairing: [2]string{name(i), name(j)}, Leg: leg, Roles: [2]string{"x", "y"}}
			}
			for range pairs {
				winners := o.pair(rng, rating.Expected(apart*float64(i-j)))
				for leg, w := range winners {
					one := &arena.Game{}
					if w >= 0 {
						one.Outcome.Winner = one.Seat(w)
					}
					rows[leg].CountGame(one, false)
				}
				rows[0].CountPair(winners)
			}
			sum.Rows = append(sum.Rows, rows[:]...)
		}
	}
	return sum
}

// held counts how often bounds hold.
type held struct{ cases, below, above int }

func (h *held) add(lo, hi *float64, truth float64) {
	h.cases++
	switch {
	case lo != nil && *lo > truth:
		h.above++
	case hi != nil && *hi < truth:
		h.below++
	}
}

func (h *held) share(n int) float64 { return 100 * float64(n) / float64(h.cases) }

// TestHole12FewPairsLong simulates runs with few pairs, and checks what users read: the
// bounds of every table hold as often as they say, and equal engines are seldom called
// better or worse.
func TestHole12FewPairsLong(t *testing.T) {
	runs, slack, lengths := 2000, 0.0, []int{1, 2, 4, 8, 20, 100}
	if !gametest.Long(t) {
		runs, slack, lengths = 120, 6, lengths[2:4] // slack: percent that chance may do to so few runs
	}
	for _, engines := range []int{2, 5} {
		for _, apart := range []float64{0, 100} {
			for _, pairs := range lengths {
				least := 93.0
				if pairs < 8 {
					least = 90
				}
				for table, h := range simulate(t, engines, apart, pairs, runs) {
					what := fmt.Sprintf("%d engines %g Elo apart, %d pairs, %s", engines, apart, pairs, table)
					t.Logf("%s: the bounds hold in %.1f %% of %d, above in %.1f %%, below in %.1f %%", what, 100-h.share(h.above+h.below), h.cases, h.share(h.above), h.share(h.below))
					if h.share(h.above+h.below) > 100-least+slack {
						t.Errorf("%s: the bounds hold in %.1f %%, want %.0f %%", what, 100-h.share(h.above+h.below), least)
					}
					if most := 3.5 + slack; apart == 0 && max(h.share(h.above), h.share(h.below)) > most {
						t.Errorf("%s: equal engines are better in %.1f %% and worse in %.1f %%, want at most %.1f %%", what, h.share(h.above), h.share(h.below), most)
					}
				}
			}
		}
	}
}

func eloAt(score *float64) *float64 {
	elo := rating.Elo(*score)
	return &elo
}

// simulate counts how often the bounds of each table hold, over all kinds of openings.
func simulate(t *testing.T, engines int, apart float64, pairs, runs int) map[string]*held {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(engines), uint64(pairs)))
	tables := map[string]*held{}
	count := func(table string, lo, hi *float64, truth float64) {
		if tables[table] == nil {
			tables[table] = &held{}
		}
		tables[table].add(lo, hi, truth)
	}
	place := func(name string) float64 {
		at, err := strconv.Atoi(name[1:])
		gametest.OK(t, err)
		return float64(at)
	}
	for run := range runs {
		sum := openings[run%len(openings)].simulated(rng, engines, apart, pairs)
		r := report(t, sum)
		for i := range r.Engines {
			e := &r.Engines[i]
			count("ranking", e.EloLo, e.EloHi, apart*(place(e.Name)-float64(engines-1)/2))
		}
		for i := range r.Pairings {
			p := &r.Pairings[i]
			lo, hi := p.EloLo, p.EloHi // as a table shows them: or those of the score
			if lo == nil {
				lo = eloAt(p.BoundLo)
			}
			if hi == nil {
				hi = eloAt(p.BoundHi)
			}
			count("pairings", lo, hi, apart*(place(p.Engines[0])-place(p.Engines[1])))
		}
		for _, other := range slices.Compact([]int{1, engines - 1}) {
			c, err := Compare(sum, "e0", fmt.Sprint("e", other))
			gametest.OK(t, err)
			count("compare", c.EloLo, c.EloHi, apart*float64(other))
		}
		// The roles are even.
		for i := range r.Roles {
			count("roles", r.Roles[i].EloLo, r.Roles[i].EloHi, 0)
		}
		for i := range r.Matrix {
			count("matrix", r.Matrix[i].Lo, r.Matrix[i].Hi, 0.5)
		}
		for i := range r.Matchups {
			m := &r.Matchups[i]
			count("match-ups", m.BoundLo, m.BoundHi, 0.5)
		}
	}
	return tables
}
