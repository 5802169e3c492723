package remote

import (
	"context"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/session"
)

// Another plan has another key: nobody goes on with the old one.
func TestKey(t *testing.T) {
	plan := planOf(1)
	keyOf := func(home string, plan *arena.Plan, run int64) string { return termsOf(plan, home, run).Key }
	key := keyOf("here", plan, 1)
	if keyOf("here", planOf(1), 1) != key {
		t.Error("another key for the same run")
	}
	plan.Limit.Nodes++
	for _, other := range []string{keyOf("here", plan, 1), keyOf("there", planOf(1), 1), keyOf("here", planOf(1), 2)} {
		if other == key {
			t.Error("the same key for another run")
		}
	}
}

// Who is taken, and why others are not.
func TestHeard(t *testing.T) {
	playing := &member{hello: hello{Start: "s"}}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	run := &session.Run{Runner: &session.Runner{Last: interrupted}}
	for name, tt := range map[string]struct {
		is   standing
		says hello
		want string // "": it is not refused, and not taken
	}{
		"another version":   {standing{}, hello{Version: version - 1, Start: "s", Slots: 1}, "another version of thera"},
		"no slots":          {standing{}, hello{Version: version, Start: "s"}, "0 slots"},
		"a second start":    {standing{now: playing}, hello{Version: version, Start: "t", Slots: 1}, "another worker plays the run"},
		"it plays":          {standing{now: playing}, hello{Version: version, Start: "s", Slots: 1}, ""},
		"it has just left":  {standing{left: time.Now()}, hello{Version: version, Start: "s", Slots: 1}, ""},
		"expelled":          {standing{expelled: true, why: "expelled"}, hello{Version: version, Start: "s", Slots: 1}, "expelled"},
		"it could not play": {standing{why: "no engine", last: "s"}, hello{Version: version, Start: "s", Slots: 1}, "no engine"},
		"it is too late":    {standing{}, hello{Version: version, Start: "s", Slots: 1}, "the run was interrupted"},
		"it is not there":   {standing{}, hello{Version: version, Start: "s", Slots: 1, Gone: true}, ""},
	} {
		was := tt.is
		h := &Host{run: run, calm: time.Hour, workers: map[string]*standing{"w": &tt.is}}
		err := h.heard("w", &tt.says)
		if tt.is.now != was.now || (err != nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v", name, tt.is, err)
		}
	}
}
