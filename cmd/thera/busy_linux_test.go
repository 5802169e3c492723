package main

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/arena/proc"
	"thera/engine/gametest"
)

// Games are played beside eight busy programs, or their run is unrated: the beginnings of
// 2 games, or 40 whole ones in the long form, which also wants nobody to be charged with a stall. That
// does not always hold; see the README.
func TestBesideBurnersLong(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	rounds, plies := "1", "10"
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
