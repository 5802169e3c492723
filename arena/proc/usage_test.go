//go:build linux

package proc

import (
	"testing"
	"time"
)

func TestLostCPU(t *testing.T) {
	const ms = time.Millisecond
	at := func(es ...entry) map[int]entry {
		all := map[int]entry{}
		for _, e := range es {
			all[e.pid] = e
		}
		return all
	}
	engine := func(waited time.Duration) entry {
		return entry{pid: 1, ppid: 99, start: 5, own: 70 * ms, waited: waited}
	}
	child := entry{pid: 2, ppid: 1, start: 6, own: 30 * ms}
	grandchild := entry{pid: 3, ppid: 2, start: 7, own: 20 * ms, waited: 10 * ms}
	for _, tt := range []struct {
		name     string
		was, now map[int]entry
		want     time.Duration
	}{
		{"nothing ended", at(engine(0), child), at(engine(0), child), 0},
		{"waited for", at(engine(0), child), at(engine(40 * ms)), 0},
		{"not waited for", at(engine(20*ms), child), at(engine(20 * ms)), 30 * ms},
		{"partly", at(engine(0), child, entry{pid: 4, ppid: 1, own: 50 * ms}), at(engine(50 * ms)), 30 * ms},
		{"a chain, waited for", at(engine(0), child, grandchild), at(engine(60 * ms)), 0},
		{"a chain, not waited for", at(engine(0), child, grandchild), at(engine(0)), 60 * ms},
		{"the middle", at(engine(0), child, grandchild), at(engine(0), entry{pid: 3, ppid: 99, start: 7, own: 25 * ms}), 30 * ms},
		{"an orphan", at(engine(0), entry{pid: 8, ppid: 99, own: 15 * ms}), at(engine(0)), 15 * ms},
		{"another of the number", at(engine(0), child), at(engine(0), entry{pid: 2, ppid: 1, start: 9}), 30 * ms},
		{"all", at(engine(10*ms), child), nil, 110 * ms},
	} {
		if got := lost(tt.was, tt.now); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The CPU time of an engine is that of all its processes, also of those that
// have ended, whether or not somebody waited for them.
func TestCPUOfAll(t *testing.T) {
	const burn = `i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done`
	alone := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", burn}})
	<-alone.Done()
	least := alone.CPU() / 2
	if least < time.Millisecond {
		t.Fatalf("a loop used %v", 2*least)
	}
	for name, script := range map[string]string{
		"wrapper":        "sh -c '" + burn + "; sleep 61.5'; exit",
		"child, waited":  "(" + burn + "); exec sleep 61.5",
		"child, lives":   "(" + burn + "; exec sleep 61.5) & exec sleep 61.5",
		"orphan":         "((" + burn + "; exec sleep 61.5) &); exec sleep 61.5",
		"orphan, exited": "((" + burn + ") &); exec sleep 61.5",
		"session":        "setsid env -i sh -c '" + burn + "; exec sleep 61.5' & exec sleep 61.5",
	} {
		t.Run(name, func(t *testing.T) {
			p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", script}})
			before := time.Duration(0)
			for end := time.Now().Add(patience); p.CPU() < least; {
				if now := p.CPU(); now < before {
					t.Fatalf("%v after %v", now, before)
				} else {
					before = now
				}
				if time.Now().After(end) {
					t.Fatalf("%v, want at least %v", p.CPU(), least)
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
}
