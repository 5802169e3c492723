package remote

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
)

// A worker plays the next lease while the games of the last one are being stored.
func TestAWorkerDoesNotWaitForReceipts(t *testing.T) {
	want := local(t, 10)
	tb := newTable(t, 10)
	var host *Host
	tb.change = func(h *Host) { host = h }
	games := 0
	tb.worker("w", 1, func(*arena.Record) error {
		switch games++; games {
		case 1: // no games are verified
			for range mostVerified {
				host.busy <- struct{}{}
			}
		case 3: // of the second lease
			for range mostVerified {
				<-host.busy
			}
		}
		return nil
	})
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, tb.store.Games()); diff != "" {
		t.Error(diff)
	}
}

// A worker that asks for leases says which it has: it is heard, and others go back.
func TestAskingIsBeingHeard(t *testing.T) {
	tb := newTable(t, 3)
	var host *Host
	tb.change = func(h *Host) { host = h }
	playing, asked := make(chan struct{}), make(chan struct{})
	once := sync.Once{}
	w, _ := tb.worker("w", 1, func(*arena.Record) error {
		once.Do(func() { close(playing) })
		<-asked
		return nil
	})
	go func() {
		defer close(asked)
		<-playing
		host.mu.Lock()
		m := host.members["w"]
		m.seen = m.seen.Add(-silence / 2)
		host.mu.Unlock()
		host.dealer.mu.Lock()
		for _, l := range host.dealer.leases[m] {
			l.since = l.since.Add(-time.Minute)
		}
		host.dealer.mu.Unlock()
		msg, err := w.Conn.Request(subject(host.key, "take", "w"), encode(wanted{Session: w.session, Wait: time.Minute, Joined: true}), time.Minute)
		var d deal
		if err != nil || json.Unmarshal(msg.Data, &d) != nil || d.Lease == nil {
			t.Errorf("%v, %v", msg, err)
			return
		}
		if name := holder(host, "0.0"); name != "" && leaseName(*d.Lease) != "0.0" { // it may be the next one
			t.Errorf("lease 0.0, which it says that it does not have, is held by %q", name)
		}
		if host.mu.Lock(); time.Since(m.seen) > silence/2 {
			t.Error("it is not heard")
		}
		host.mu.Unlock()
		if err := w.Conn.Publish(subject(host.key, "back", "w"), encode(back{w.session, leaseName(*d.Lease)})); err != nil {
			t.Error(err)
		}
	}()
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(local(t, 3), tb.store.Games()); diff != "" || strings.Contains(tb.said(), "silent") {
		t.Errorf("%s%s", tb.said(), diff)
	}
}

// BenchmarkLease is the whole way of a lease of two games that take no time: offered,
// taken, handed in, verified and stored.
func BenchmarkLease(b *testing.B) {
	tb := newTable(b, b.N)
	w, _ := tb.worker("w", 16, nil)
	if _, err := tb.run(b.Context(), 0); err != nil {
		b.Fatal(err)
	}
	s := w.Conn.Stats()
	b.ReportMetric(float64(s.InBytes+s.OutBytes)/float64(b.N), "bytes/lease")
	b.ReportMetric(float64(s.InMsgs+s.OutMsgs)/float64(b.N), "messages/lease")
}
