package config

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestEnginesFromSource(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "repo"), 0o700); err != nil {
		t.Fatal(err)
	}
	load := func(engine string) error {
		text := "game: nim\nengines: [{name: a, " + engine + "}, {name: b, command: [sh]}]\n"
		_, err := Parse(filepath.Join(dir, "m.yaml"), []byte(text), nil, testHost(t))
		return err
	}
	if err := load("git: repo, ref: HEAD, fetch: x, build: y, bench: z, command: [$OUT/engine]"); err != nil {
		t.Error(err)
	}
	for engine, want := range map[string]string{
		"git: other, build: y, command: [$OUT/engine]":          "engines[0].git: no folder other, expected a git repository next to the match file",
		"git: repo, command: [$OUT/engine]":                     "engines[0]: git without build, expected the command that builds the engine into $OUT",
		"git: repo, build: y":                                   "engines[0]: git without command, expected what starts the build, as in [$OUT/engine]",
		"git: repo, build: y, builtin: true, command: [$OUT/e]": "engines[0].git: git together with builtin or binary, expected one of them",
		"command: [sh], build: y":                               "engines[0].build: build without git, expected the repository to build from",
		"command: [sh], ref: HEAD":                              "engines[0].ref: ref without git, expected the repository to build from",
	} {
		err := load(engine)
		var problems Errors
		if !errors.As(err, &problems) || len(problems) != 1 || problems[0].Path+": "+problems[0].Text != want {
			t.Errorf("%s: %v\nwant %s", engine, err, want)
		}
	}
}
