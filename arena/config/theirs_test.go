package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// Each of these would let a file that comes with a commit reach beyond its build.
func TestTheirs(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "thera.yaml")
	for name, to := range map[string]string{"book": "/etc/passwd", "later": "/nowhere/yet", "up": "..", "inner": ".", "plain": ".hidden"} {
		gametest.OK(t, os.Symlink(to, filepath.Join(dir, name)))
	}
	for _, name := range []string{"openings", ".hidden"} {
		gametest.OK(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	t.Setenv("SECRET", "s3cret")
	host := testHost(t)
	host.Dir, host.Env = dir, os.LookupEnv
	load := func(text string, sets ...string) (*Contest, error) {
		gametest.OK(t, os.WriteFile(file, []byte("game: nim\n"+text), 0o600))
		return LoadTheirs(file, sets, host, []string{"PASSED"})
	}
	for text, want := range map[string]string{
		"engine: {build: x, command: [$OUT/e], sandbox: auto}":                         "engine.sandbox",
		"engine: {build: x, command: [$OUT/e], sandbox: '${A:-off}'}":                  "engine.sandbox",
		"engine: {build: x, command: /bin/sh}":                                         "engine.command",
		"engine: {build: x, command: [./here]}":                                        "engine.command",
		"engine: {build: x, command: [$here/x]}":                                       "engine.command",
		"engine: {build: x, command: [../up]}":                                         "engine.command",
		"engine: {build: x, command: 'sh /etc/shadow'}":                                "engine.command",
		"engine: {build: x, command: [sh, 'a:/etc/shadow']}":                           "engine.command",
		"engine: {build: x, command: [sh, '${A:-/etc}/shadow']}":                       "engine.command",
		"x: &x [sh, /etc/shadow]\nengine: {build: x, command: *x}":                     "engine.command",
		"x: &x {read: [/]}\nengine: *x":                                                "engine.read",
		"engine: {build: x, command: [$OUT/e], env: {A: 'x:/etc'}}":                    "engine.env.A",
		"engine: {build: x, command: [$OUT/e], env: {A: '-:/etc/shadow:b=c'}}":         "engine.env.A",
		"engine: {build: x, command: [$OUT/e], options: {a: '${SECRET}'}}":             "engine.options.a",
		"engine: {build: 'echo ${SECRET}', command: [$OUT/e]}":                         "engine.build",
		"engine: {build: x, command: [$OUT/e], git: up}":                               "engine.git",
		"engine: {build: x, command: [$OUT/e], git: ../other}":                         "engine.git",
		"engine: {build: x, command: [$OUT/e], git: .git/modules/x}":                   "engine.git",
		"engine: {build: x, command: [$OUT/e]}\nopenings: {file: book}":                "openings.file",
		"engine: {build: x, command: [$OUT/e]}\nopenings: {file: plain}":               "openings.file",
		"engine: {build: x, command: [$OUT/e]}\nopenings: {file: later}":               "openings.file",
		"engine: {build: x, command: [$OUT/e]}\nopenings: {file: .env}":                "openings.file",
		"engine: {build: x, command: [$OUT/e]}\nopenings: {file: '${A:-/etc/shadow}'}": "openings.file",
		"engine: {build: x, command: [$OUT/e]}\nrules: {law: cat /etc/shadow}":         "rules.law",
	} {
		_, err := load(text)
		if err == nil || !strings.Contains(err.Error(), want+": a commit cannot ask for") || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{
		"engine: {build: x, command: [$OUT/e, data/net, --threads=2, '${OUT}/x'], sandbox: require, git: inner, env: {A: '1', B: '${PASSED}'}}\nopenings: {file: openings}",
		"engine: {build: x, command: 'python3 $OUT/e.py'}\nrules: {law: both}",
	} {
		if _, err := load(text); err != nil && strings.Contains(err.Error(), "a commit cannot") {
			t.Errorf("%s: %v", text, err)
		}
	}
	// The words of the command line are those of the person who plays.
	if _, err := load("engine: {build: x, command: [$OUT/e]}", "engine.read=[/]", "engine.env.A=/etc", "engine.sandbox=off", "openings.file=book"); err != nil {
		t.Error(err)
	}
	c, err := load("engine: {build: x, command: [$OUT/e], options: {a: '${SECRET:-none}', b: '${SECRET:?set:unset}'}}")
	gametest.OK(t, err)
	plan, err := c.Plan(Match{Name: "x", Commits: []string{"a1", "b2"}, Format: "sprt"})
	if err != nil || plan.Engines[0].Options[0].Value != "none" || plan.Engines[0].Options[1].Value != "unset" {
		t.Errorf("%+v, %v", plan, err)
	}
}
