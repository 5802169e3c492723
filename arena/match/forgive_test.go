//go:build unix

package match

import (
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest/nim"
)

// In a game that forgives, a late, unreadable or illegal move is replaced, a
// crash is made good once, and a second one loses.
func TestForgiving(t *testing.T) {
	for _, tt := range []struct {
		fault   string
		warning string
		kind    game.FaultKind // "" where the game goes on to its end
	}{
		{"overdue:3", "moves late or unreadable, replaced", ""},
		{"garbage:3", "moves late or unreadable, replaced", ""},
		{"illegal:3", "moves late or unreadable, replaced", ""},
		{"exit3:7", "restarted at ply 7 after exited: 3", ""},
		{"segv:7", "restarted at ply 7 after crashed", ""},
		{"exit3:2", "restarted at ply 2 after exited: 3", game.FaultExited},
		{"closedout:3", "restarted", game.FaultClosedOut},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			p := plan(nim.NewBoth(40, 0), tt.fault)
			p.Engines[1].Fresh = true
			if tt.fault == "overdue:3" {
				p.Limit.Move, p.Limit.Grace = 60*time.Millisecond, 40*time.Millisecond
			}
			for i, rec := range games(t, p, 2, Options{}) {
				if !strings.Contains(strings.Join(rec.Warnings, "\n"), tt.warning) {
					t.Errorf("warnings %q, want %q", rec.Warnings, tt.warning)
				}
				checkVerdict(t, i, rec, tt.kind, "")
			}
		})
	}
}

// A late move is never booked on a later turn, replacements have an end, and where both fail
// in the same turn nobody wins.
func TestForgivenNoLonger(t *testing.T) {
	p := plan(nim.NewBoth(20, 0), "overdue")
	p.Limit.Move, p.Limit.Grace = 60*time.Millisecond, 40*time.Millisecond
	rec := games(t, p, 1, Options{})[0]
	for i, turn := range rec.Moves {
		if bad := strings.Split(turn, "/")[rec.Seat(1).Index()]; bad != "1" {
			t.Errorf("turn %d: the late engine played %s, not the replacement", i+1, bad)
		}
	}
	rec = games(t, plan(nim.NewBoth(40, 2), "garbage:2"), 1, Options{})[0]
	if checkVerdict(t, 0, rec, game.FaultProtocol, ""); len(rec.Moves) != 3 {
		t.Errorf("a loss after %d moves, want 3", len(rec.Moves))
	}
	p = plan(nim.NewBoth(40, 1), "garbage")
	p.Engines[0].Env = p.Engines[1].Env
	if rec := games(t, p, 1, Options{})[0]; rec.Source != arena.Faulted || rec.Outcome.Winner == game.First {
		t.Errorf("%s %+v\n%s", rec.Source, rec.Outcome, rec.Detail)
	}
}

// TestBothAreAskedFirst: no answer is waited for before both are asked.
func TestBothAreAskedFirst(t *testing.T) {
	var mu sync.Mutex
	talk := ""
	recs := games(t, plan(nim.NewBoth(40, 0), "sleep=5"), 1, Options{Trace: func(_ string, dir byte, line []byte) {
		if word, _, _ := strings.Cut(string(line), " "); word == "go" || word == "move" {
			mu.Lock()
			defer mu.Unlock()
			talk += string(dir)
		}
	}})
	if want := strings.Repeat(">><<", len(recs[0].Moves)); talk != want {
		t.Errorf("questions and answers went %s, want %s", talk, want)
	}
}
