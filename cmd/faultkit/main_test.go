//go:build unix

package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/match"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/santorini"
)

// TestMain lets this test binary be the faulty engine.
func TestMain(m *testing.M) {
	kit, err := kitOf("santorini")
	if err != nil {
		panic(err)
	}
	if code, ours := faultkit.Main(kit); ours {
		os.Exit(code)
	}
	goleak.VerifyTestMain(gametest.PlainEngines(m, faultkit.ProgramVar))
}

// An illegal state loses, with the rule, the position and the nearest legal state on the record.
func TestIllegal(t *testing.T) {
	p := &arena.Plan{
		Game:  santorini.New(),
		Limit: arena.Limit{Nodes: 300, MaxMove: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute},
	}
	for name, fault := range map[string]string{"good": "none", "bad": "illegal:2"} {
		argv, env := faultkit.Command(fault)
		p.Engines = append(p.Engines, arena.EngineSpec{Name: name, Command: argv, Env: env})
	}
	w := match.NewWorker(p, match.Options{})
	defer w.Close()
	pos, err := p.Game.Start(0, 1)
	gametest.OK(t, err)
	rec, err := w.Play(t.Context(), arena.Job{ID: "x", Pairing: [2]string{"good", "bad"}}, pos)
	gametest.OK(t, err)
	if rec.Source != arena.Faulted || rec.Fault.Kind != game.FaultIllegal || rec.Engine(rec.Blamed) != "bad" {
		t.Fatalf("%s %+v %v", rec.Source, rec.Outcome, rec.Fault)
	}
	if !strings.Contains(rec.Detail, "position: ") || !strings.Contains(rec.Detail, "nearest legal move: ") {
		t.Errorf("detail %q", rec.Detail)
	}
}

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"list"}, 0, "newgod-climb\n"},
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
