package config

import "testing"

func TestHideEnv(t *testing.T) {
	for word, want := range map[string]string{
		"rounds=7":                          "rounds=7",
		"engines.a.env.TOKEN=hunter2":       "engines.a.env.TOKEN='(not kept)'",
		"engines[0].env={TOKEN: hunter2}":   "engines[0].env='(not kept)'",
		"engines=[{env: {TOKEN: hunter2}}]": "engines='(not kept)'",
		"name=x":                            "name=x",
	} {
		if got := hideEnv(word); got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
