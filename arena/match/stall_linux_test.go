package match

import (
	"context"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// An engine that has to share its core with five other programs is not to
// blame: the game is void.
func TestStall(t *testing.T) {
	rec := playCrowded(t, "work=150:2", arena.Limit{Move: 60 * time.Millisecond, Grace: 200 * time.Millisecond, Start: time.Minute, Sync: time.Minute})
	if rec.Source != arena.Stalled || rec.Outcome.Winner != game.None || rec.Outcome.Reason != "stalled" ||
		rec.Fault == nil || !strings.Contains(rec.Detail, "the machine stalled: ") {
		t.Fatalf("%s %+v %v\n%s", rec.Source, rec.Outcome, rec.Fault, rec.Detail)
	}
}

// One that hangs is: it gives no answer in the CPU time that it lacks either.
func TestHole06HangsOnABusyMachine(t *testing.T) {
	for _, fault := range []string{"burn:2", "hang:2"} {
		limit := arena.Limit{Move: 60 * time.Millisecond, Grace: 40 * time.Millisecond, Start: time.Minute, Sync: time.Minute}
		rec := playCrowded(t, fault, limit)
		for tries := 0; len(rec.Moves) < 2 && rec.Source == arena.Stalled && tries < 5; tries++ { // it was late before it hung
			rec = playCrowded(t, fault, limit)
		}
		checkVerdict(t, 0, rec, game.FaultTimeout, "")
		if fault == "burn:2" && !strings.Contains(rec.Fault.Detail, "heard once more") {
			t.Logf("this machine was not busy: %v", rec.Fault)
		}
	}
}

// playCrowded plays a game of an engine with a fault that shares its core with five
// busy programs.
func playCrowded(t *testing.T, fault string, limit arena.Limit) *arena.Game {
	t.Helper()
	var allowed unix.CPUSet
	gametest.OK(t, unix.SchedGetaffinity(0, &allowed))
	core := 0
	for !allowed.IsSet(core) {
		core++
	}
	spawner, err := proc.NewSpawner()
	gametest.OK(t, err)
	defer spawner.Close()
	p := plan(nim.New(21), fault)
	p.Limit = limit
	p.Engines[1].CPUs = []int{core}
	w := NewWorker(p, Options{})
	defer w.Close()
	for range 5 {
		burner, err := spawner.Start(proc.Spec{Argv: []string{"sh", "-c", "while :; do :; done"}, CPUs: []int{core}})
		gametest.OK(t, err)
		defer burner.Close()
	}
	rec, err := w.Play(t.Context(), job(1), start(t, p.Game))
	gametest.OK(t, err)
	return rec
}

// An engine that is costly to look at, or takes all cores, gets no more time by it.
// Where other programs take them too, that is not promised: then it may get so much that
// nobody waits for it here.
func TestHole06CostlyToLookAt(t *testing.T) {
	if gametest.Race {
		t.Skip("the race detector makes looking costly")
	}
	for _, fault := range []string{"crowd", "herd"} {
		t.Run(fault, func(t *testing.T) {
			p := plan(nim.New(21), fault)
			p.Limit = arena.Limit{Move: 300 * time.Millisecond, Grace: 200 * time.Millisecond, Start: time.Minute, Sync: time.Minute}
			for range 2 {
				began, others := time.Now(), cpuOfOthers(t)
				ctx, cancel := context.WithTimeout(t.Context(), 6*time.Second)
				w := NewWorker(p, Options{Machine: still{}})
				rec, err := w.Play(ctx, job(0), start(t, p.Game))
				if err != nil && ctx.Err() == nil {
					t.Fatal(err)
				}
				cancel()
				w.Close()
				if rec != nil && rec.Fault != nil && rec.Fault.Kind == game.FaultTimeout && rec.Engine(rec.Blamed) == "bad" {
					return
				}
				all, used := time.Since(began)*time.Duration(runtime.NumCPU()), cpuOfOthers(t)-others
				switch {
				case used < all/8:
					t.Fatalf("%+v", rec)
				case used > all/3:
					t.Skipf("this machine is too busy: others used %v of %v", used, all)
				}
			}
			t.Skip("this machine is too busy")
		})
	}
}

// An engine that keeps the machine busy where it has lost gains nothing: what
// its threads do is not proof of a stall. It plays against an honest copy.
func TestVoidingEngineLong(t *testing.T) {
	n := 16
	if gametest.Long(t) {
		n = 1000
	}
	p := plan(nim.New(21), "voiding")
	argv, env := faultkit.Command("gamble")
	p.Engines[0].Command, p.Engines[0].Env = argv, env
	limit := arena.Limit{Move: 20 * time.Millisecond, Grace: 80 * time.Millisecond, Start: time.Minute, Sync: time.Minute}
	p.Limit, p.Engines[0].Limit = limit, limit
	w := NewWorker(p, Options{})
	defer w.Close()
	won, caught, void, charged := 0, 0, 0, 0
	for pair := 0; pair < n/2; {
		var recs [2]*arena.Game
		stalled := false
		for leg := range recs {
			others := cpuOfOthers(t)
			rec, err := w.Play(t.Context(), job(leg), start(t, p.Game))
			gametest.OK(t, err)
			recs[leg] = rec
			if rec.Source == arena.Stalled {
				stalled = true
				// Half of the overrun, less what the system does not count so fine.
				if others = cpuOfOthers(t) - others; others < 20*time.Millisecond {
					t.Errorf("void, though others used only %v: %s", others, rec.Detail)
				}
				break
			}
		}
		if stalled {
			if void++; void > max(n/10, 3) {
				t.Skipf("this machine is too busy: %d void pairs after %d", void, pair)
			}
			continue
		}
		pair++
		for _, rec := range recs {
			if rec.Engine(rec.Outcome.Winner) == "bad" {
				won++
			}
			switch {
			case rec.Source != arena.Faulted:
			case rec.Engine(rec.Blamed) == "bad" && rec.Fault.Kind == game.FaultTimeout && strings.Contains(rec.Detail, "position: 4 "):
				caught++
			default:
				charged++
				t.Logf("%s: %v\n%s", rec.Engine(rec.Blamed), rec.Fault, rec.Detail)
			}
		}
	}
	t.Logf("it won %d of %d games, kept the machine busy in %d; %d void pairs, %d other faults", won, n, caught, void, charged)
	if gametest.Long(t) && caught < n/8 { // in 16 games by chance
		t.Errorf("it tried only %d times", caught)
	}
	if off, most := math.Abs(float64(won)-float64(n)/2), 3*math.Sqrt(float64(n))/2; gametest.Long(t) && off > most {
		t.Errorf("it won %d of %d games: further from half of them than %.0f", won, n, most)
	}
}

// cpuOfOthers is the CPU time of this machine without that of this process and
// its children.
func cpuOfOthers(t *testing.T) time.Duration {
	t.Helper()
	all, ok := proc.Machine{}.Usage(nil)
	if !ok {
		t.Fatal("the use of processors cannot be read")
	}
	sum := all.Busy + all.Stolen
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		gametest.OK(t, unix.Getrusage(who, &u))
		sum -= time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
