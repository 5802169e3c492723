package tournament

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

func planOf(format string, engines, rounds int) *arena.Plan {
	plan := &arena.Plan{
		Game: nim.New(), Concurrency: 1,
		Format: arena.Format{Name: format, Rounds: rounds, Pairs: true, PairsPerMatch: 1},
		SPRT:   arena.SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05, Model: "normalized"},
	}
	for i := range engines {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: string(rune('a' + i)), OnFault: arena.FaultForfeit})
	}
	return plan
}

func with(p *arena.Plan, change func(*arena.Plan)) *arena.Plan {
	change(p)
	return p
}

// result of a game: who won, and who was at fault without a move.
type ended struct {
	stalls  uint8 // by attempt at its pair: whether the machine stalls in it
	unrated bool  // the rules of the engines differ
	winner  int   // 0: A, 1: B, -1: a draw
	failed  int   // 1: A, 2: B, 3: both; 0: nobody
	moved   bool
	same    bool // from the opening that the pairing had before
}

// referee returns the result of a game, which depends only on the game.
type referee func(p Pair, leg int) ended

// dice returns the random numbers of a game.
func diceOf(p Pair, leg int) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, p.A, p.B, p.Number, leg)
	return h.Sum64()
}

// byStrength lets the engine with the lower place win that many of 100 games.
func byStrength(percent int) referee {
	return func(p Pair, leg int) ended {
		switch n := int(diceOf(p, leg) >> 7 % 100); {
		case n < percent:
			return ended{winner: 0}
		case n < 90:
			return ended{winner: 1}
		}
		return ended{winner: -1}
	}
}

// gameOf returns the game as it would be stored.
func gameOf(plan *arena.Plan, r referee, w Work, leg int) *arena.Game {
	p, e := w.Pair, r(w.Pair, leg)
	f := &arena.Game{
		Job: arena.Job{
			ID:      fmt.Sprintf("%d-%d-%d-%d", p.A, p.B, p.Number, leg),
			Pairing: [2]string{plan.Engines[p.A].Name, plan.Engines[p.B].Name}, Round: p.Round, Pair: p.Number, Leg: leg, Index: w.Index(leg),
		},
		Source: arena.Natural, Turns: 10, Outcome: game.Outcome{Reason: "over"},
		Roles: [2]string{"x", string(rune('x' + p.Number%2))}, StartHash: uint64(p.Number) + 1,
	}
	if e.same {
		f.StartHash = 0
	}
	f.Sides[0].Moves, f.Sides[1].Moves = 5, 5
	if e.winner >= 0 {
		f.Outcome.Winner = f.Seat(e.winner)
	}
	if e.failed > 0 && e.failed < 3 {
		f.Source, f.Outcome.Reason, f.Blamed = arena.Faulted, "exited: 3", f.Seat(e.failed-1)
		f.Side(e.failed - 1).Failed = 1
		if !e.moved {
			f.Sides[0].Moves, f.Sides[1].Moves = 0, 0
		}
	}
	if e.failed == 3 {
		f.Source, f.Outcome = arena.Faulted, game.Outcome{Reason: "both: exited: 3, exited: 3"}
		f.Sides[0].Failed, f.Sides[1].Failed = 1, 1
		if !e.moved {
			f.Sides[0].Moves, f.Sides[1].Moves = 0, 0
		}
	}
	if e.unrated {
		f.Source, f.Outcome = arena.Unrated, game.Outcome{Reason: "rules differ"}
	}
	return f
}

// course records what happened in a run.
type course struct {
	Pairs  []Pair // handed out
	Stop   arena.Stop
	News   []string
	Prefix int
	Games  []arena.Game
}

// simulate plays a run to its end. Up to that many games are in progress at
// once, and they end in random order.
func simulate(t *testing.T, plan *arena.Plan, r referee, air int, dice *rand.Rand) (*Director, course) {
	t.Helper()
	f, err := New(plan)
	gametest.OK(t, err)
	return f, finish(t, f, plan, r, air, dice)
}

// finish continues a run to its end.
func finish(t *testing.T, d *Director, plan *arena.Plan, r referee, air int, dice *rand.Rand) course {
	t.Helper()
	var s sky
	var out course
	for steps := 0; ; steps++ {
		if steps > 2_000_000 {
			t.Fatal("the run never ends")
		}
		out.News = append(out.News, d.News()...)
		if d.Stop() != nil {
			out.Stop, out.Prefix, out.Games = *d.Stop(), d.prefix, s.games
			return out
		}
		if len(s.up) < air {
			w, state := d.Next()
			if state == Ready {
				out.Pairs = append(out.Pairs, w.Pair)
				s.launch(plan, r, w)
				continue
			}
			if state == Over {
				continue
			}
		}
		if len(s.up) == 0 {
			t.Fatal("the run waits for nothing")
		}
		s.land(d, dice.IntN(len(s.up)))
	}
}

// sky has the games in the air and those that landed, as a store has them.
type sky struct {
	up    []flight
	games []arena.Game
}

type flight struct {
	*arena.Game
	work   Work
	stalls uint8
}

func (s *sky) launch(plan *arena.Plan, r referee, w Work) {
	for _, leg := range w.Legs {
		s.up = append(s.up, flight{gameOf(plan, r, w, leg), w, r(w.Pair, leg).stalls})
	}
}

// land ends a game in the air: the games of a pair end one after the other. If it
// stalled, its pair is void with what there is of it.
func (s *sky) land(d *Director, at int) {
	at = slices.IndexFunc(s.up, func(other flight) bool { return other.work.Place == s.up[at].work.Place })
	game := s.up[at]
	s.up = slices.Delete(s.up, at, at+1)
	attempt := 0
	if s := d.open[game.work.Pair.key()]; s != nil {
		attempt = len(s.voids)
	}
	if game.stalls>>attempt&1 == 0 {
		s.games = append(s.games, *game.Game)
		d.Add(game.Game)
		d.Add(game.Game) // twice changes nothing
		return
	}
	game.Source, game.Status, game.Attempt = arena.Stalled, arena.StatusVoid, attempt+1
	s.up = slices.DeleteFunc(s.up, func(other flight) bool { return other.work.Place == game.work.Place })
	pair := game.ID[:strings.LastIndex(game.ID, "-")+1]
	for i := range s.games {
		if g := &s.games[i]; g.Status.Counts() && strings.HasPrefix(g.ID, pair) {
			g.Status, g.Attempt = game.Status, game.Attempt
		}
	}
	s.games = append(s.games, *game.Game)
	d.Void(game.work.Place, game.Game)
}

func summaryOf(d *Director) *arena.Summary { return d.Summary(arena.RunInfo{}) }

func alone() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// A test with other bounds is another test on the same games, and what the first one
// decided decides nothing.
func TestATestOfOtherBoundsDecidesByItself(t *testing.T) {
	plan := planOf("sprt", 2, 100_000)
	_, first := simulate(t, plan, byStrength(60), 2, alone())
	plan.Earlier = []arena.Earlier{{SPRT: plan.SPRT}}
	plan.SPRT = arena.SPRT{Elo0: 100, Elo1: 120, Alpha: 0.01, Beta: 0.01, Model: "normalized"}
	f, err := New(plan)
	gametest.OK(t, err)
	f.AddAll(Stored(first.Games))
	sum := summaryOf(f)
	if sum.Stop != nil || sum.Test.Decision != "continue" || warning(sum, arena.WarnRetested).Text == "" {
		t.Fatalf("%+v, stop %+v, warnings %v", sum.Test, sum.Stop, sum.Warnings)
	}
	finish(t, f, plan, byStrength(60), 2, alone())
	if test := summaryOf(f).Test; test.Decision == "continue" || test.LLR < test.Upper && test.LLR > test.Lower {
		t.Errorf("the test ends with %+v", test)
	}
}
