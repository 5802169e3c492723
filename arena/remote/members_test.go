package remote

import (
	"strings"
	"sync"
	"testing"
	"time"

	"thera/arena"
)

// A worker that still plays is not sent the plan each time, and another plan has another
// key: nobody goes on with the old one.
func TestJoinedWorkers(t *testing.T) {
	tb := newTable(t, 1)
	var host *Host
	tb.change = func(h *Host) { host = h }
	joined, asked := make(chan struct{}), make(chan struct{})
	var w *Worker
	once := sync.Once{}
	w, _ = tb.worker("w", 1, func(*arena.Record) error {
		once.Do(func() { close(joined) })
		<-asked
		return nil
	})
	got := map[bool]string{}
	go func() {
		defer close(asked)
		<-joined
		for _, has := range []bool{false, true} {
			h := hello{Version: version, Worker: "w", Session: w.session, Slots: 1, Joined: has}
			msg, err := w.Conn.Request(subject(host.key, "join", "w"), encode(h), time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			got[has] = string(msg.Data)
		}
	}()
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got[false], `"plan":{`) || got[true] != `{"wait":60000000000}` {
		t.Errorf("answers: %v", got)
	}
	if other := planOf(1); keyOf("here", other, 1) != host.key {
		t.Error("another key for the same run")
	} else if other.Limit.Nodes++; keyOf("here", other, 1) == host.key {
		t.Error("the same key for another plan")
	}
}
