//go:build linux

package proc

import (
	"errors"
	"io"
	"testing"
	"time"
)

// When a dying process's output has ended, the kernel already says that it
// dies, whether or not anybody has had the time to wait for it; one that only
// closed its output is not said to.
func TestEndingIsKnownAtTheEndOfOutput(t *testing.T) {
	s := spawner(t)
	rounds := 10
	if testing.Short() {
		rounds = 5
	}
	for name, tt := range map[string]struct {
		script string
		want   string // "" for a process that lives on
	}{
		"exit":   {"exit 3", "3"},
		"signal": {"kill -9 $$", "signal 9 (SIGKILL)"},
		"large":  {"s=x; while [ ${#s} -lt 8000000 ]; do s=$s$s; done; exit 3", "3"},
		"closed": {"exec 1>&-; exec sleep 61.5", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for range rounds {
				p := launch(t, s, Spec{Argv: []string{"sh", "-c", tt.script}})
				for buf, err := make([]byte, 100), error(nil); !errors.Is(err, io.EOF); {
					_, err = p.Read(buf, time.Minute)
				}
				if got := p.Ending(); got != (tt.want != "") {
					t.Fatalf("at the end of its output: ending %v", got)
				}
				if tt.want == "" {
					p.Close()
					continue
				}
				p.AwaitEnd(time.Minute, nil)
				if exit, over := p.Exited(); !over || exit.String() != tt.want || !p.Ending() {
					t.Fatalf("%v, %v, want %s", exit, over, tt.want)
				}
				p.Close()
			}
		})
	}
}

// A process over its memory is ended when it is looked at, not only when the
// sampler comes round.
func TestEndingLooksAtMemory(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", "s=x; while [ ${#s} -lt 8000000 ]; do s=$s$s; done; echo full; exec 1>&-; read end"}})
	readLine(t, p)
	if p.Ending() {
		t.Fatal("ending without a limit")
	}
	p.limit.Store(1 << 20)
	if !p.Ending() || p.OverMemory() < 1<<20 {
		t.Fatalf("over its memory and not ended; %d bytes", p.OverMemory())
	}
	p.AwaitEnd(time.Minute, nil)
	if exit, over := p.Exited(); !over || exit.Signal != 9 {
		t.Errorf("%v, %v", exit, over)
	}
}
