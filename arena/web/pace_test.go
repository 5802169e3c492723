package web

import (
	"testing"
	"time"
)

// Updates take at most a twenty-fifth of the program's own time or a hundredth of a
// processor, and much less with many listeners.
func TestPace(t *testing.T) {
	begin := time.Unix(1000, 0)
	const ms = time.Millisecond
	for _, tt := range []struct {
		cost, waited, cpu time.Duration
		many, want        bool
	}{
		{0, 249 * ms, 0, false, false},
		{0, 250 * ms, 0, false, true},
		{4 * ms, 399 * ms, 99 * ms, false, false},
		{4 * ms, 300 * ms, 100 * ms, false, true},
		{4 * ms, 400 * ms, 0, false, true},
		{10 * ms, 11900 * ms, 799 * ms, true, false},
		{10 * ms, 1000 * ms, 800 * ms, true, true},
		{10 * ms, 12000 * ms, 0, true, true},
		{time.Second, 15 * time.Second, 0, true, true},
	} {
		p := pace{since: begin, cpu: time.Second, cost: tt.cost, many: tt.many}
		cpu := time.Second + tt.cpu
		if tt.cpu == 0 {
			cpu = 0 // unknown
		}
		if got := p.due(begin.Add(tt.waited), cpu); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
