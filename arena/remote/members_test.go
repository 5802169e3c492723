package remote

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// Another plan has another key: nobody goes on with the old one.
func TestKey(t *testing.T) {
	plan := planOf(1)
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

// Machines whose messages have another version are refused on both sides, in words.
func TestOtherVersions(t *testing.T) {
	said := ""
	w := &Worker{shown: map[string]string{}, Say: func(text string) { said = text }}
	w.notice(&nats.Msg{Data: encode(notice{Version: version + 1, Key: "k", Name: "newer"})})
	if !strings.Contains(said, "newer: is played by another version of thera") {
		t.Error(said)
	}
	h := &Host{Plan: planOf(1)}
	if err := h.heard("older", &hello{Version: version - 1, Start: "s", Slots: 1}); err == nil || !strings.Contains(err.Error(), "the run is played by another version of thera") {
		t.Error(err)
	}
}

// A worker that comes and goes is taken again after a while: each time is a remark. A second start of its name is not.
func TestComingAndGoing(t *testing.T) {
	h := &Host{Plan: planOf(1), calm: time.Hour, members: map[string]*member{
		"went": {hello: hello{Start: "s"}, standing: &standing{}, left: time.Now()}, "here": {hello: hello{Start: "s"}, standing: &standing{}, playing: true},
	}}
	for name, refused := range map[string]bool{"went": false, "here": true} {
		err := h.heard(name, &hello{Version: version, Start: "t", Slots: 1})
		if m := h.members[name]; m.Start != "s" || (err != nil) != refused {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
}
