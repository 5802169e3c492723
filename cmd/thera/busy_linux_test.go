package main

import (
	"encoding/json"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/arena/proc"
	"thera/engine/gametest"
)

// Games are played beside eight busy programs, or their run is unrated: the beginnings of
// 2 games, or 40 whole ones in the long form, which also wants nobody to be charged with a stall. That
// does not always hold; see the README.
func TestBesideBurnersLong(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	rounds, plies := "1", "6"
	if gametest.Long(t) {
		rounds, plies = "20", "0"
	}
	p := storyParams(t, testscript.Params{Dir: filepath.Join("testdata", "busy")})
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("ROUNDS", rounds)
		env.Setenv("PLIES", plies)
		return setup(env)
	}
	p.Cmds["burn"] = burn
	p.Condition = func(string) (bool, error) { return gametest.Long(t), nil }
	testscript.Run(t, p)
}

// Under a limit of CPU time, on a machine that is too busy by far, an engine that obeys
// the clock gets as much as one that ignores it.
func TestHole09EqualShares(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	p := storyParams(t, testscript.Params{Files: []string{filepath.Join("testdata", "busy", "shares", "shares.txtar")}})
	p.Cmds["burn"], p.Cmds["shares"] = burn, shares
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("BURNERS", strconv.Itoa(4*runtime.NumCPU()))
		return setup(env)
	}
	testscript.Run(t, p)
}

// shares checks that both engines of the games that were printed last used about the same CPU time for most moves. The
// arena may be late once, and then stops an engine late.
func shares(ts *testscript.TestScript, neg bool, args []string) {
	var used [2][]time.Duration
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		var game struct {
			First string `json:"first"`
			Asked []struct {
				Seat int           `json:"seat"`
				CPU  time.Duration `json:"cpu"`
			} `json:"asked"`
		}
		ts.Check(json.Unmarshal([]byte(line), &game))
		for _, ask := range game.Asked {
			i := ask.Seat - 1
			if game.First != "obeys" {
				i = 1 - i
			}
			used[i] = append(used[i], ask.CPU)
		}
	}
	ts.Logf("CPU time of each move: %v, and %v where the clock is ignored", used[0], used[1])
	slices.Sort(used[0])
	slices.Sort(used[1])
	obeys, ignores := used[0][len(used[0])/2], used[1][len(used[1])/2]
	if 10*obeys < 6*ignores || 10*ignores < 6*obeys {
		ts.Fatalf("the shares are not equal")
	}
}

// burn starts programs that do nothing but take CPU time: burn N.
func burn(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: burn N")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	spawner, err := proc.NewSpawner()
	ts.Check(err)
	ts.Defer(func() { ts.Check(spawner.Close()) })
	for range n {
		p, err := spawner.Start(proc.Spec{Argv: []string{"sh", "-c", "while :; do :; done"}})
		ts.Check(err)
		ts.Defer(func() { ts.Check(p.Close()) })
	}
}
