package remote

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
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

// Machines whose messages have another version are refused on both sides, in words, and
// the run goes on without them.
func TestOtherVersions(t *testing.T) {
	tb := newTable(t, 5)
	nc := dial(t, "nats://"+tb.server.Address(), "other")
	said := make(chan string, 10)
	w := &Worker{Conn: nc, Name: "other", Slots: 1, Say: func(text string) { said <- text }, Prepare: func(*arena.RunInfo, []arena.EngineSpec, Fetch) (*Prepared, error) {
		return nil, errors.New("this one plays nothing")
	}}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	for heard := ""; !strings.Contains(heard, "newer: is played by another version of thera"); {
		if err := nc.Publish(runsSubject, encode(notice{Version: version + 1, Key: "k", Name: "newer"})); err != nil {
			t.Fatal(err)
		}
		select { // it may not listen yet
		case heard = <-said:
		case <-time.After(20 * time.Millisecond):
		}
	}
	cancel()
	all.Wait()
	var once sync.Once
	tb.worker("w", 1, func(*arena.Game) error {
		once.Do(func() {
			told, err := nc.SubscribeSync(callSubject("older", "s", "part"))
			if err != nil {
				t.Error(err)
				return
			}
			if err := nc.Publish(helloSubject("older"), encode(hello{Version: version - 1, Start: "s", Slots: 1})); err != nil {
				t.Error(err)
			}
			msg, err := told.NextMsg(time.Minute)
			if err != nil || !strings.Contains(string(msg.Data), "the run is played by another version of thera") {
				t.Errorf("%v, %v", msg, err)
			}
		})
		return nil
	})
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(local(t, 5), tb.store.Games()); diff != "" {
		t.Error(diff)
	}
}
