package remote

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/session"
	"thera/engine/game"
	"thera/engine/gametest"
)

// filled is a game that a worker sends.
func filled() *arena.Game {
	return &arena.Game{
		Job: arena.Job{ID: "x", Pairing: [2]string{"a", "b"}}, Start: "21 1", Source: arena.Faulted, Status: arena.StatusCounted,
		Moves: []string{"1"}, Seconds: 1.5, Started: time.Unix(7, 0).UTC(),
		Plies: []arena.Ply{{Seat: game.First, Wall: 4, CPU: 5, Depth: 6, Nodes: 7, Score: 8, Scored: true, Said: &game.Details{PV: "1 2"}}},
		Idle:  [2]time.Duration{1, 2}, Passed: 3, Warnings: []string{"word"}, Tail: [2][]string{{"> go"}, {"< 1"}},
		Fault: &game.Fault{Kind: game.FaultExited, Detail: "3"}, Blamed: game.Second, Detail: "used 3 ms\nallowed 2 ms", Stderr: [2]string{"", "line 1\nline 2\n"},
		Outcome: game.Outcome{Winner: game.First, Reason: "exited: 3"},
	}
}

// Games come as they were sent, and what an honest worker sends is kept as it is.
func TestPack(t *testing.T) {
	want := []*arena.Game{filled(), {
		Job: arena.Job{ID: "b", Pairing: [2]string{"a", "b"}}, Moves: []string{}, Plies: []arena.Ply{}, Source: arena.Natural,
		Status: arena.StatusCounted, Started: time.Unix(7, 0).UTC(),
	}}
	data, err := pack(want, mostMessage)
	gametest.OK(t, err)
	got, err := unpack(data)
	gametest.OK(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if err := bound(got[0]); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want[0], got[0]); diff != "" {
		t.Error(diff)
	}
}

// Whatever is in a record, what is stored of it is bounded.
func TestBound(t *testing.T) {
	gametest.Sequential(t)
	rec, long := filled(), strings.Repeat("ö0123456789", mostGames/20)
	rec.Plies[0].Said = &game.Details{PV: long}
	rec.Plies[0].Depth, rec.Plies[0].Nodes, rec.Plies[0].Score, rec.Plies[0].Wall = math.MaxInt, math.MaxInt64, math.MinInt, math.MaxInt64
	rec.Fault.Detail, rec.Outcome.Reason = long, long
	if _, err := pack([]*arena.Game{rec}, mostMessage); err == nil {
		t.Error("a reason of megabytes is sent")
	}
	if err := bound(rec); err != nil {
		t.Error(err)
	}
	if err := bound(&arena.Game{Moves: []string{"2\n"}}); err == nil || !strings.Contains(err.Error(), "not a line of text") {
		t.Error(err)
	}
	rec.Job = filled().Job
	data, err := pack([]*arena.Game{rec}, 20_000)
	games, failed := unpack(data)
	if err != nil || failed != nil || !strings.Contains(games[0].Warnings[0], "what the engines said is left out: the pair has ") {
		t.Fatal(err, failed)
	}
	if p := games[0].Plies[0]; p.Depth > mostFigure || p.Nodes > mostNodes || p.Score < -mostFigure || p.Wall > mostFigure*time.Second || p.Said != nil {
		t.Errorf("%+v", p)
	}
}

func TestUnpackRefuses(t *testing.T) {
	gametest.Sequential(t)
	whole, err := pack([]*arena.Game{filled()}, mostMessage)
	gametest.OK(t, err)
	for n := range whole { // each part of it is torn
		if games, err := unpack(whole[:n]); err == nil {
			t.Errorf("%d bytes of %d: %+v", n, len(whole), games)
		}
	}
	for _, text := range []string{"[{", "[]", "[{},{},{}]", "[{}]", strings.Repeat(" ", mostGames+10)} {
		if games, err := unpack([]byte(text)); err == nil {
			t.Errorf("%.20q: %+v", text, games)
		}
	}
}

// What names much in few bytes are refused before it is made.
func TestHoleUnpackedBombs(t *testing.T) {
	gametest.Sequential(t)
	for _, of := range []string{`"asked":[%s{}]`, `"moves":[%s""]`, `"warnings":[%s""]`, `"tail":[[%s""]]`} {
		begin, end, _ := strings.Cut(`[{"id":"x",`+of+`}]`, "%s")
		value := end[:2] + ","
		packed := []byte(begin + strings.Repeat(value, (mostGames-100)/len(value)) + end)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := unpack(packed)
		runtime.ReadMemStats(&after)
		if made := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || !strings.Contains(err.Error(), "too many values") || made > 200 {
			t.Errorf("%s: %v after %d MiB", of, err, made)
		}
	}
}

// Only the games that were asked are taken, in their order.
func TestAsked(t *testing.T) {
	both := []arena.Job{{ID: "x"}, {ID: "y"}}
	h := &Host{run: &session.Run{Runner: &session.Runner{Plan: planOf(1)}}, busy: make(chan struct{}, 1)}
	for name, tt := range map[string]struct {
		jobs  []arena.Job
		games string // identities; a capital letter is one that stalled
		want  string // identities, or the error
	}{
		"both":                   {both, "xy", "xy"},
		"one":                    {both[1:], "y", "y"},
		"one of both":            {both[1:], "xy", "y"},
		"the first of both":      {both[:1], "xy", "x"},
		"up to one that stalled": {both, "X", "x"},
		"another one":            {both, "xz", `game y was asked`},
		"twice":                  {both, "xx", `game y was asked`},
		"too few":                {both, "x", `game y was asked`},
	} {
		var games []*arena.Game
		for _, id := range tt.games {
			g := filled()
			if g.ID = strings.ToLower(string(id)); g.ID != string(id) {
				g.Source = arena.Stalled
			}
			games = append(games, g)
		}
		answer, err := pack(games, mostMessage)
		gametest.OK(t, err)
		games, err = h.verify(&member{standing: &standing{}}, &session.Pair{Jobs: tt.jobs, Audit: func(string, []*arena.Game) {}}, answer)
		got := ""
		for _, g := range games {
			got += g.ID
		}
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
