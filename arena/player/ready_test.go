package player

import (
	"context"
	"errors"
	"testing"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
	"thera/engine/gametest"
)

// reads is an engine that has read its input.
func reads(f *fake) { f.unread = 0 }

// An engine is ready when it has read what was sent to it. The time until then is
// on the clock of its start, never on that of its first question.
func TestAwaitRead(t *testing.T) {
	for _, tt := range []struct {
		name   string
		events []event
		took   time.Duration // 0 if it is not ready
		fault  string
	}{
		{"reads at once", nil, 0, ""},
		{"starts for 900 ms", []event{{900 * ms, reads}}, 900 * ms, ""},
		{"speaks first", []event{{ms, says("hello\n")}, {200 * ms, reads}}, 200 * ms, ""},
		{"never reads", []event{{time.Hour, reads}}, 0, "start timeout: it has not read (used 1s of 1s, CPU 0s)"},
		{"exits before it reads", death(50*ms, proc.Exit{Code: 1}, ms), 0, "exited: 1"},
		{"closes its input", []event{{50 * ms, closesIn}}, 0, "closed stdin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, f *fake) {
				f.cpu = time.Minute // before it was asked
				f.then(tt.events...)
				if len(tt.events) > 0 {
					f.unread = 11
				}
				c := NewConn(f)
				c.Arm(Limits{Hard: time.Second, Kind: game.FaultStartTimeout, Detail: "it has not read"})
				_ = c.Send([]byte("init_board"))
				began := time.Now()
				err := c.awaitRead(context.Background())
				if tt.fault != "" {
					var fault *game.Fault
					if !errors.As(err, &fault) || fault.Error() != tt.fault {
						t.Fatalf("%v, want %s", err, tt.fault)
					}
					return
				}
				if took := time.Since(began); err != nil || took < tt.took || took > tt.took+readEvery {
					t.Fatalf("%v after %v, want %v", err, took, tt.took)
				}
				// The first question begins now.
				c.Arm(Limits{Soft: 100 * ms, Hard: 200 * ms, Kind: game.FaultTimeout})
				f.after = [][]byte{[]byte("a1\n")}
				_ = c.Send([]byte("make_move"))
				for line := []byte(nil); string(line) != "a1"; {
					line, err = c.Recv(context.Background())
					gametest.OK(t, err)
				}
				if c.elapsed() > ms {
					t.Errorf("%v on the clock", c.elapsed())
				}
			})
		})
	}
}
