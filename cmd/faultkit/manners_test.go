//go:build unix

package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/faultkit"
	"thera/engine/gametest"
	"thera/engine/hex"
)

// What `thera check` finds on engines with the recorded manners is what the
// recordings show.
func TestCheckOfRecordedManners(t *testing.T) {
	gametest.Sequential(t)
	if testing.Short() {
		t.Skip("engines that are deaf to their end take seconds, and the race detector sees none of them")
	}
	const stays = "still runs"
	deafToEnd := map[string]string{"ends at the end of its input": stays}
	for kind, tt := range map[string]struct {
		game, protocol string
		rules          any
		limit          arena.Limit
		dialect        map[string]string
		wrong          map[string]string
		skipped        []string // beginnings of the points that do not apply
	}{
		// It ignores all words after go.
		"recorded-mill": {
			game: "mill", protocol: "mill uci",
			skipped: []string{"nodes:", "depth:", "ready while"},
		},
		// Its search dies of a stop that comes too early: min_move is for it.
		"recorded-gyges": {
			game: "gyges", protocol: "ugi", limit: arena.Limit{Depth: 1}, dialect: map[string]string{"min_move": "2s"},
			skipped: []string{"nodes:"}, wrong: deafToEnd,
		},
		// It has no limits, and swaps: the match must allow that.
		"recorded-hex": {game: "hex", protocol: "v2", rules: &hex.Rules{Size: 5, Swap: true}, skipped: []string{
			"nodes:", "depth:", "ready while",
		}},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			g := gameOf(t, tt.game)
			if tt.rules != nil {
				bound, problems := g.With(tt.rules, nil)
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				g = bound
			}
			argv, env := faultkit.Command(kind)
			spec := arena.EngineSpec{Name: kind, Command: argv, Env: env}
			if err := check.Dials(context.Background(), check.Options{Game: g, Dialect: g.Dialects()[0], Spec: spec, Seed: 1}); err != nil {
				t.Errorf("it is not recognized: %v", err)
			}
			spec.Dialect = tt.dialect
			limit := tt.limit
			limit.Start, limit.Sync, limit.Grace, limit.MaxMove = time.Minute, time.Minute, time.Minute, time.Minute
			r, err := check.Run(context.Background(), check.Options{
				Game: g, Dialect: g.Dialects()[0], Positions: 20, Seed: 1,
				Spec: spec, Limit: limit, Exit: 2 * time.Second,
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.Protocol != tt.protocol {
				t.Errorf("protocol %q, want %q", r.Protocol, tt.protocol)
			}
			for _, f := range r.Findings {
				t.Logf("%2d %-7s %s: %s", f.Number, f.Status, f.Name, f.Detail)
				text, fails := tt.wrong[f.Name]
				skips := slices.ContainsFunc(tt.skipped, func(s string) bool { return strings.HasPrefix(f.Name, s) })
				want := check.OK
				switch {
				case skips && f.Status == check.Skipped, strings.Contains(f.Detail, "no list of moves"):
					want, text = check.Skipped, ""
				case fails:
					want = check.Failed
				}
				if f.Status != want || !strings.Contains(f.Detail, text) {
					t.Errorf("%s: %s, %q; want %s, %q", f.Name, f.Status, f.Detail, want, text)
				}
			}
		})
	}
}
