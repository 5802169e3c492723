package web

import (
	"testing"
	"time"
)

// Updates take at most a hundredth of a processor.
func TestPause(t *testing.T) {
	for listeners, want := range map[int]time.Duration{0: 400 * time.Millisecond, 200: 900 * time.Millisecond, 1_000_000: slowest} {
		if got := pause(4*time.Millisecond, listeners); got != want {
			t.Errorf("%d listeners: %v", listeners, got)
		}
	}
	if got := pause(0, 1); got != fastest {
		t.Errorf("at least %v", got)
	}
}
