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
)

func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(faultkit.ForToy()); ours {
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// options are those of the toy with a fault.
func options(fault string) Options {
	g := faultkit.Toy{Heap: 21}
	argv, env := faultkit.Command(fault)
	return Options{
		Game: g, Dialect: g.Dialects()[0], Positions: 20, Seed: 1,
		Spec:  arena.EngineSpec{Name: fault, Command: argv, Env: env, Memory: 128 << 20},
		Limit: arena.Limit{Start: 300 * time.Millisecond, Sync: 300 * time.Millisecond},
	}
}

func TestHealthyEnginePasses(t *testing.T) {
	r, err := Run(context.Background(), options("none"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Failed != 0 || len(r.Findings) < 20 || r.Engine != "toy" || r.Game != "toy" {
		t.Errorf("%+v", r)
	}
	skipped := 0
	for i, f := range r.Findings {
		if f.Number != i+1 || f.Name == "" || f.Detail == "" {
			t.Errorf("finding %+v", f)
		}
		if f.Status == Skipped {
			skipped++
			t.Logf("%+v", f)
		}
	}
	if skipped > 0 {
		t.Errorf("%d points were not looked at", skipped)
	}
}

// Every fault is named by a point that fails.
func TestFaultsAreNamed(t *testing.T) {
	for fault, want := range map[string]struct{ point, text string }{
		"hang":      {"a legal move", "timeout"},
		"exit3:3":   {"time", "exited: 3"},
		"segv":      {"a legal move", "signal 11"},
		"closedout": {"a legal move", "closed stdout"},
		"flood":     {"a legal move", "flood"},
		"garbage":   {"a legal move", "protocol"},
		"illegal":   {"a legal move", "take 1 to 3"},
		"memory":    {"a legal move", "memory"},
		"silent":    {"start", "start timeout"},
		"startexit": {"start", "exited: 7"},
		"late":      {"time", "answered after"},
		"ponderous": {"rests when nobody asks", "CPU"},
		"shouting":  {"stderr noise", "bytes a move"},
		"noquit":    {"ends on quit", "still runs"},
		"noeof":     {"ends at the end of its input", "still runs"},
		"liar":      {"move lists", "but not legal"},
		"fragile":   {"unknown command", "exited"},
		"unstopped": {"stop", ""},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			opts := options(fault)
			var failed []string
			named := false
			opts.Each = func(f Finding) {
				if f.Status != Failed {
					return
				}
				failed = append(failed, f.Name+": "+f.Detail)
				if strings.HasPrefix(f.Name, want.point) && strings.Contains(f.Detail, want.text) {
					named = true
					cancel() // what follows is not asked for here
				}
			}
			if _, err := Run(ctx, opts); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if !named {
				t.Errorf("no point %q failed with %q; failed:\n%s", want.point, want.text, strings.Join(failed, "\n"))
			}
		})
	}
}
