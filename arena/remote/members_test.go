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
	server, err := Serve("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	nc, said := dial(t, "nats://"+server.Address(), "other"), ""
	w := &Worker{Conn: nc, told: map[string]string{}, Say: func(text string) { said = text }}
	w.notice(&nats.Msg{Data: encode(notice{Version: version + 1, Key: "k", Name: "newer"})})
	if !strings.Contains(said, "newer: is played by another version of thera") {
		t.Error(said)
	}
	told, err := nc.SubscribeSync(callSubject("older", "s", "part"))
	if err != nil {
		t.Fatal(err)
	}
	h := &Host{Conn: nc, Plan: planOf(1)}
	h.hello(&nats.Msg{Subject: helloSubject("older"), Data: encode(hello{Version: version - 1, Start: "s", Slots: 1})})
	msg, err := told.NextMsg(time.Minute)
	if err != nil || !strings.Contains(string(msg.Data), "the run is played by another version of thera") {
		t.Errorf("%v, %v", msg, err)
	}
}
