package main

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"thera/arena/proc"
	"thera/engine/gametest"
)

// A busy machine charges nobody: 2 games beside eight busy programs, 40 in the
// long form.
func TestBesideBurnersLong(t *testing.T) {
	gametest.Sequential(t) // thera is another process
	rounds := "1"
	if gametest.Long(t) {
		rounds = "20"
	}
	p := storyParams(t, testscript.Params{Dir: filepath.Join("testdata", "busy")})
	setup := p.Setup
	p.Setup = func(env *testscript.Env) error {
		env.Setenv("ROUNDS", rounds)
		return setup(env)
	}
	p.Cmds["burn"] = burn
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
