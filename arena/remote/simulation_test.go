package remote

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/session"
	"thera/engine/game"
	"thera/engine/gametest"
)

// simulation is a run of a host and its workers whose clock, network, store and engines are simulated. All that is
// between them is what thera runs.
//
// A seed says what becomes of each message, write, process and game, by their names and not by their order. With one
// processor 96 of 100 seeds repeat message for message, at the same times; in others something that happened at one
// moment happened in another order.
type simulation struct {
	*wire
	plan    *arena.Plan
	store   *arenatest.Store
	slots   int // of the host
	deaths  int // of the host
	workers []*worker
	said    []string
}

func (w *wire) tell(fault string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count(fault)
}

func (s *wire) breaks(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

// formats are those of the runs.
var formats = []string{"round-robin", "gauntlet", "swiss", "knockout", "sprt"}

// simulatedPlan is a small run.
func simulatedPlan(format string) *arena.Plan {
	plan := planOf(4)
	plan.Format.Name, plan.Format.PairsPerMatch = format, 2
	plan.SPRT = arena.SPRT{Elo0: 0, Elo1: 200, Alpha: 0.05, Beta: 0.05, Model: "normalized"}
	if format == "sprt" {
		plan.Format.Rounds = 12
		return plan
	}
	for _, name := range []string{"c", "d"} {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: name, OnFault: arena.FaultForfeit})
	}
	plan.Format.Rounds = 2
	return plan
}

// undisturbed are the summaries of runs without workers, by format.
var undisturbed = sync.OnceValues(func() (map[string]*arena.Summary, error) {
	sums := map[string]*arena.Summary{}
	for _, format := range formats {
		own := &arenatest.Workers{Strength: strengths()}
		run := &session.Runner{Plan: simulatedPlan(format), Store: arenatest.NewStore(), Worker: own.New}
		sum, err := run.Run(context.Background())
		if err != nil {
			return nil, err
		}
		sums[format] = decided(sum)
	}
	return sums, nil
})

// decided is what a run decides: without when, where and how often it was played, and games beyond its end.
func decided(sum *arena.Summary) *arena.Summary {
	is := *sum
	is.Run, is.Voided, is.Surplus = arena.RunInfo{State: sum.Run.State}, arena.Voided{}, 0
	is.Warnings = slices.DeleteFunc(slices.Clone(sum.Warnings), func(w arena.Warning) bool {
		return w.Kind == arena.WarnSurplus || w.Kind == arena.WarnVoided
	})
	return &is
}

// falseGames are games that are stored and are others than those of the engines.
func (s *simulation) falseGames(ctx context.Context) (wrong []string) {
	own := (&arenatest.Workers{Strength: strengths()}).New(0)
	for _, g := range s.store.Records() {
		is, err := session.PlayPair(ctx, s.plan, own, []arena.Job{g.Job}, nil)
		if err != nil {
			return []string{err.Error()}
		}
		if id, how := differs([]*arena.Game{g}, is); id != "" {
			wrong = append(wrong, fmt.Sprintf("game %s of %+v: %s", id, g.By, how))
		}
	}
	return wrong
}

// lies are what the rules show to be false.
var lies = []func(g *arena.Game){
	func(g *arena.Game) { g.Outcome.Winner = g.Outcome.Winner.Other() },
	func(g *arena.Game) { g.Moves[0] = "17" },
	func(g *arena.Game) { g.ID = g.ID[1:] + "0" },
	func(g *arena.Game) { g.Leg = 1 - g.Leg },
	func(g *arena.Game) { g.Plies[0].Wall, g.Seconds = 2*time.Minute, 200 },
	accuse,
}

// newSimulation is that of a seed.
func newSimulation(seed uint64) *simulation {
	c := chance(seed)
	dice := c.dice("simulation")
	rate := func(most float64) float64 { return most * dice.Float64() * float64(dice.IntN(3)) / 2 }
	s := &simulation{
		wire: &wire{
			chance: c, begun: time.Now(), calm: time.Now().Add(between(dice, 0, 15*time.Minute)),
			lost: rate(0.3), late: rate(0.3), twice: rate(0.5), parting: rate(0.5),
			answers: map[string]chan *nats.Msg{}, names: map[string]string{},
			out: map[string]time.Time{}, sent: map[string]int{}, seen: map[string]int{},
		},
		plan: simulatedPlan(formats[seed%uint64(len(formats))]), store: arenatest.NewStore(),
		slots: dice.IntN(3) / 2, deaths: dice.IntN(5),
	}
	s.plan.Audit = []float64{0, 0.3, 1}[dice.IntN(3)]
	habits := []habit{steady}
	for range dice.IntN(5) {
		all := []habit{steady, mortal, mortal, vanishing, hanging, slow, stalling, lying, making, making}
		h := all[dice.IntN(len(all))]
		if h == making && slices.Contains(habits, making) {
			h = lying // two could agree
		}
		habits = append(habits, h)
	}
	if dice.IntN(3) == 0 {
		habits[0] = mortal // until it is calm
	}
	for i, h := range habits {
		w := &worker{
			simulation: s, name: "w" + strconv.Itoa(i), habit: h, slots: 1 + dice.IntN(2), played: map[string]int{},
			share: []float64{0.2, 0.5, 1}[dice.IntN(3)], lie: lies[dice.IntN(len(lies))],
		}
		switch h {
		case stalling, hanging:
			w.share = 0.2
		case making:
			s.plan.Audit = 1
			kinds := []func(g *arena.Game){
				func(g *arena.Game) { blame(g, game.FaultTimeout, "used 1m0s of 1m0s, CPU 1m0s") },
				func(g *arena.Game) { blame(g, game.FaultExited, "3") },
				func(g *arena.Game) { blame(g, "", "") },
			}
			w.lie = kinds[dice.IntN(len(kinds))]
		}
		s.workers = append(s.workers, w)
	}
	return s
}

// play plays the run and looks whether what is promised holds.
func (s *simulation) play(t *testing.T) {
	sums, err := undisturbed()
	gametest.OK(t, err)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	var all sync.WaitGroup
	for _, w := range s.workers {
		all.Go(func() { w.live(ctx) })
	}
	within, late := context.WithTimeout(ctx, 12*time.Hour)
	defer late()
	begun := time.Now()
	sum, err := s.host(within)
	took := time.Since(begun)
	end()
	all.Wait()
	format := s.plan.Format.Name
	if err != nil {
		s.breaks("the run ends after %v with %d games: %v", took, len(s.store.Games()), err)
	} else {
		// A run of which much was void may be unrated.
		if is := decided(sum); sum.Voided.Pairs < 3 && !reflect.DeepEqual(is, sums[format]) {
			s.breaks("another summary than that of an undisturbed run: %s", cmp.Diff(sums[format], is))
		}
	}
	s.wrong = append(s.wrong, s.falseGames(t.Context())...)
	incidents, _ := s.store.Incidents(t.Context(), 1)
	for _, i := range incidents {
		s.said = append(s.said, fmt.Sprint(i))
		fine := i.Kind == arena.AuditDue || i.Kind == arena.AuditEqual
		for _, w := range s.workers {
			if w.name == i.Worker && w.habit.honest() && !fine {
				s.breaks("the honest worker %s: %s: %s", i.Worker, i.Kind, i.Text)
			}
		}
	}
}

// String says what a simulation is made of.
func (s *simulation) String() string {
	var habits []string
	for _, w := range s.workers {
		habits = append(habits, fmt.Sprintf("%s is %s with %d slots (share %g)", w.name, w.habit, w.slots, w.share))
	}
	return fmt.Sprintf("%s, audit %g, %d slots here, %d deaths of the host, lost %.2f, late %.2f, twice %.2f, "+
		"parted %.2f; %s",
		s.plan.Format.Name, s.plan.Audit, s.slots, s.deaths, s.lost, s.late, s.twice, s.parting,
		strings.Join(habits, ", "))
}

// simulate plays the run of a seed.
func simulate(t *testing.T, seed uint64) (s *simulation) {
	synctest.Test(t, func(t *testing.T) {
		s = newSimulation(seed)
		s.play(t)
	})
	return s
}

// Whatever a network, machines and workers do, a run ends as an undisturbed one: each game is counted once, and
// after it is stored, what is decided is the same, nobody waits for ever, and no honest worker is charged.
// A seed is played again with THERA_LONG=1 and -run 'TestLongSimulation/^SEED$'.
func TestLongSimulation(t *testing.T) {
	seeds := 200
	if gametest.Race {
		seeds = 30
	}
	if gametest.Long(t) {
		seeds = 10_000
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	seen, played := map[string]int{}, 0
	for seed := range seeds {
		t.Run(strconv.Itoa(seed), func(t *testing.T) {
			s := simulate(t, uint64(seed))
			if len(s.wrong) > 0 {
				t.Errorf("seed %d: %v\n%s\nsaid:\n%s", seed, s, strings.Join(s.wrong, "\n"), strings.Join(s.said, "\n"))
			}
			played++
			for fault, n := range s.seen {
				seen[fault] += n
			}
		})
	}
	for _, fault := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%s: %d", fault, seen[fault])
	}
	t.Logf("%d seeds", played)
}
