package player

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"thera/arena/proc"
)

// What looking costs, and what an engine with many threads costs the arena, moves the
// limit by a fifth at most.
func TestHole06LimitMovesByAFifth(t *testing.T) {
	for name, set := range map[string]func(f *fake){
		"costly to look at": func(f *fake) {
			f.threads = func(time.Duration) map[int]proc.Thread {
				time.Sleep(400 * time.Millisecond)
				return nil
			}
		},
		"takes all cores": func(f *fake) { f.burns, f.late = float64(runtime.GOMAXPROCS(0)), 90*time.Millisecond },
		"takes all cores, its clock is costly": func(f *fake) {
			f.burns, f.late, f.stale = float64(runtime.GOMAXPROCS(0)), 90*time.Millisecond, true
		},
	} {
		for _, answer := range []time.Duration{time.Hour, 900 * time.Millisecond} {
			bubble(t, func(t *testing.T, f *fake) {
				set(f)
				f.then(event{answer, says("move\n")})
				c := NewConn(f)
				_, took := overrun(t, c, Limits{Soft: 300 * time.Millisecond, Hard: 500 * time.Millisecond, Judge: &Judge{Machine: machine{f.begun, 2, 0, 0}}})
				if took > 720*time.Millisecond { // the arena wakes 90 ms late, or waits for a look of 400 ms
					t.Errorf("%s: over after %v", name, took)
				}
				time.Sleep(time.Second) // a look may be going on
			})
		}
	}
}

// A stall is no proof for an engine that gives no answer in the CPU time that it lacks.
func TestHole06HangsAreNoStall(t *testing.T) {
	for name, tt := range map[string]struct {
		threads func(d time.Duration) map[int]proc.Thread
		burns   float64
		answer  time.Duration
		void    bool
	}{
		"it answers late":              {waits, 0.2, 400 * time.Millisecond, true},
		"it spins for ever":            {waits, 0.2, time.Hour, false},
		"it waits for a core for ever": {waits, 0, time.Hour, true},
	} {
		bubble(t, func(t *testing.T, f *fake) {
			f.then(event{tt.answer, says("move\n")})
			f.threads, f.burns = tt.threads, tt.burns
			c := NewConn(f)
			stall, _ := overrun(t, c, graced(machine{f.begun, 2, 2, 0}))
			if stall.Proof == "" {
				t.Fatalf("%s: no proof", name)
			}
			fault := c.Fault()
			c.hear(context.Background(), func(ctx context.Context) error {
				_, err := c.Recv(ctx)
				return err
			})
			if c.Stall().Proof != "" != tt.void || !errors.Is(c.Fault(), fault) {
				t.Errorf("%s: %+v, %v", name, c.Stall(), c.Fault())
			}
		})
	}
}

func waits(d time.Duration) map[int]proc.Thread {
	return map[int]proc.Thread{1: {Waited: d * 8 / 10, Ran: d / 5, Runnable: true, Sleeps: int64(d)}}
}
