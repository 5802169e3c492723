//go:build linux || darwin

package store

import (
	"strings"
	"testing"

	"thera/engine/gametest"
)

// Only one can play a run, of this process or of another. Other runs of the database are free.
// A run that nobody plays is shown as interrupted.
func TestHold(t *testing.T) {
	s := openTest(t)
	other := openAt(t, s.Path())
	beginTest(t, s, planOf("a", "b"))
	state := func(want string) {
		t.Helper()
		if run, err := s.Find(t.Context(), "trial"); err != nil || run.State != want {
			t.Errorf("the run is %s, want %s (%v)", run.State, want, err)
		}
	}
	state("interrupted")
	release, err := other.Hold("trial")
	gametest.OK(t, err)
	for _, one := range []*Store{s, other} {
		if _, err := one.Hold("trial"); err == nil || !strings.Contains(err.Error(), "run trial is being played by another program") {
			t.Errorf("err = %v", err)
		}
	}
	state("running")
	another, err := s.Hold("another")
	gametest.OK(t, err)
	gametest.OK(t, another())
	state("running")
	gametest.OK(t, release())
	state("interrupted")
	gametest.OK(t, s.Note(t.Context(), 1, "finished", ""))
	state("finished")
}
