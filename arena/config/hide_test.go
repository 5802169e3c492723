package config

import (
	"strings"
	"testing"
)

func TestHideEnv(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"none", "game: toy # env\nengines:\n  - {name: a, options: {env: x}}\n", "game: toy # env\nengines:\n  - {name: a, options: {env: x}}\n"},
		{"flow", "engines:\n  - {name: a, env: {TOKEN: hunter2, B: '', N: 4}, fresh: true}\n", "engines:\n  - {name: a, env: {TOKEN: '(not kept)', B: '', N: '(not kept)'}, fresh: true}\n"},
		{"block", "- name: a\n  env:\n    TOKEN: hunter2 # mine\n    OTHER: 'it''s 2'\n    THIRD: \"a\\\"b\"\n", "- name: a\n  env:\n    TOKEN: '(not kept)' # mine\n    OTHER: '(not kept)'\n    THIRD: '(not kept)'\n"},
		{"wide letters before", "- {name: ärger→, env: {T: hunter2}}", "- {name: ärger→, env: {T: '(not kept)'}}\n"},
		{"from outside", "- {env: {T: \"${TOKEN}\", U: '${A}${B}', V: '${TOKEN:-hunter2}'}}", "- {env: {T: \"${TOKEN}\", U: '${A}${B}', V: '(not kept)'}}\n"},
		{"shared", "x: {env: &e {T: hunter2}}\ny: {env: *e}\nz: {env: {<<: *e}}\n", "x: {env: &e {T: '(not kept)'}}\ny: {env: *e}\nz: {env: {!!merge <<: *e}}\n"},
		{"by an anchor elsewhere", "x: &e {T: hunter2}\ny: {env: *e}\n", "x: &e {T: '(not kept)'}\ny: {env: *e}\n"},
		{"an anchored value", "y: {env: {T: &t hunter2}}\n", "y: {env: {T: &t '(not kept)'}}\n"},
		{"over lines", "env:\n  T: |\n    hunter2\n", "env:\n  T: '(not kept)'\n"},
		{"a loop", "env: &e {a: *e}\n", notRecorded},
		{"folded", "env:\n  T: hunter2\n    and more\n", "env:\n  T: '(not kept)'\n"},
	} {
		if got := hideEnv(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for word, want := range map[string]string{
		"rounds=7":                          "rounds=7",
		"engines.a.env.TOKEN=hunter2":       "engines.a.env.TOKEN='(not kept)'",
		"engines.a.env={TOKEN: hunter2}":    "engines.a.env='(not kept)'",
		"engines=[{env: {TOKEN: hunter2}}]": "engines=[{env: {TOKEN: '(not kept)'}}]",
		"engines=[{env: {TOKEN: hunter2]":   "engines='(not kept)'",
		"name=environment":                  "name=environment",
	} {
		if got := hideSet(word); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}

// No value is recorded, in any style of YAML.
func FuzzHideEnv(f *testing.F) {
	f.Add("engines:\n  - {name: a, env: {TOKEN: hunter2}}\n")
	f.Add("env:\n  T: \"hunter2\"\n  U: &a hunter2\nb: *a\n")
	f.Add("env: {? hunter2 : x, T: >-\n  hunter2\n}")
	f.Fuzz(func(t *testing.T, text string) {
		got := hideEnv(text)
		if strings.Count(got, "hunter2") > strings.Count(text, "hunter2") {
			t.Errorf("%q of %q", got, text)
		}
		if again := hideEnv(got); again != got && got != notRecorded {
			t.Errorf("%q is hidden once more as %q", got, again)
		}
	})
}
