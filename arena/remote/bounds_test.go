package remote

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

func TestCut(t *testing.T) {
	for text, want := range map[string]string{"hello": "hello", "he": "he", "hello!": "he…", "äöüä": "ä…"} {
		if got := cut(text, 5); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
}

// Whatever is in a record, what is stored of it is bounded.
func TestTrim(t *testing.T) {
	gametest.Sequential(t)
	rec, long := filled(t), strings.Repeat("ö0123456789", mostSaid/20)
	rec.Plies[0].Said = &game.Details{PV: long}
	rec.Plies[0].Depth, rec.Plies[0].Nodes, rec.Plies[0].Score = math.MaxInt, math.MaxInt64, math.MinInt
	rec.Fault.Detail, rec.Outcome.Reason = long, long
	data, err := Pack([]*arena.Game{rec}, mostMessage)
	if err != nil {
		t.Fatal(err)
	}
	games, err := unpack(data)
	if err != nil {
		t.Fatal(err)
	}
	got := games[0]
	trim(got)
	if text, err := json.Marshal(got); err != nil || len(text) > 3*mostReason {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if p := got.Plies[0]; p.Depth > mostDepth || p.Nodes > mostNodes || p.Score < -math.MaxInt32 || p.Said != nil {
		t.Errorf("%+v", p)
	}
	rec = filled(t)
	rec.Warnings = []string{long}
	data, err = Pack([]*arena.Game{rec}, 1000)
	if games, failed := unpack(data); err != nil || failed != nil || !strings.Contains(games[0].Warnings[0], "what the engines said is left out: its pair has ") {
		t.Errorf("%v, %v", err, failed)
	}
}
