package report

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
	"thera/engine/gametest"
)

// story sends the events of a short run: 12 games, one of them lost by a
// fault, with a game every 50 ms and progress every second.
func story(sprt bool) []arena.Event {
	begin := time.UnixMilli(1_700_000_000_000)
	at := func(ms int, e arena.Event) arena.Event {
		e.Run, e.Total, e.Kept = "quickstart.yaml", 400, 2
		e.Elapsed = time.Duration(ms) * time.Millisecond
		e.Time = begin.Add(e.Elapsed)
		e.Moves = int64(ms / 2)
		if e.Kind == arena.Progressed || e.Kind == arena.RunFinished {
			e.Summary = soFar(e.Played)
			if left := 120.0; sprt {
				e.Summary.Test = &arena.TestState{Lower: -2.94, Upper: 2.94, LLR: 0.5, Decision: "continue", Pairs: 6, GamesLeft: &left}
			}
		}
		return e
	}
	events := []arena.Event{at(0, arena.Event{Kind: arena.RunStarted, Played: 2}), at(0, arena.Event{Kind: arena.Warned, Text: "4 threads on 2 cores\x07"})}
	for i := range 12 {
		rec := &arena.Game{
			Job:     arena.Job{ID: strings.Repeat(string(rune('a'+i)), 20), Pairing: [2]string{"new", "old"}, Pair: i / 2, Leg: i % 2},
			Moves:   []string{"x", "y", "z"},
			Outcome: game.Outcome{Winner: game.Seat(i % 3), Reason: "reached level 3"}, Source: arena.Natural,
		}
		if i == 7 {
			rec.Source, rec.Blamed, rec.Outcome = arena.Faulted, game.First, game.Outcome{Winner: game.Second, Reason: "crashed: signal 11"}
			rec.Fault = &game.Fault{Kind: game.FaultCrashed, Detail: "signal 11"}
		}
		ms := 1000 * (i + 1)
		if i < 6 {
			ms = 50 * (i + 1) // a quick start: not each game has its line
		}
		events = append(events,
			at(ms, arena.Event{Kind: arena.GameStarted, Job: &rec.Job, Played: 2 + i}),
			at(ms, arena.Event{Kind: arena.GameFinished, Job: &rec.Job, Record: rec, Played: 3 + i}),
			at(ms, arena.Event{Kind: arena.Progressed, Played: 3 + i}))
	}
	return append(events, at(12500, arena.Event{Kind: arena.RunFinished, Played: 14, Text: "interrupted"}))
}

// soFar returns the summary after n games, two of which were played before the
// run was resumed.
func soFar(played int) *arena.Summary {
	games := [3]int{1, 1, 0}
	for i := range played - 2 {
		games[(i+1)%3]++
	}
	sum := &arena.Summary{
		Run:     arena.RunInfo{Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "new"}, {Name: "old"}}}, Name: "quickstart.yaml", Game: "g"},
		Rows:    []arena.Row{row("new", "old", 0, "", "", games, [5]int{})},
		Counted: played,
	}
	tournament.Rate(sum)
	return sum
}

func TestPlainLines(t *testing.T) {
	for name, sprt := range map[string]bool{"plain.txt": false, "plain-sprt.txt": true} {
		var b bytes.Buffer
		l := NewLive(&b, Again{Show: "thera replay"})
		for _, e := range story(sprt) {
			l.Event(e)
		}
		gametest.OK(t, l.Close())
		golden(t, name, b.Bytes())
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("pipe is gone") }

func TestABrokenPipeIsToldAtTheEnd(t *testing.T) {
	l := NewLive(failing{}, Again{Show: "thera replay"})
	for _, e := range story(false) {
		l.Event(e)
	}
	if err := l.Close(); err == nil || err.Error() != "pipe is gone" {
		t.Errorf("err = %v", err)
	}
}

func TestTimeLeft(t *testing.T) {
	for _, tt := range []struct {
		event arena.Event
		want  string
	}{
		{arena.Event{Played: 10, Total: 110, Elapsed: 10 * time.Second}, "10/110 games, 1.0 games/s, 1m40s left"},
		{arena.Event{Played: 10, Elapsed: 10 * time.Second, Moves: 5000}, "10 games, 1.0 games/s, 500 moves/s"},
		{arena.Event{Played: 10, Kept: 10, Total: 20, Elapsed: time.Second}, "10/20 games"},
		{arena.Event{Played: 4, Total: 10000, Elapsed: time.Second}, "4/10000 games, 4.0 games/s, 41m39s left"},
		{arena.Event{Played: 1, Total: 100_000, Elapsed: time.Minute}, "1/100000 games, 1.0 games/min, 1666h39m0s left"},
		{arena.Event{Played: 10, Total: 20, Elapsed: 10 * time.Second, Workers: 2, Slots: 9}, "10/20 games, 1.0 games/s, 2 workers, 9 slots, 10s left"},
		{arena.Event{}, "0 games"},
	} {
		if got := Progress(tt.event); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
