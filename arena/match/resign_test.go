//go:build unix

package match

import (
	"testing"

	"thera/arena"
	"thera/engine/gametest/nim"
)

// An engine that gives up loses by its own will: no fault, nobody blamed.
func TestResigned(t *testing.T) {
	p := plan(nim.New(21), "resign:2")
	for i, rec := range games(t, p, 2, Options{}) {
		if rec.Source != arena.Natural || rec.Fault != nil || rec.Outcome.Reason != "resigned" ||
			rec.Engine(rec.Outcome.Winner) == "bad" {
			t.Errorf("game %d: %s %+v %v", i, rec.Source, rec.Outcome, rec.Fault)
		}
		if asked := len(rec.Plies); asked != len(rec.Moves)+1 {
			t.Errorf("game %d: %d asked, %d moves", i, asked, len(rec.Moves))
		}
	}
}
