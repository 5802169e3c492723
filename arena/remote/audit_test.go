package remote

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/arena/session"
	"thera/engine/game"
	"thera/engine/gametest"
)

// noted counts the incidents of a run by kind and worker.
func (tb *table) noted() map[string]int {
	incidents, _ := tb.store.Incidents(tb.t.Context(), 1)
	out := map[string]int{}
	for _, i := range incidents {
		out[string(i.Kind)+" "+i.Worker]++
	}
	return out
}

// Pairs of workers are played again by others, or by the host, and what is stored stays the same.
func TestAudit(t *testing.T) {
	tb := newTable(t, 10)
	tb.plan.Audit = 1
	tb.worker("w1", 1, func(rec *arena.Game) error {
		rec.Started = rec.Started.AddDate(100, 0, 0) // its clock means nothing
		return nil
	})
	tb.worker("w2", 1, nil)
	tb.same(0)
	stored := map[int]bool{}
	for _, rec := range tb.store.Records() {
		if rec.Leg == 1 && !stored[rec.Pair] { // a host that is killed in between finds the audit due by its first game
			t.Errorf("of pair %d the second game is stored first", rec.Pair)
		}
		stored[rec.Pair] = true
		if age := time.Since(rec.Started); age < 0 || age > time.Hour {
			t.Errorf("game %s began %v ago", rec.ID, age)
		}
	}
	if got := tb.noted(); got["audit equal w1"]+got["audit equal w2"] != 10 || got["audit due w1"]+got["audit due w2"] != 10 {
		t.Errorf("%v, said:\n%s", got, tb.said())
	}
}

// Who is charged, after which playings of a pair of worker A.
func TestAuditDecides(t *testing.T) {
	type step struct{ player, moves string }
	for name, tt := range map[string]struct {
		steps []step
		want  string // incidents
		said  string
	}{
		"equal":                  {[]step{{"B", "123"}}, "audit equal A", ""},
		"this machine is equal":  {[]step{{"", "123"}}, "audit equal A", ""},
		"another one":            {[]step{{"B", "124"}, {"", "124"}, {"", "124"}}, "audit differs A", "both times: ply 3 is 4 there, and 3 here"},
		"a length":               {[]step{{"B", "12"}, {"", "12"}, {"", "12"}}, "audit differs A", "ply 3 is the end (nobody wins) there, and 3 here"},
		"this machine twice":     {[]step{{"", "124"}, {"", "124"}, {"", "124"}}, "audit differs A", "this machine plays it, both times"},
		"a false audit":          {[]step{{"B", "124"}, {"", "123"}, {"", "123"}}, "audit equal A,audit false B", "worker B: it played game"},
		"both are wrong":         {[]step{{"B", "124"}, {"", "125"}, {"", "125"}}, "audit differs A,audit false B", "this machine plays it, both times"},
		"none repeats":           {[]step{{"B", "124"}, {"", "125"}, {"", "126"}}, "audit undecided A", "differs each time"},
		"this machine alone":     {[]step{{"", "124"}, {"", "124"}, {"", "123"}}, "audit undecided A", "differs each time"},
		"this machine decides":   {[]step{{"B", "124"}, {"", "124"}}, "", "this machine decides"},
		"a fault":                {[]step{{"B", "12!"}, {"", "123"}, {"", "123"}}, "audit equal A,audit false B", "ply 3 is the end (both seats are at fault) there, and 3 here"},
		"no fault":               {[]step{{"B", "12!"}, {"", "12!"}, {"", "12!"}}, "audit differs A", "ply 3 is the end (both seats are at fault) there, and 3 here"},
		"a resignation":          {[]step{{"B", "12r"}, {"", "123"}, {"", "123"}}, "audit equal A,audit false B", "resigns"},
		"moves before the fault": {[]step{{"B", "14!"}, {"", "14!"}, {"", "14!"}}, "audit differs A", "ply 2 is 4 there, and 2 here"},
	} {
		t.Run(name, func(t *testing.T) {
			record := func(moves string) *arena.Game {
				rec := &arena.Game{Job: arena.Job{ID: "g", Pairing: [2]string{"a", "b"}}, Source: arena.Natural, By: &arena.By{Worker: "A"}}
				for _, move := range moves {
					switch move {
					case '!':
						rec.Source, rec.Fault = arena.Faulted, &game.Fault{Kind: game.FaultTimeout}
					case 'r':
						rec.Outcome = game.Outcome{Winner: game.First, Reason: game.Resigned}
					default:
						rec.Moves = append(rec.Moves, string(move))
					}
				}
				return rec
			}
			store, plan := arenatest.NewStore(), planOf(1)
			rec := record("123")
			rec.ID = plan.Identity(rec.Pairing).Job(0, 0)
			gametest.OK(t, store.Put(t.Context(), 1, rec))
			left := tt.steps
			said := judged(t, plan, store, func(h *Host) {
				h.decide(part{"A", rec.ID}, []*arena.Game{rec}, func(here bool) (string, []*arena.Game, bool) {
					if len(left) == 0 {
						return "", nil, false
					}
					s, again := left[0], record(left[0].moves)
					left, again.ID = left[1:], rec.ID
					if here && s.player != "" {
						t.Errorf("%s plays what this machine decides", s.player)
					}
					return s.player, []*arena.Game{again}, true
				})
			})
			var kinds []string
			incidents, _ := store.Incidents(t.Context(), 1)
			for _, i := range incidents {
				kinds = append(kinds, string(i.Kind)+" "+i.Worker)
			}
			slices.Sort(kinds)
			if got := strings.Join(kinds, ","); got != tt.want || !strings.Contains(said, tt.said) || tt.said == "" && said != "" {
				t.Errorf("%s, want %s; said:\n%s", got, tt.want, said)
			}
			if len(left) > 0 {
				t.Errorf("not wanted: %v", left)
			}
		})
	}
}

// judge is a host whose audits are played by a test alone: this machine plays none.
type judge struct {
	*Host
	act func()
}

func (j *judge) Serve(context.Context) error {
	j.act()
	return nil
}

// idle is an arena.Worker that plays nothing.
type idle struct{}

func (idle) Play(ctx context.Context, _ arena.Job, _ game.Position) (*arena.Game, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (idle) Close() error { return nil }

// judged has a host of a run act, and returns what it says.
func judged(t *testing.T, plan *arena.Plan, store *arenatest.Store, act func(h *Host)) string {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	tb := &table{seen: make(chan struct{}, 100)}
	h := &Host{ctx: ctx}
	j := &judge{h, func() { act(h); end() }}
	if _, err := (&session.Runner{Plan: plan, Store: store, Remote: j, Watcher: tb, Worker: func(int) arena.Worker { return idle{} }}).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	return tb.said()
}

// What is charged to a worker is known when the run is started again: each of its further pairs
// is due, and of others a share, as far as games repeat.
func TestChosen(t *testing.T) {
	store, plan := arenatest.NewStore(), planOf(1)
	plan.Audit = 0.3
	gametest.OK(t, store.Incident(t.Context(), 1, arena.Incident{Worker: "B", Kind: arena.AuditDiffers, Game: "x"}))
	judged(t, plan, store, func(h *Host) {
		count := func(worker string) (n int) {
			for i := range 1000 {
				g := &arena.Game{Job: arena.Job{ID: strconv.Itoa(i), Pairing: [2]string{"a", "b"}}}
				if h.chosen(part{worker, g.ID}, []*arena.Game{g}) {
					n++
				}
			}
			return n
		}
		if n := count("A"); n < 200 || n > 400 {
			t.Errorf("%d of 1000 pairs are audited, want 30 %%", n)
		}
		if n := count("B"); n != 1000 {
			t.Errorf("%d of 1000 pairs of a worker that was charged are audited", n)
		}
		h.run.Plan.Limit = arena.Limit{Move: time.Second}
		if n := count("A") + count("B"); n > 0 {
			t.Errorf("%d pairs under limits of time are audited", n)
		}
	})
}

// A worker is expelled at its second charge, or its second pair that is false or stalled, unless
// those are few of many.
func TestWhoIsExpelled(t *testing.T) {
	for name, tt := range map[string]struct {
		equal, charged, good, stalled int
		want                          bool
	}{
		"one charge":           {0, 1, 0, 0, false},
		"two charges":          {0, 2, 0, 0, true},
		"two charges of many":  {40, 2, 0, 0, false},
		"one stall":            {0, 0, 0, 1, false},
		"two stalls":           {0, 0, 0, 2, true},
		"two stalls of twelve": {0, 0, 10, 2, true},
		"two stalls of many":   {0, 0, 40, 2, false},
	} {
		judged(t, planOf(1), arenatest.NewStore(), func(h *Host) {
			m := &member{standing: h.known("A")}
			for i := range tt.equal {
				h.note(part{"A", strconv.Itoa(i)}, arena.AuditEqual, "")
			}
			var all sync.WaitGroup
			for i := range tt.charged {
				all.Go(func() { h.charge(part{"A", "charge" + strconv.Itoa(i)}, arena.AuditDiffers, nil, "") })
			}
			all.Wait()
			for i := range tt.good + tt.stalled {
				h.judge(m, "x", nil, i >= tt.good)
			}
			if m.expelled != tt.want {
				t.Errorf("%s: expelled: %v", name, m.expelled)
			}
		})
	}
}

// Of a worker that is charged earlier pairs are audited.
func TestLookBack(t *testing.T) {
	store, plan := arenatest.NewStore(), planOf(2)
	id := plan.Identity([2]string{"a", "b"})
	for pair := range 2 {
		job := arena.Job{ID: id.Job(pair, 0), Pairing: [2]string{"a", "b"}, Pair: pair}
		gametest.OK(t, store.Put(t.Context(), 1, &arena.Game{Job: job, Source: arena.Natural, By: &arena.By{Worker: "A"}}))
	}
	judged(t, plan, store, func(h *Host) { h.charge(part{"A", id.Job(0, 0)}, arena.AuditDiffers, nil, "") })
	incidents, _ := store.Incidents(t.Context(), 1)
	if n := len(incidents); n != 2 || incidents[1].Kind != arena.AuditDue || incidents[1].Game != id.Job(1, 0) {
		t.Errorf("%+v", incidents)
	}
}
