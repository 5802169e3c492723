package player

import (
	"context"
	"errors"
	"testing"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// askCPU asks with a limit of 200 ms of CPU time and returns when the engine was asked
// to stop.
func askCPU(t *testing.T, f *fake, c *Conn) time.Duration {
	t.Helper()
	c.Arm(Limits{
		Soft: time.Minute, Hard: time.Minute + 100*time.Millisecond, SoftCPU: 200 * time.Millisecond, HardCPU: 300 * time.Millisecond,
		Cores: 2, Kind: game.FaultTimeout, Judge: &Judge{Machine: machine{}},
	})
	_ = c.Send([]byte("question"))
	if _, err := c.Recv(context.Background()); !errors.Is(err, game.ErrSoft) {
		t.Errorf("err = %v, want the soft limit", err)
	}
	return time.Since(f.begun)
}

// An engine that knows its move is asked for it. One that waits for a core is not, and
// is stopped by its CPU time however long that takes.
func TestHole09IdleEngine(t *testing.T) {
	for name, tt := range map[string]struct {
		thread   proc.Thread
		burns    float64
		from, to time.Duration
	}{
		"it idles":            {proc.Thread{}, 0, 50 * time.Millisecond, 100 * time.Millisecond},
		"its runtime ticks":   {proc.Thread{}, 0.01, 50 * time.Millisecond, 100 * time.Millisecond},
		"it waits for a core": {proc.Thread{Runnable: true}, 0.01, 20 * time.Second, 20100 * time.Millisecond},
		"it shares a core":    {proc.Thread{Runnable: true}, 0.1, 2 * time.Second, 2100 * time.Millisecond},
		"its threads rest":    {proc.Thread{}, 0.1, 2 * time.Second, 2100 * time.Millisecond},
	} {
		bubble(t, func(t *testing.T, f *fake) {
			f.burns, f.threads = tt.burns, func(time.Duration) map[int]proc.Thread { return map[int]proc.Thread{1: tt.thread} }
			if got := askCPU(t, f, NewConn(f)); got < tt.from || got > tt.to {
				t.Errorf("%s: asked to stop after %v", name, got)
			}
		})
	}
}

// An engine that was asked to stop too late, since the arena got no core, has not
// spent what it spent until then.
func TestHole09StoppedLate(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		f.burns, f.late = 1, 250*time.Millisecond
		c := NewConn(f)
		askCPU(t, f, c)
		f.late = 0
		f.then(event{time.Since(f.begun) + 50*time.Millisecond, says("move\n")})
		_ = c.Send([]byte("stop"))
		hears(t, c, "move")
	})
}

// What is counted for a question under a limit of CPU time was spent on it: neither before it nor after it, however old
// the last reading of the clock is.
func TestSpentOnTheQuestion(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		f.burns, f.stale = 1, true
		c := NewConn(f)
		time.Sleep(90 * time.Millisecond)
		f.then(event{110 * time.Millisecond, says("move\n")})
		c.Arm(Limits{Hard: time.Minute, SoftCPU: 30 * time.Millisecond, HardCPU: 40 * time.Millisecond, Cores: 2, Kind: game.FaultTimeout})
		_ = c.Send([]byte("question"))
		hears(t, c, "move")
		if own, idle := c.Used(); own != 20*time.Millisecond || idle != 90*time.Millisecond {
			t.Errorf("%v for the question, %v before it", own, idle)
		}
	})
}

// All cores use the time up faster than one.
func TestSpentByTwoCores(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		f.burns = 2
		c := NewConn(f)
		c.Arm(Limits{Hard: time.Minute, HardCPU: 200 * time.Millisecond, Cores: 2, Kind: game.FaultTimeout, Judge: &Judge{Machine: machine{}}})
		_ = c.Send([]byte("question"))
		_, err := c.Recv(context.Background())
		if took := time.Since(f.begun); err == nil || took > 110*time.Millisecond {
			t.Errorf("%v after %v", err, took)
		}
	})
}
