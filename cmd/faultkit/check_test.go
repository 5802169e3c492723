//go:build unix

package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/faultkit"
)

// thera check names every kind of illegal state at the first move.
func TestCheckNamesIllegalStates(t *testing.T) {
	g := santorini(t)
	for _, kind := range illegalKinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			want := "illegal move"
			if kind == "illegal-overlap" { // no position at all
				want = "protocol"
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			argv, env := faultkit.Command(kind)
			var first *check.Finding
			_, err := check.Run(ctx, check.Options{
				Game: g, Dialect: g.Dialects()[0], Positions: 5, Seed: 1,
				Spec:  arena.EngineSpec{Name: kind, Command: argv, Env: env},
				Limit: arena.Limit{Start: time.Minute, Sync: time.Minute, Grace: time.Minute, MaxMove: time.Minute},
				Each: func(f check.Finding) {
					if f.Status == check.Failed && first == nil {
						first = &f
						cancel()
					}
				},
			})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if first == nil || first.Name != "a legal move" || !strings.Contains(first.Detail, want) {
				t.Errorf("found %+v, want %s at a legal move", first, want)
			}
		})
	}
}
