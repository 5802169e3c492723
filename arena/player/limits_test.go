package player

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"thera/engine/game"
)

// The soft limit passes once, then the hard one, whatever the engine prints in
// between: deadlines are absolute.
func TestSoftThenHard(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		c := ask(f, Limits{Soft: 20 * time.Millisecond, Hard: 60 * time.Millisecond})
		began, soft := time.Now(), 0
		for {
			line, err := c.Recv(context.Background())
			var fault *game.Fault
			switch {
			case errors.Is(err, game.ErrSoft):
				if soft++; time.Since(began) != 20*time.Millisecond {
					t.Errorf("the soft limit passed after %v", time.Since(began))
				}
				f.ready = append(f.ready, []byte("talk\n"))
				_ = c.Send([]byte("stop"))
				continue
			case errors.As(err, &fault):
				if took := time.Since(began); soft != 1 || fault.Kind != game.FaultTimeout || took != 60*time.Millisecond {
					t.Errorf("%d soft limits, %v after %v", soft, fault, took)
				}
				if !strings.Contains(fault.Detail, "of 20ms") {
					t.Errorf("detail %q names no allowance", fault.Detail)
				}
				return
			case err != nil || string(line) != "talk":
				t.Fatalf("%q, %v", line, err)
			}
		}
	})
}

func TestCPULimit(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		f.cpu = time.Second
		c := ask(f, Limits{SoftCPU: 10 * time.Millisecond, HardCPU: 20 * time.Millisecond, Hard: 10 * time.Second, Cores: 1})
		_ = c.Flush(context.Background())
		f.cpu += 15 * time.Millisecond
		if _, err := c.Recv(context.Background()); !errors.Is(err, game.ErrSoft) {
			t.Fatalf("err = %v, want the soft limit", err)
		}
		f.cpu += 10 * time.Millisecond
		_, err := c.Recv(context.Background())
		var fault *game.Fault
		if !errors.As(err, &fault) || fault.Kind != game.FaultTimeout || !strings.Contains(fault.Detail, "25ms CPU of 10ms") {
			t.Errorf("err = %v", err)
		}
		if used, idle := c.Used(); used != 25*time.Millisecond || idle != time.Second {
			t.Errorf("used %v, idle %v", used, idle)
		}
	})
}

// After a timeout that the game forgives the connection can be used; after a
// death it cannot.
func TestClearFault(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		c := NewConn(f)
		c.Arm(Limits{Hard: time.Millisecond, Kind: game.FaultTimeout})
		if _, err := c.Recv(context.Background()); err == nil || !c.ClearFault() {
			t.Fatalf("err = %v, fault %v", err, c.Fault())
		}
		f.ready = append(f.ready, []byte("late\n"))
		c.Arm(Limits{Hard: 5 * time.Second, Kind: game.FaultTimeout})
		hears(t, c, "late")
		f.eof = true
		if _, err := c.Recv(context.Background()); err == nil || c.ClearFault() {
			t.Errorf("the fault of a closed pipe was cleared: %v", err)
		}
	})
}
