//go:build unix

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/match"
	"thera/engine/game"
	gods "thera/engine/santorini"
)

// newGodGames plays pairs of two engines that know the god hopper, one of which breaks a rule.
func newGodGames(t *testing.T, law string) (all []*arena.Game) {
	g, problems := gods.New().With(&gods.Rules{Law: law},
		&gods.Openings{Gods: gods.GodOpenings{Matchups: "list", Pairs: []string{"hopper-hopper"}, Start: "auto"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := &arena.Plan{Game: g, Limit: arena.Limit{Depth: 2, MaxMove: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}}
	p.Openings.RandomPlies = 8
	for name, kind := range map[string]string{"a": "newgod", "b": "newgod-climb"} {
		argv, env := faultkit.Command(kind)
		p.Engines = append(p.Engines, arena.EngineSpec{Name: name, Command: argv, Env: env})
	}
	games := 16
	if testing.Short() { // the arena judges each position slowly under the race detector
		games = 6
	}
	w := match.NewWorker(p, match.Options{})
	defer w.Close()
	for i := range games {
		pos, err := p.Game.Start(0, 0)
		if err != nil {
			t.Fatal(err)
		}
		job := arena.Job{ID: fmt.Sprint(i), Pairing: [2]string{"a", "b"}, Pair: i / 2, Leg: i % 2, Seed: uint64(i/2 + 1)}
		rec, err := w.Play(context.Background(), job, arena.Opening{Position: pos})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rec)
	}
	return all
}

// A deliberate bug of one engine's rules ends the game in the first position that
// shows it. Nobody has lost, and both lists are on the record.
func TestNewGodRulesDiffer(t *testing.T) {
	found := 0
	for i, rec := range newGodGames(t, "") {
		if rec.Source != arena.Unrated {
			continue
		}
		found++
		d := rec.Dispute
		if rec.Outcome.Winner != game.None || rec.Outcome.Reason != "rules differ" || rec.Blamed != game.None || rec.Fault != nil || d == nil {
			t.Fatalf("game %d: %+v", i, rec)
		}
		// The buggy engine lists all that the other one does, and jumps that climb.
		sound, buggy := 0, 1
		if d.Engines[0] == "b" {
			sound, buggy = 1, 0
		}
		if d.Only[sound] != 0 || d.Only[buggy] == 0 || d.Listed[buggy]-d.Listed[sound] != d.Only[buggy] || len(d.Lists[sound]) != d.Listed[sound] {
			t.Errorf("game %d: %v of %v only in one list", i, d.Only, d.Listed)
		}
	}
	if found == 0 {
		t.Error("the bug was not found")
	}
}

// A single engine decides: what the other one plays beyond its list is illegal, and a
// list of its own is not looked at.
func TestNewGodLawOfOneEngine(t *testing.T) {
	for i, rec := range newGodGames(t, "a") {
		illegal := rec.Source == arena.Faulted && rec.Fault.Kind == game.FaultIllegal && rec.Engine(rec.Blamed) == "b"
		if rec.Source != arena.Natural && (!illegal || !strings.Contains(rec.Fault.Detail, "next states that")) {
			t.Errorf("game %d: %s %+v %s", i, rec.Source, rec.Outcome, rec.Detail)
		}
	}
}
