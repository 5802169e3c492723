package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// packaged is a game whose engines may come with a file, in a protocol with an adapter.
type packaged struct {
	game.Game
	game.Archiver
}

func (p packaged) With(settings, openings any) (game.Game, []game.Problem) {
	bound, problems := p.Game.With(settings, openings)
	return packaged{Game: bound}, problems
}

func (packaged) Manifest() string { return "start.txt" }

func (packaged) ReadManifest(text []byte) (game.Package, error) {
	if len(text) == 0 {
		return game.Package{}, errors.New("it is empty")
	}
	words, err := SplitWords(string(text))
	return game.Package{Command: words, Protocol: "bridged"}, err
}

func (p packaged) Dialects() []game.Dialect {
	return append(p.Game.Dialects(), bridged{p.Game.Dialects()[0]})
}

type bridged struct{ game.Dialect }

func (bridged) Name() string { return "bridged" }

func (packaged) Adapter(protocol string) []string {
	if protocol != "bridged" {
		return nil
	}
	return []string{"--bridge"}
}

func TestUnpack(t *testing.T) {
	host := testHost(t)
	host.Games, host.Self = []game.Game{packaged{Game: nim.New()}}, "/usr/bin/thera"
	for name, text := range map[string]string{"a": "./run --net=own.nn", "b": "true", "empty": "", "leads": "true --net=../a/own.nn"} {
		dir := filepath.Join(host.Dir, "bots", name)
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, "start.txt"), []byte(text), 0o600),
			os.WriteFile(filepath.Join(dir, "run"), []byte("#!/bin/sh\n"), 0o700)); err != nil {
			t.Fatal(err)
		}
	}
	plan := parse(t, host, "game: nim\nengines: [{name: a, command: [bots/a]}, {name: b, command: bots/b/start.txt}, {name: c, command: [bots/a/run]}]\n")
	a, b, c := plan.Engines[0], plan.Engines[1], plan.Engines[2]
	dir := filepath.Join(host.Dir, "bots", "a")
	adapter := []string{"/usr/bin/thera", "engine", "nim", "--bridge", "--"}
	if !slices.Equal(a.Command, []string{filepath.Join(dir, "run"), "--net=own.nn"}) || a.Dir != dir || a.Protocol != "bridged" ||
		!a.Fresh || !slices.Equal(a.Through, adapter) {
		t.Errorf("%+v", a)
	}
	if filepath.Base(b.Command[0]) != "true" || b.Dir != filepath.Join(host.Dir, "bots", "b") || c.Through != nil || c.Protocol != "auto" || c.Fresh {
		t.Errorf("%+v\n%+v", b, c)
	}
	for name, want := range map[string]string{
		"empty": `bots/empty/start.txt: it is empty`, "leads": `bots/leads/start.txt: command: "--net=../a/own.nn" is not in its folder`,
	} {
		_, err := Parse("m.yaml", []byte("game: nim\nengines: [{name: a, command: [bots/"+name+"]}, {name: b, builtin: true}]\n"), nil, host)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := os.Mkdir(filepath.Join(host.Dir, "true"), 0o700); err != nil { // it has the name of a program
		t.Fatal(err)
	}
	plan = parse(t, host, "game: nim\nengines: [{name: a, command: [true]}, {name: b, command: [cat]}]\n")
	if a := plan.Engines[0]; a.Protocol != "auto" || !filepath.IsAbs(a.Command[0]) {
		t.Errorf("%+v", a)
	}
	plan = parse(t, host, "game: nim\nengines: {folder: bots}\n")
	if len(plan.Engines) != 2 || len(plan.Roster.Out) != 2 || plan.Engines[0].Name != "a" || plan.Engines[1].Protocol != "bridged" {
		t.Errorf("%+v, left out %+v", plan.Engines, plan.Roster.Out)
	}
}
