package arena

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"thera/engine/game"
	"thera/engine/gametest"
)

// faulted is a game that uses every field.
func faulted() *Game {
	return &Game{
		Job: Job{
			ID: "0123456789abcdef", Pairing: [2]string{"new", "old"}, Round: 3, Pair: 7, Leg: 1, Index: 15, Start: 2, Seed: 1<<63 + 1, Opening: "op",
		},
		Started: time.UnixMilli(1_700_000_000_123), Status: StatusCounted, Start: "s/1", Roles: [2]string{"pan", "mortal"}, Moves: []string{"a1", "b<2>", "c3"},
		Plies: []Ply{
			{Seat: 1, Wall: 2 * time.Millisecond, CPU: time.Millisecond, Depth: 4, Nodes: 100, Score: -5, Scored: true},
			{Seat: 2, Wall: 3 * time.Millisecond, Nodes: 1 << 40},
			{Seat: 1, Wall: time.Millisecond, Depth: 7},
		},
		Outcome: game.Outcome{Winner: game.First, Reason: "timeout: used 9 ms", Points: [2]float64{1, 0.5}},
		Source:  Faulted, Fault: &game.Fault{Kind: game.FaultTimeout, Detail: "used 9 ms"}, Blamed: game.Second,
		Detail: "more\nlines", Warnings: []string{"late"}, Passed: 2, Idle: [2]time.Duration{7, 8},
		Tail: [2][]string{{"> x"}, {"< y"}}, Stderr: [2]string{"", "oops"}, Seconds: 1.5,
	}
}

func TestExportedGamesComeBack(t *testing.T) {
	plain := &Game{
		Job: Job{ID: "1", Pairing: [2]string{"a", "b"}}, Source: Natural, Status: StatusCounted, Outcome: game.Outcome{Reason: "repetition"}, Started: time.UnixMilli(1),
	}
	void, excluded := *plain, *plain
	void.Status, void.Attempt = StatusVoid, 2
	excluded.Status, excluded.Attempt = StatusExcluded, 1
	for _, rec := range []*Game{faulted(), plain, &void, &excluded} {
		text, err := json.Marshal(rec.Line("run"))
		gametest.OK(t, err)
		var line GameLine
		gametest.OK(t, json.Unmarshal(text, &line))
		got, err := line.Checked()
		gametest.OK(t, err)
		if diff := cmp.Diff(rec, got, cmpopts.EquateEmpty(), cmpopts.EquateApproxTime(0)); diff != "" {
			t.Errorf("%s\n%s", diff, text)
		}
	}
}

func TestGameLine(t *testing.T) {
	l := faulted().Line("trial")
	if l.First != "old" || l.Second != "new" || l.Outcome.Winner != 1 || l.Plies != 3 || l.Fault.Engine != "new" || l.Fault.Seat != 2 {
		t.Errorf("%+v", l)
	}
	if a, b := l.Sides[0], l.Sides[1]; a.Moves != 2 || a.Ms != 3 || a.CPUMs != 1 || *a.Depth != 5.5 || a.Nodes != 100 || b.Depth != nil {
		t.Errorf("%+v %+v", a, b)
	}
}

func TestBadExportedGamesAreRefused(t *testing.T) {
	for want, text := range map[string]string{
		"no id":                 `{}`,
		"an engine has no name": `{"id":"1","first":"a"}`,
		"leg 2":                 `{"id":"1","first":"a","second":"b","leg":2}`,
		"winner 3":              `{"id":"1","first":"a","second":"b","winner":3}`,
		`source "luck"`:         `{"id":"1","first":"a","second":"b","source":"luck"}`,
		"fault of seat 3":       `{"id":"1","first":"a","second":"b","source":"fault","fault":{"seat":3}}`,
		`status "x"`:            `{"id":"1","first":"a","second":"b","source":"natural","status":"x"}`,
	} {
		var line GameLine
		gametest.OK(t, json.Unmarshal([]byte(text), &line))
		if _, err := line.Checked(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: err = %v, want %s", text, err, want)
		}
	}
}
