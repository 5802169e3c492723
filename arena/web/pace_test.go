package web

import (
	"testing"
	"time"
)

// Updates take at most a fiftieth of the program's own time or a hundredth of a
// processor, and less of both with many listeners of the run that it plays.
func TestPace(t *testing.T) {
	begin := time.Unix(1000, 0)
	const ms = time.Millisecond
	for _, tt := range []struct {
		cost, waited, cpu time.Duration
		listeners         int
		stored, want      bool
	}{
		{0, 249 * ms, 0, 1, false, false},
		{0, 250 * ms, 0, 1, false, true},
		{4 * ms, 399 * ms, 199 * ms, 10, false, false},
		{4 * ms, 300 * ms, 200 * ms, 10, false, true},
		{4 * ms, 400 * ms, 0, 10, false, true},
		{4 * ms, 1599 * ms, 0, 20, false, false},
		{4 * ms, 1600 * ms, 0, 20, false, true},
		{4 * ms, 400 * ms, 0, 200, true, true},
		{4 * ms, 44 * time.Second, 199 * ms, 200, false, false},
		{4 * ms, 1000 * ms, 399 * ms, 200, false, false},
		{4 * ms, 1000 * ms, 400 * ms, 200, false, true},
		{4 * ms, 45 * time.Second, 0, 200, false, true},
		{time.Second, 45 * time.Second, 0, 1, true, true},
	} {
		p := pace{since: begin, cpu: time.Second, cost: tt.cost, listeners: tt.listeners, plays: !tt.stored}
		cpu := time.Second + tt.cpu
		if tt.cpu == 0 {
			cpu = 0 // unknown
		}
		if got := p.due(begin.Add(tt.waited), cpu); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
