package store

import (
	"errors"
	"os"
	"strings"
	"testing"

	"thera/arena"
)

// A password in an engine's environment is not in the database, but a changed
// one is detected. Older databases that contain values can be read, and lose
// them.
func TestEnvironmentIsNotKept(t *testing.T) {
	s := openTest(t)
	plan := planOf("a")
	plan.Engines[0].Env = []string{"A=1", "TOKEN=hunter2"}
	run := beginTest(t, s, plan)
	_, engines, _, err := s.Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	env := engines[0].Env
	if len(env) != 2 || !strings.HasPrefix(env[0], "A=sha256:") || !strings.HasPrefix(env[1], "TOKEN=sha256:") || env[0][2:] == env[1][6:] {
		t.Errorf("kept %q", env)
	}
	if err := s.Close(); err != nil { // everything is in the one file then
		t.Fatal(err)
	}
	raw, err := os.ReadFile(s.Path())
	if err != nil || strings.Contains(string(raw), "hunter2") || !strings.Contains(string(raw), "TOKEN=") {
		t.Errorf("the database holds the value, or not the name (%v)", err)
	}
	if again := arena.SealEnv(env); again[1] != env[1] {
		t.Errorf("%q is hashed once more: %q", env[1], again[1])
	}
	conditions := func(value string) arena.Conditions {
		return (arena.Settings{}).Conditions("pebbles", []arena.EngineSpec{{Name: "a", Env: []string{"TOKEN=" + value}}})
	}
	for _, tt := range []struct {
		was, is string
		same    bool
	}{
		{"hunter2", "hunter2", true},
		{strings.TrimPrefix(env[1], "TOKEN="), "hunter2", true},
		{strings.TrimPrefix(env[1], "TOKEN="), "hunter3", false},
		{"hunter2", "hunter3", false},
	} {
		d := conditions(tt.was).Differences(conditions(tt.is))
		if (len(d) == 0) != tt.same || strings.Contains(strings.Join(d, ""), "hunter") {
			t.Errorf("was %s, is %s: %q", tt.was, tt.is, d)
		}
	}
}

func TestChangedEnvironmentIsRefused(t *testing.T) {
	s := openTest(t)
	plan := planOf("a", "b")
	plan.Engines[0].Env = []string{"TOKEN=hunter2"}
	run := beginTest(t, s, plan)
	if err := s.Put(t.Context(), run, newDraw(1).game([2]string{"a", "b"}, 0, 0, 0, 3)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Begin(t.Context(), plan); err != nil {
		t.Errorf("the same environment: %v", err)
	}
	plan.Engines[0].Env = []string{"TOKEN=hunter3"}
	_, _, err := s.Begin(t.Context(), plan)
	var changed *ChangedError
	if !errors.As(err, &changed) || !strings.Contains(err.Error(), "TOKEN=sha256:") || strings.Contains(err.Error(), "hunter") {
		t.Errorf("err = %v", err)
	}
}
