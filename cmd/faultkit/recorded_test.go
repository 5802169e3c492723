//go:build unix

package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/faultkit"
	"thera/engine/gametest"
)

// What `thera check` finds on engines with the recorded manners is what the
// recordings show: both only end when told to quit, neither knows a limit
// of nodes (that of depth is kept by the arena, which watches the lines), v1 lists
// moves of finished games.
func TestCheckOfRecordedManners(t *testing.T) {
	gametest.Sequential(t)
	for kind, wrong := range map[string]map[string]string{
		"recorded-v1": {
			"ends at the end of its input":                "still runs",
			"ends at the end of its input while thinking": "still runs",
			"terminal positions":                          "moves after the end of the game",
		},
		"recorded-v2": {
			"ends at the end of its input":                "still runs",
			"ends at the end of its input while thinking": "still runs",
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			g := santorini(t)
			argv, env := faultkit.Command(kind)
			r, err := check.Run(context.Background(), check.Options{
				Game: g, Dialect: g.Dialects()[0], Positions: 20, Seed: 1,
				Spec:  arena.EngineSpec{Name: kind, Command: argv, Env: env},
				Limit: arena.Limit{Start: time.Minute, Sync: 2 * time.Second, Grace: time.Minute, MaxMove: time.Minute},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Features) != 0 {
				t.Errorf("features %v", r.Features)
			}
			for _, f := range r.Findings {
				t.Logf("%2d %-7s %s: %s", f.Number, f.Status, f.Name, f.Detail)
				want, fails := check.OK, false
				var text string
				if text, fails = wrong[f.Name]; fails {
					want = check.Failed
				} else if strings.HasPrefix(f.Name, "nodes:") {
					want = check.Skipped
				}
				if f.Status != want || !strings.Contains(f.Detail, text) {
					t.Errorf("%s: %s, %q; want %s, %q", f.Name, f.Status, f.Detail, want, text)
				}
			}
		})
	}
}
