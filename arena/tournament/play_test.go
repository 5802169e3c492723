package tournament

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/arenatest"
)

func planOf(format string, engines, rounds int) *arena.Plan {
	plan := &arena.Plan{
		Game: arenatest.NewCountdown(), Concurrency: 1,
		Format: arena.Format{Name: format, Rounds: rounds, Pairs: true, PairsPerMatch: 1},
		SPRT:   arena.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05, Model: "normalized"},
	}
	for i := range engines {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: string(rune('a' + i)), OnFault: arena.FaultForfeit})
	}
	return plan
}

// referee says how a pair ended.
type referee func(p Pair) Result

// byStrength lets the engine with the smaller place win so many of 100 games;
// the dice depend on the game alone.
func byStrength(percent int) referee {
	return func(p Pair) Result {
		var r Result
		for _, leg := range p.Legs() {
			h := fnv.New64a()
			fmt.Fprint(h, p.A, p.B, p.Number, leg)
			dice := h.Sum64()
			g := Game{Winner: -1, Blamed: -1, Same: dice}
			switch n := int(dice >> 7 % 100); {
			case n < percent:
				g.Winner = 0
			case n < 90:
				g.Winner = 1
			}
			r.Games = append(r.Games, g)
		}
		return r
	}
}

// played is what happened in a run.
type played struct {
	Pairs   []Pair
	Reason  string
	Remarks []string
	Prefix  int
}

// simulate plays a schedule to its end with so many pairs in the air, which
// end in a random order.
func simulate(t *testing.T, plan *arena.Plan, r referee, air int, dice *rand.Rand) (*Schedule, played) {
	t.Helper()
	s, err := New(plan)
	if err != nil {
		t.Fatal(err)
	}
	type flying struct {
		place int
		pair  Pair
	}
	var up []flying
	var out played
	for steps := 0; ; steps++ {
		if steps > 2_000_000 {
			t.Fatal("the schedule never ends")
		}
		out.Remarks = append(out.Remarks, s.Remarks()...)
		if reason, over := s.Over(); over {
			out.Reason, out.Prefix = reason, s.Prefix()
			return s, out
		}
		if len(up) < air {
			place, pair, state := s.Next()
			if state == Ready {
				if place != len(out.Pairs) && len(plan.Engines) > 0 && plan.Engines[0].OnFault != arena.FaultDrop {
					t.Fatalf("place %d handed out after %d pairs", place, len(out.Pairs))
				}
				out.Pairs = append(out.Pairs, pair)
				up = append(up, flying{place, pair})
				continue
			}
			if state == Over {
				continue
			}
		}
		if len(up) == 0 {
			t.Fatal("the schedule waits for nothing")
		}
		at := dice.IntN(len(up))
		f := up[at]
		up = append(up[:at], up[at+1:]...)
		s.Finish(f.place, r(f.pair))
		s.Finish(f.place, Result{}) // twice changes nothing
	}
}

func TestTheOrderOfResultsChangesNothing(t *testing.T) {
	for _, tt := range []struct {
		plan  *arena.Plan
		refer referee
	}{
		{planOf("round-robin", 4, 5), byStrength(60)},
		{planOf("gauntlet", 5, 3), byStrength(60)},
		{planOf("sprt", 2, 5000), byStrength(50)},
		{planOf("swiss", 7, 5), byStrength(55)},
		{planOf("swiss", 8, 7), byStrength(55)},
		{with(planOf("knockout", 6, 0), func(p *arena.Plan) { p.Format.Extra = 3 }), byStrength(45)},
		{planOf("cells", 3, 4), byStrength(50)},
		{with(planOf("cells", 1, 300), func(p *arena.Plan) {
			p.Until.ScoreError = 0.15
			p.Openings.Positions = []string{"5 1", "6 1", "7 1"}
		}), byStrength(30)},
		{with(planOf("round-robin", 3, 4000), func(p *arena.Plan) { p.Until.EloError = 40 }), byStrength(50)},
	} {
		_, want := simulate(t, tt.plan, tt.refer, 1, rand.New(rand.NewPCG(1, 1)))
		if want.Reason == "" || len(want.Pairs) == 0 {
			t.Fatalf("%s: %+v", tt.plan.Format.Name, want)
		}
		for seed := range uint64(8) {
			_, got := simulate(t, tt.plan, tt.refer, 1+int(seed)*3, rand.New(rand.NewPCG(seed, 9)))
			if got.Reason != want.Reason {
				t.Errorf("%s: ended with %q, alone with %q", tt.plan.Format.Name, got.Reason, want.Reason)
			}
			got.Pairs = got.Pairs[:min(len(got.Pairs), len(want.Pairs))] // what was in the air is surplus
			got.Prefix = want.Prefix
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, seed %d: %s", tt.plan.Format.Name, seed, diff)
			}
		}
	}
}

func with(p *arena.Plan, change func(*arena.Plan)) *arena.Plan {
	change(p)
	return p
}

func TestRoundRobinOrder(t *testing.T) {
	s, got := simulate(t, planOf("round-robin", 3, 2), byStrength(50), 1, rand.New(rand.NewPCG(1, 1)))
	want := []Pair{
		{A: 0, B: 1, Round: 1},
		{A: 0, B: 2, Round: 1},
		{A: 1, B: 2, Round: 1},
		{A: 0, B: 1, Round: 2, Number: 1},
		{A: 0, B: 2, Round: 2, Number: 1},
		{A: 1, B: 2, Round: 2, Number: 1},
	}
	if diff := cmp.Diff(want, got.Pairs); diff != "" {
		t.Error(diff)
	}
	if s.Games() != 12 || got.Reason != "all 2 rounds are played" {
		t.Errorf("%d games, %s", s.Games(), got.Reason)
	}
	single := planOf("round-robin", 2, 3)
	single.Format.Pairs = false
	s, got = simulate(t, single, byStrength(50), 1, rand.New(rand.NewPCG(1, 1)))
	if s.Games() != 3 || got.Pairs[0].Legs()[0] != 0 || got.Pairs[1].Legs()[0] != 1 || len(got.Pairs[2].Legs()) != 1 {
		t.Errorf("%d games, pairs %+v", s.Games(), got.Pairs)
	}
}

func TestGauntlet(t *testing.T) {
	plan := planOf("gauntlet", 4, 1)
	meet := func() []string {
		var out []string
		_, got := simulate(t, plan, byStrength(50), 1, rand.New(rand.NewPCG(1, 1)))
		for _, p := range got.Pairs {
			out = append(out, plan.Engines[p.A].Name+plan.Engines[p.B].Name)
		}
		return out
	}
	if diff := cmp.Diff([]string{"ab", "ac", "ad"}, meet()); diff != "" {
		t.Errorf("the first engine is the seed: %s", diff)
	}
	plan.Engines[1].Seed, plan.Engines[3].Seed = true, true
	if diff := cmp.Diff([]string{"ab", "bc", "ad", "cd"}, meet()); diff != "" {
		t.Errorf("two seeds: %s", diff)
	}
}

func TestSPRT(t *testing.T) {
	for _, tt := range []struct {
		percent int
		want    string
	}{{60, "H1"}, {35, "H0"}} {
		s, got := simulate(t, planOf("sprt", 2, 100_000), byStrength(tt.percent), 3, rand.New(rand.NewPCG(1, 1)))
		if s.SPRT().Decision != tt.want || got.Reason[:2] != tt.want || s.SPRT().Pairs < 10 {
			t.Errorf("%d %%: %+v, %s", tt.percent, s.SPRT(), got.Reason)
		}
	}
	_, got := simulate(t, planOf("sprt", 2, 30), byStrength(47), 3, rand.New(rand.NewPCG(1, 1)))
	if len(got.Pairs) != 30 || got.Reason[:21] != "the test is undecided" {
		t.Errorf("%d pairs, %s", len(got.Pairs), got.Reason)
	}
}

func TestIdenticalGamesDecideNothing(t *testing.T) {
	same := func(Pair) Result {
		return Result{Games: []Game{{Winner: 0, Blamed: -1, Same: 1}, {Winner: 0, Blamed: -1, Same: 2}}}
	}
	s, got := simulate(t, planOf("sprt", 2, 500), same, 2, rand.New(rand.NewPCG(1, 1)))
	if s.SPRT().Decision != "continue" || len(got.Pairs) != 500 {
		t.Errorf("one pair, told 500 times, decided: %s", got.Reason)
	}
	if different, all := s.Table().Repeated(); different != 2 || all != 1000 {
		t.Errorf("%d of %d games are different", different, all)
	}
}

func TestUntil(t *testing.T) {
	plan := planOf("round-robin", 2, 100_000)
	plan.Until.EloError = 25
	s, got := simulate(t, plan, byStrength(50), 2, rand.New(rand.NewPCG(1, 1)))
	sum := s.Table().Cell(0, 1).Summary()
	if e := sum.EloError(); e == nil || *e > 26 || *e < 20 {
		t.Errorf("stopped at ±%v: %s", e, got.Reason)
	}
	plan.Until = arena.Until{ScoreError: 0.04}
	s, got = simulate(t, plan, byStrength(50), 2, rand.New(rand.NewPCG(1, 1)))
	if e := s.Table().Cell(0, 1).Summary().ScoreError; e == nil || *e > 0.041 || got.Prefix < minRounds {
		t.Errorf("stopped at ±%v: %s", e, got.Reason)
	}
}

func TestUntilOfMany(t *testing.T) {
	zero := 0.0
	for _, tt := range []struct {
		until  arena.Until
		anchor *float64
	}{{arena.Until{EloError: 40}, nil}, {arena.Until{EloError: 60}, &zero}, {arena.Until{ScoreError: 0.05}, &zero}} {
		plan := planOf("round-robin", 3, 5000)
		plan.Until, plan.Engines[2].Anchor = tt.until, tt.anchor
		_, got := simulate(t, plan, byStrength(50), 2, rand.New(rand.NewPCG(1, 1)))
		if rounds := got.Prefix / 3; rounds < minRounds || rounds > 1000 || got.Reason[:16] != "every error bar " {
			t.Errorf("%+v: %d pairs, %s", tt.until, got.Prefix, got.Reason)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := New(planOf("league", 2, 1)); err == nil {
		t.Error("a league was made")
	}
}
