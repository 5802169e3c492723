//go:build unix

package check

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(); ours {
		os.Exit(code)
	}
	gametest.Parallel(8)
	goleak.VerifyTestMain(gametest.PlainEngines(m, faultkit.ProgramVar))
}

// ample are limits that no busy machine reaches.
var ample = arena.Limit{Start: time.Minute, Sync: time.Minute, Grace: time.Minute, MaxMove: time.Minute}

// quiet is a machine that does nothing but play: what is late is to blame.
type quiet struct{}

func (quiet) Usage([]int) (proc.Usage, bool) { return proc.Usage{CPUs: 1}, true }

// options are those of nim with a fault, with ample time.
func options(fault string) Options {
	g := nim.New(21)
	argv, env := faultkit.Command(fault)
	return Options{
		Game: g, Positions: 20, Seed: 1,
		Spec:  arena.EngineSpec{Name: fault, Command: argv, Env: env, Memory: 128 << 20},
		Limit: ample, Machine: quiet{},
	}
}

// named are the faults of the kit and how they are seen: the point that fails
// and a part of what it says.
var named = map[string]struct{ point, text string }{
	"hang":       {"a legal move", "timeout"},
	"exit3:3":    {"nodes", "exited: 3"},
	"lastwords":  {"long games", "exited: 0"},
	"segv":       {"a legal move", "signal 11"},
	"closedout":  {"a legal move", "closed stdout"},
	"closedin":   {"time", "closed stdin"},
	"closedask":  {"a legal move", "closed stdin"},
	"flood":      {"a legal move", "200000 lines"},
	"garbage":    {"a legal move", "protocol"},
	"illegal":    {"a legal move", "take 1 to 3"},
	"resign":     {"a legal move", "resigned at 21 1, the start of a game"},
	"memory":     {"a legal move", "memory"},
	"silent":     {"start", "start timeout"},
	"startexit":  {"start", "exited: 7"},
	"sleep=1000": {"time", "timeout: used"},
	"work=400":   {"time", "timeout: used"},
	"ponderous":  {"idle between questions", "CPU"},
	"stderr":     {"stderr noise", "bytes a move"},
	"noquit":     {"ends on quit", "still runs"},
	"noeof":      {"ends at the end of its input", "still runs"},
	"liar":       {"move lists", "but not legal"},
	"fragile":    {"unknown command", "exited"},
	"unstopped":  {"stop", ""},
}

// harmless are what the kit does oddly and no arena minds.
var harmless = []string{
	"none", "two", "early", "crlf", "allcrlf", "nul", "bom", "blank", "noise", "split", "zombie", "ponder", "slowstart", "sigterm", "score=3",
}

func TestHarmlessIsNotNamed(t *testing.T) {
	for i, fault := range harmless {
		if gametest.Race && i%4 > 0 {
			continue // they differ in what the engine does, not in goroutines
		}
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			r, err := Run(context.Background(), options(fault))
			gametest.OK(t, err)
			if len(r.Findings) < 15 || r.Engine != "nim" || r.Game != "nim" || r.Failed > 0 {
				t.Errorf("%+v", r)
			}
			for i, f := range r.Findings {
				if f.Number != i+1 || f.Name == "" || f.Detail == "" || f.Status != OK && (f.Status == Failed || fault == "none") {
					t.Errorf("finding %+v", f)
				}
			}
		})
	}
}

// Every fault is named by a point that fails.
func TestFaultsAreNamed(t *testing.T) {
	for fault, want := range named {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			isNamed(t, fault, want.point, want.text)
		})
	}
}

// isNamed reports an error unless a point of this name fails with this text.
func isNamed(t *testing.T, fault, point, text string) {
	t.Helper()
	opts, clock := options(fault), true
	// A fault by the clock needs a limit that passes; all others are named
	// however slow the machine is.
	switch {
	case text == "timeout" || text == notFlushed || fault == "closedask":
		opts.Limit.MaxMove = 100 * time.Millisecond
	case text == "start timeout":
		opts.Limit.Start = 100 * time.Millisecond
	case text == "timeout: used" || text == "":
		opts.Limit.Grace = 100 * time.Millisecond
	case text == "still runs":
		opts.Limit.Sync, clock = 300*time.Millisecond, false
	default:
		clock = false
	}
	var failed []string
	for range 100 {
		seen, excused := false, false
		ctx, cancel := context.WithCancel(t.Context())
		opts.Each = func(f Finding) {
			here := strings.HasPrefix(f.Name, point)
			switch {
			case f.Status == Failed && here && strings.Contains(f.Detail, text):
				seen = true
				cancel() // what follows is not asked for here
			case here && clock: // the arena itself was late
				excused = true
				cancel()
			case f.Status == Failed:
				failed = append(failed, f.Name+": "+f.Detail)
			}
		}
		_, err := Run(ctx, opts)
		cancel()
		switch {
		case seen:
			return
		case err != nil && !errors.Is(err, context.Canceled):
			t.Fatal(err)
		case !excused:
			t.Fatalf("no point %q failed with %q; failed:\n%s", point, text, strings.Join(failed, "\n"))
		}
	}
	t.Errorf("point %q never failed with %q; failed:\n%s", point, text, strings.Join(failed, "\n"))
}

const notFlushed = "nothing came after the question (does it flush its output after each line?)"

// An engine that says nothing may not flush what it says.
func TestHole20NothingCame(t *testing.T) { isNamed(t, "hang", "a legal move", notFlushed) }
