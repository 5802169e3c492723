package tournament

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// draw makes a random plan and its referee: any format, with and without
// pairs, under node limits and others, with engines that leave, die or
// sometimes fail, and with few or repeated openings.
func draw(seed uint64) (plan *arena.Plan, refer referee) {
	dice := rand.New(rand.NewPCG(seed, 7))
	names := []string{"round-robin", "gauntlet", "sprt", "swiss", "knockout", "cells"}
	format := names[seed%6]
	engines := 2 + dice.IntN(4)
	switch {
	case format == "sprt":
		engines = 2
	case format == "cells":
		engines = 1 + dice.IntN(3)
	}
	plan = planOf(format, engines, 2+dice.IntN(12))
	plan.Limit = arena.Limit{Nodes: 100}
	plan.Openings.RandomPlies = 4
	switch format {
	case "sprt":
		plan.Format.Rounds = []int{20, 400}[dice.IntN(2)]
		plan.SPRT.Elo1 = 60
		if dice.IntN(3) == 0 {
			plan.Earlier = []arena.Earlier{{SPRT: arena.SPRT{Elo0: -5, Elo1: 100, Alpha: 0.1, Beta: 0.1, Model: "logistic"}}}
		}
	case "swiss":
		plan.Format.Rounds, plan.Format.PairsPerMatch = 1+dice.IntN(engines-1), 1+dice.IntN(3)
	case "knockout":
		plan.Format.PairsPerMatch = 1 + dice.IntN(3)
	case "cells":
		plan.Game = nim.New([]int{20, 21, 22, 23}[:1+dice.IntN(4)]...)
		plan.Format.Pairs = dice.IntN(2) == 0
		if dice.IntN(2) == 0 {
			plan.Format.Rounds, plan.Until.ScoreError = 60, 0.2
		}
	default:
		plan.Format.Pairs = dice.IntN(3) > 0
		if dice.IntN(3) == 0 {
			plan.Format.Rounds, plan.Until.ScoreError = 300, 0.15
		}
	}
	switch dice.IntN(5) {
	case 0: // few openings, as is known
		plan.Openings.RandomPlies, plan.Openings.Count = 0, 1+dice.IntN(5)
		if format == "cells" {
			plan.Openings.Count = 0
		}
	case 1:
		plan.Limit = arena.Limit{Move: 1}
	case 2:
		plan.Engines[0].Limit = arena.Limit{Move: 1}
	}
	for i := range plan.Engines {
		if dice.IntN(3) == 0 {
			plan.Engines[i].OnFault, plan.Engines[i].MaxFault = arena.FaultDrop, 1+dice.IntN(4)
		}
	}
	dead, another, failing, same := -1, -1, dice.IntN(12), dice.IntN(100)
	if dice.IntN(4) == 0 {
		dead, another = dice.IntN(engines), dice.IntN(3*engines)
	}
	if dice.IntN(5) == 0 {
		same = 100 // nearly all openings are one
	}
	stalling := []int{0, 0, 1, 3, 12, 60}[dice.IntN(6)]
	strength := 30 + dice.IntN(40)
	return plan, func(p Pair, leg int) ended {
		e := byStrength(strength)(p, leg)
		luck := diceOf(p, leg+10)
		e.same = int(diceOf(p, 20)%120) < same/2
		for attempt := range 8 {
			e.stalls |= uint8(btoi(int(diceOf(p, 30+2*attempt+leg)%100) < stalling)) << attempt
		}
		a, b := p.A == dead || p.A == another, p.B == dead || p.B == another
		switch {
		case a && b && p.A != p.B:
			e.winner, e.failed = -1, 3
		case a:
			e.winner, e.failed = 1, 1
		case b:
			e.winner, e.failed = 0, 2
		case int(luck%100) < failing && luck>>10%4 == 0:
			e.winner, e.failed, e.moved = -1, 3, luck>>9%2 == 0
		case int(luck%100) < failing:
			e.winner, e.failed, e.moved = int(luck>>8%2), 2-int(luck>>8%2), luck>>9%2 == 0
		}
		return e
	}
}

// difference is cmp.Diff, which is slow where there is none.
func difference(a, b *arena.Summary) string {
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a, b)
}

// decided is what must not depend on how a run went: everything but the games
// that were in the air.
func decided(sum *arena.Summary) *arena.Summary {
	c := *sum
	c.Run, c.Surplus = arena.RunInfo{}, 0
	c.Warnings = slices.DeleteFunc(slices.Clone(sum.Warnings), func(w arena.Warning) bool {
		return w.Kind == arena.WarnSurplus
	})
	if len(c.Warnings) == 0 {
		c.Warnings = nil
	}
	return &c
}

// TestEverythingFollowsFromTheGames plays runs one game at a time. It plays
// them again with up to eight games at once that end in any order, with
// interruptions at any point, and with the stored games read in any order and
// with pairings in either order.
func TestEverythingFollowsFromTheGames(t *testing.T) {
	kinds, drops, dead, repeated, voided, annulled, both := map[string]int{}, 0, 0, 0, 0, 0, 0
	for seed := range uint64(360) {
		plan, refer := draw(seed)
		name := fmt.Sprintf("seed %d, %s", seed, plan.Format.Name)
		f, course := simulate(t, plan, refer, 1, alone())
		want := decided(summaryOf(f))
		kinds[plan.Format.Name+" "+string(course.Stop.Kind)]++
		annulled, both = annulled+btoi(want.Annulled > 0), both+btoi(want.Unrated > 0)
		repeated += btoi(want.Repeated > 0)
		voided += btoi(want.Voided.Pairs > 0)
		if want.Doubt != nil {
			kinds[string(want.Doubt.Kind)]++
		}
		for _, d := range want.Drops {
			drops++
			dead += btoi(d.Dead)
		}
		for again := range uint64(2) {
			dice := rand.New(rand.NewPCG(seed, again))
			games := interrupted(t, plan, refer, dice)
			sum, err := Summarize(plan, arena.RunInfo{}, Stored(games), nil)
			gametest.OK(t, err)
			if diff := difference(want, decided(sum)); diff != "" {
				t.Fatalf("%s, again %d: %s", name, again, diff)
			}
			void := 0
			for i := range games {
				void += btoi(games[i].Status == arena.StatusVoid)
			}
			if n := sum.Counted + sum.Annulled + warning(sum, arena.WarnUnrated).Games + sum.Repeated + sum.Surplus + void; n != len(games) {
				t.Fatalf("%s: %d games, %d are in some count", name, len(games), n)
			}
		}
	}
	t.Logf("%v, %d drops, %d of them dead, %d runs with repeats, %d with void pairs, %d with games that are annulled, %d with pairs in which both failed", kinds, drops, dead, repeated, voided, annulled, both)
	for _, kind := range []string{
		"round-robin played", "round-robin narrow", "round-robin openings used up", "round-robin dead engine", "round-robin engine left",
		"gauntlet played", "sprt decided", "sprt undecided", "sprt openings used up", "sprt dead engine", "swiss played",
		"knockout played", "cells played", "cells narrow", "cells openings used up",
		"machine too busy",
	} {
		if kinds[kind] == 0 {
			t.Errorf("no run ended as %s", kind)
		}
	}
	if drops == dead || dead == 0 || repeated == 0 || voided < 10 || annulled < 10 || both < 10 {
		t.Error("the draw leaves something out")
	}
}

// interrupted plays a run with interruptions and returns its games. At each
// interruption the summary of the running director must equal that of the games in
// another order.
func interrupted(t *testing.T, plan *arena.Plan, refer referee, dice *rand.Rand) []arena.Game {
	t.Helper()
	var info arena.RunInfo
	var games []arena.Game
	for {
		dice.Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
		for i := range games {
			if g := &games[i]; g.Pairing[0] != g.Pairing[1] && dice.IntN(4) == 0 {
				games[i] = *games[i].Turned()
			}
		}
		f, err := New(plan)
		gametest.OK(t, err)
		f.AddAll(Stored(games))
		s := sky{games: games}
		air, left := 1+dice.IntN(8), 5+dice.IntN(80+len(games)/2) // a long run has not many times more starts
		for f.Stop() == nil && left > 0 {
			if len(s.up) < air {
				if w, state := f.Next(); state == Ready {
					s.launch(plan, refer, w)
					continue
				}
			}
			if len(s.up) == 0 {
				t.Fatal("the run waits for nothing")
			}
			s.land(f, dice.IntN(len(s.up)))
			left--
		}
		games = s.games
		sum, err := Summarize(plan, info, Stored(games), nil)
		gametest.OK(t, err)
		if diff := difference(sum, f.Summary(info)); diff != "" {
			t.Fatalf("the stored run says otherwise than the live one: %s", diff)
		}
		if f.Stop() == nil {
			continue
		}
		for len(s.up) > 0 { // what was in the air is stored too
			s.land(f, 0)
		}
		games = s.games
		if sum, err = Summarize(plan, info, Stored(games), nil); err != nil {
			t.Fatal(err)
		}
		if diff := difference(sum, f.Summary(info)); diff != "" {
			t.Fatalf("after the stop the stored run says otherwise than the live one: %s", diff)
		}
		return games
	}
}
