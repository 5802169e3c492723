//go:build unix

package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/match"
	"thera/engine/game"
	gods "thera/engine/santorini"
)

// newGodPlan is a match of two engines that know the god hopper.
func newGodPlan(t *testing.T, law, first, second string) *arena.Plan {
	t.Helper()
	g, problems := gods.New().With(&gods.Rules{Law: law},
		&gods.Openings{Gods: gods.GodOpenings{Matchups: "list", Pairs: []string{"hopper-hopper"}, Start: "auto"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := &arena.Plan{Game: g, Limit: arena.Limit{Depth: 2, MaxMove: time.Minute, Grace: time.Minute, Start: time.Minute, Sync: time.Minute}}
	for name, kind := range map[string]string{"a": first, "b": second} {
		argv, env := faultkit.Command(kind)
		p.Engines = append(p.Engines, arena.EngineSpec{Name: name, Command: argv, Env: env})
	}
	return p
}

// newGodGames plays the two games of each pair.
func newGodGames(t *testing.T, p *arena.Plan, pairs int) ([]*arena.Game, error) {
	t.Helper()
	w := match.NewWorker(p, 0, match.Options{})
	defer w.Close()
	var all []*arena.Game
	for pair := range pairs {
		for leg := range 2 {
			pos, err := p.Game.Start(0, 0)
			if err != nil {
				t.Fatal(err)
			}
			job := arena.Job{ID: "x", Pairing: [2]string{"a", "b"}, Pair: pair, Leg: leg, Seed: uint64(pair + 1)}
			rec, err := w.Play(context.Background(), job, arena.Opening{Position: pos})
			if err != nil {
				return all, err
			}
			all = append(all, rec)
		}
	}
	return all, nil
}

// Engines that agree play a god that nobody else knows to the end.
func TestNewGod(t *testing.T) {
	p := newGodPlan(t, "", "newgod", "newgod")
	p.Openings.RandomPlies = 4
	games, err := newGodGames(t, p, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range games {
		if rec.Source != arena.Natural || rec.Outcome.Winner == game.None || rec.Roles != [2]string{"hopper", "hopper"} || len(rec.Warnings) > 0 {
			t.Errorf("game %d: %s %+v %s %v", i, rec.Source, rec.Outcome, rec.Detail, rec.Warnings)
		}
		if rec.Start != games[i/2*2].Start {
			t.Errorf("game %d starts from %s, the other one of its pair from %s", i, rec.Start, games[i/2*2].Start)
		}
	}
	if games[0].Start == games[2].Start || strings.Count(games[0].Start, ":") != 2 || strings.Count(games[0].Start[:25], "1") == 0 {
		t.Errorf("two pairs start from %s and %s, want placed workers and two random turns", games[0].Start, games[2].Start)
	}
}

// Where an engine cannot place workers, the lot places them: for both games of a pair
// alike. Without random plies the engines that can place do it themselves.
func TestNewGodPlacement(t *testing.T) {
	for _, kind := range []string{"newgod-unplaced", "newgod"} {
		games, err := newGodGames(t, newGodPlan(t, "", "newgod", kind), 2)
		if err != nil {
			t.Fatal(err)
		}
		placed := kind == "newgod-unplaced"
		for i, rec := range games {
			if rec.Source != arena.Natural || strings.Contains(rec.Start, ":") != placed || (rec.Start == games[0].Start) != (i < 2 || !placed) {
				t.Errorf("%s, game %d from %s: %s %s", kind, i, rec.Start, rec.Source, rec.Detail)
			}
		}
	}
}

// Engines that write the same positions in different ways agree: squares by name and by
// index, the mark of the winner before and behind the god, workers in either order.
func TestNewGodInTwoForms(t *testing.T) {
	p := newGodPlan(t, "", "newgod", "newgod-indices")
	p.Openings.RandomPlies = 4
	games, err := newGodGames(t, p, 3)
	if err != nil {
		t.Fatal(err)
	}
	jumped := false
	for i, rec := range games {
		if rec.Source != arena.Natural || rec.Outcome.Winner == game.None || len(rec.Warnings) > 0 {
			t.Errorf("game %d: %s %+v %s %v", i, rec.Source, rec.Outcome, rec.Detail, rec.Warnings)
		}
		jumped = jumped || strings.Contains(rec.Start+strings.Join(rec.Moves, " "), "[")
	}
	if !jumped {
		t.Error("no position has a state in brackets")
	}
}

// Engines of both versions of the protocol decide together about gods that both know.
func TestLawOfBothVersions(t *testing.T) {
	g, problems := gods.New().With(&gods.Rules{Law: game.LawBoth},
		&gods.Openings{Gods: gods.GodOpenings{Matchups: "list", Pairs: []string{"artemis-pan"}, Start: "auto"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	p := newGodPlan(t, "", "recorded-v1", "recorded-v2")
	p.Game, p.Openings.RandomPlies = g, 6
	games, err := newGodGames(t, p, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range games {
		if rec.Source != arena.Natural || rec.Outcome.Winner == game.None || len(rec.Warnings) > 0 {
			t.Errorf("game %d: %s %+v %s %v", i, rec.Source, rec.Outcome, rec.Detail, rec.Warnings)
		}
	}
}

// A deliberate bug of one engine's rules ends the game in the first position that
// shows it. Nobody has lost, and both lists are on the record.
func TestNewGodRulesDiffer(t *testing.T) {
	p := newGodPlan(t, "", "newgod", "newgod-climb")
	p.Openings.RandomPlies = 8
	pairs := 8
	if testing.Short() { // the arena judges each position slowly under the race detector
		pairs = 3
	}
	games, err := newGodGames(t, p, pairs)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for i, rec := range games {
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
		if !strings.Contains(rec.Detail, d.OnlyIn[buggy][0][:25]) && !strings.Contains(rec.Detail, "hopper[") || strings.Count(rec.Detail, "5 |") != 2 {
			t.Errorf("game %d: the difference is not drawn:\n%s", i, rec.Detail)
		}
	}
	if found == 0 {
		t.Errorf("the bug was not found in %d games", len(games))
	}
}

// An engine that fails as the law has not lost: nobody has.
func TestNewGodLawFails(t *testing.T) {
	for _, law := range []string{"", "b"} {
		games, err := newGodGames(t, newGodPlan(t, law, "newgod", "newgod-dies"), 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, rec := range games {
			if rec.Source != arena.Unrated || rec.Outcome.Reason != "law failed" || rec.Outcome.Winner != game.None || rec.Blamed != game.None {
				t.Errorf("law %q, game %d: %s %+v", law, i, rec.Source, rec.Outcome)
			}
			if !strings.HasPrefix(rec.Detail, "law b at ply") || !strings.Contains(rec.Detail, "exited: ") || len(rec.Warnings) == 0 {
				t.Errorf("law %q, game %d: %q, warnings %q", law, i, rec.Detail, rec.Warnings)
			}
		}
	}
}

// Engines that do not know the god are refused before the first game.
func TestNewGodThatEnginesDoNotKnow(t *testing.T) {
	_, err := newGodGames(t, newGodPlan(t, "", "newgod", "none"), 1)
	var refused *match.Refusal
	if !errors.As(err, &refused) || refused.Engine != "law b" || !strings.Contains(err.Error(), "hopper") || !errors.Is(err, game.ErrUnlisted) {
		t.Errorf("err = %v", err)
	}
}

// A single engine decides: what the other one plays beyond its list is illegal, and a
// list of its own is not looked at.
func TestNewGodLawOfOneEngine(t *testing.T) {
	p := newGodPlan(t, "a", "newgod", "newgod-climb")
	p.Openings.RandomPlies = 8
	pairs := 8
	if testing.Short() { // the arena judges each position slowly under the race detector
		pairs = 3
	}
	games, err := newGodGames(t, p, pairs)
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range games {
		switch {
		case rec.Source == arena.Natural:
		case rec.Source == arena.Faulted && rec.Fault.Kind == game.FaultIllegal && rec.Engine(rec.Blamed) == "b" && strings.Contains(rec.Fault.Detail, "next states that the law lists"):
		default:
			t.Errorf("game %d: %s %+v %s", i, rec.Source, rec.Outcome, rec.Detail)
		}
	}
}
