package web

import (
	"testing"
	"time"
)

// Updates take at most a hundredth of a processor, and less with many listeners of the
// run that this program plays.
func TestPause(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		took      time.Duration
		listeners int
		stored    bool
		want      time.Duration
	}{
		{0, 1, false, fastest},
		{4 * ms, 0, false, 400 * ms},
		{4 * ms, 10, false, 425 * ms},
		{4 * ms, 20, false, 1800 * ms},
		{4 * ms, 200, true, 900 * ms},
		{4 * ms, 200, false, slowest},
		{time.Second, 1, true, slowest},
	} {
		if got := pause(tt.took, tt.listeners, !tt.stored); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
