package remote

import (
	"testing"

	"thera/arena"
)

// A worker plays the next pair while the games of the last one are being stored.
func TestAWorkerDoesNotWaitForReceipts(t *testing.T) {
	tb := newTable(t, 10)
	games := 0
	tb.worker("w", 1, func(*arena.Game) error {
		host := tb.playing()
		switch games++; games {
		case 1: // no games are verified
			for range cap(host.busy) {
				host.busy <- struct{}{}
			}
		case 3: // of the second pair
			for range cap(host.busy) {
				<-host.busy
			}
		}
		return nil
	})
	tb.same(0)
}

// BenchmarkPair is the whole way of a pair of games that take no time: offered, asked,
// answered, verified and stored.
func BenchmarkPair(b *testing.B) {
	tb := newTable(b, b.N)
	w, _ := tb.worker("w", 16, nil)
	if _, err := tb.run(b.Context(), 0); err != nil {
		b.Fatal(err)
	}
	s := w.Conn.(NATS).Stats()
	b.ReportMetric(float64(s.InBytes+s.OutBytes)/float64(b.N), "bytes/pair")
	b.ReportMetric(float64(s.InMsgs+s.OutMsgs)/float64(b.N), "messages/pair")
}
