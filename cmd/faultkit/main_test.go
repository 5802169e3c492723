//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/match"
	"thera/arena/sandbox"
	"thera/engine/all"
	"thera/engine/game"
	"thera/engine/gametest"
)

// TestMain lets this test binary be the faulty engine.
func TestMain(m *testing.M) {
	sandbox.Main()
	switch kind := os.Getenv(faultkit.Env); {
	case mannersOf[kind] != nil:
		os.Exit(runMannered(mannersOf[kind](), os.Args[1:], os.Stdin, os.Stdout))
	case isNewGod(kind):
		os.Exit(serveNewGod(kind, os.Stdout, os.Stderr))
	case kind == playsRows:
		os.Exit(serveRows())
	}
	kit, err := kitOf("santorini")
	if err != nil {
		panic(err)
	}
	if code, ours := faultkit.Main(kit); ours {
		os.Exit(code)
	}
	gametest.Parallel(8)
	goleak.VerifyTestMain(gametest.PlainEngines(m, faultkit.ProgramVar))
}

func santorini(t *testing.T) game.Game { return gameOf(t, "santorini") }

func gameOf(t *testing.T, name string) game.Game {
	t.Helper()
	at := slices.IndexFunc(all.Games(), func(g game.Game) bool { return g.Name() == name })
	if at < 0 {
		t.Fatalf("no %s", name)
	}
	return all.Games()[at]
}

func plan(t *testing.T, fault string) *arena.Plan {
	engine := func(name, fault string) arena.EngineSpec {
		argv, env := faultkit.Command(fault)
		return arena.EngineSpec{Name: name, Command: argv, Env: env}
	}
	ample := arena.Limit{Nodes: 300, MaxMove: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}
	p := &arena.Plan{Game: santorini(t), Engines: []arena.EngineSpec{engine("good", "none"), engine("bad", fault)}, Limit: ample}
	p.Engines[0].Limit = ample // whatever the other one gets
	return p
}

func play(t *testing.T, p *arena.Plan, games int) []*arena.Game {
	t.Helper()
	w := match.NewWorker(p, match.Options{})
	defer w.Close()
	pos, err := p.Game.Start(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	var recs []*arena.Game
	for i := range games {
		job := arena.Job{ID: strings.Repeat("x", i+1), Pairing: [2]string{"good", "bad"}, Leg: i % 2}
		rec, err := w.Play(context.Background(), job, arena.Opening{Position: pos})
		for err == nil && rec.Source == arena.Stalled { // again, as in a run
			t.Logf("game %d: %s", i, rec.Detail)
			rec, err = w.Play(context.Background(), job, arena.Opening{Position: pos})
		}
		if err != nil {
			t.Fatal(err)
		}
		recs = append(recs, rec)
	}
	return recs
}

// Every kind of illegal state loses, with the rule, the state and the nearest
// legal state on the record.
func TestIllegalStates(t *testing.T) {
	if n := len(illegalKinds()); n < 10 {
		t.Fatalf("only %d kinds", n)
	}
	for _, kind := range illegalKinds() {
		t.Run(kind, func(t *testing.T) {
			want := game.FaultIllegal
			if kind == "illegal-overlap" { // no position at all
				want = game.FaultProtocol
			}
			t.Parallel()
			for i, rec := range play(t, plan(t, kind+":2"), 2) {
				if rec.Source != arena.Faulted || rec.Fault.Kind != want || rec.Engine(rec.Blamed) != "bad" || rec.Outcome.Winner != rec.Seat(0) {
					t.Fatalf("game %d: %s %+v %v", i, rec.Source, rec.Outcome, rec.Fault)
				}
				if !strings.Contains(rec.Detail, "position: ") || want == game.FaultIllegal && !strings.Contains(rec.Detail, "nearest legal move: ") {
					t.Errorf("game %d: detail %q", i, rec.Detail)
				}
				if i == 0 {
					t.Log(rec.Fault)
				}
			}
		})
	}
}

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"list"}, 0, "illegal-side\n"},
		{[]string{"-game", "mill", "list"}, 0, "closedout\n"},
		{nil, 2, "name a fault"},
		{[]string{"-game", "chess", "hang"}, 2, `game "chess"`},
		{[]string{"-colour", "hang"}, 2, "colour"},
	} {
		var out bytes.Buffer
		if code := run(tt.args, &out, &out); code != tt.code || !strings.Contains(out.String(), tt.text) {
			t.Errorf("%q: status %d, %q", tt.args, code, out.String())
		}
	}
}
