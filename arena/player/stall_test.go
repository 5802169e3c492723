package player

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// machine is one whose processors do the same all the time.
type machine struct {
	begun        time.Time
	cpus         int
	busy, stolen float64 // cores
}

func (m machine) Usage([]int) (proc.Usage, bool) {
	// Not from 0: what was before is no proof.
	return proc.Usage{CPUs: m.cpus, Busy: time.Hour + part(m.busy, m.begun), Stolen: time.Minute + part(m.stolen, m.begun)}, m.cpus > 0
}

// rival is an opponent that uses so many cores.
type rival struct {
	begun time.Time
	cores float64
}

func (r rival) CPUNow() time.Duration { return time.Second + part(r.cores, r.begun) }

// overrun lets an engine say nothing until its hard limit passes and returns
// the proof that it is not to blame.
func overrun(t *testing.T, c *Conn, l Limits) (Stall, time.Duration) {
	t.Helper()
	l.Kind = game.FaultTimeout
	c.Arm(l)
	began := time.Now()
	for {
		line, err := c.Recv(context.Background())
		if errors.Is(err, game.ErrSoft) {
			continue
		}
		var fault *game.Fault
		if !errors.As(err, &fault) || fault.Kind != game.FaultTimeout {
			t.Fatalf("%q, %v after %v", line, err, time.Since(began))
		}
		return c.Stall(), time.Since(began)
	}
}

// spread are n threads that each wait for this part of the time.
func spread(n int, share float64) map[int]float64 {
	waits := map[int]float64{}
	for i := range n {
		waits[100+i] = share
	}
	return waits
}

// Who can make whom late, on two processors, with the shares that a fair
// scheduler gives: the table of the comment on Judge.
func TestWhoIsToBlame(t *testing.T) {
	const nobody, void, opponent = "", "others used", "its opponent waited"
	for _, tt := range []struct {
		name         string
		own          float64 // cores that the engine uses
		waits        map[int]float64
		busy, stolen float64
		rival        float64
		want         string
	}{
		{name: "it hangs on a quiet machine", want: nobody},
		{name: "it spins on a quiet machine", own: 1, busy: 1, want: nobody},
		{name: "it spins with 16 threads", own: 2, waits: spread(16, 1-2./16), busy: 2, want: nobody},
		{name: "it spins with 16 threads beside one busy program", own: 2 * 16. / 17, waits: spread(16, 1-2./17), busy: 2, want: nobody},
		{name: "it spins beside one busy program", own: 1, busy: 2, want: nobody},
		{name: "its 32 threads run at each tick and sleep between", own: 0.5, waits: spread(32, 0.08), busy: 2, want: nobody},
		{name: "it sleeps beside eight busy programs", waits: spread(1, 0), busy: 2, want: nobody},
		{name: "it works beside eight busy programs", own: 2. / 9, waits: spread(1, 1-2./9), busy: 2, want: void},
		{name: "its many threads work beside eight busy programs", own: 2 * 3. / 11, waits: spread(3, 1-2./11), busy: 2, want: void},
		{name: "a little is stolen", own: 1, busy: 1, stolen: 0.4, want: nobody},
		{name: "much is stolen", own: 0.3, busy: 0.3, stolen: 1.4, want: void},
		{name: "its opponent spins with 16 threads", own: 2. / 17, waits: spread(1, 1-2./17), busy: 2, rival: 2 * 16. / 17, want: opponent},
		{name: "its opponent spins with 16 threads, it hangs", busy: 2, rival: 2, want: nobody},
		{name: "its opponent ponders with 2 threads, it spins with 1", own: 2. / 3, waits: spread(1, 1./3), busy: 2, rival: 4. / 3, want: nobody},
		{name: "its opponent ponders with 2 threads, it spins with 2", own: 1, waits: spread(2, 0.5), busy: 2, rival: 1, want: nobody},
		{name: "its opponent ponders with 2 threads, it spins with 16", own: 2 * 16. / 18, waits: spread(16, 1-2./18), busy: 2, rival: 2 * 2. / 18, want: nobody},
		{name: "its opponent ponders, eight programs are busy", own: 0.2, waits: spread(1, 0.8), busy: 2, rival: 0.2, want: void},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, l := range map[string]Limits{
				"grace":         {Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond},
				"long":          {Soft: 10 * time.Second, Hard: 10100 * time.Millisecond},
				"without grace": {Soft: 20 * time.Millisecond, Hard: 20 * time.Millisecond},
				"hard only":     {Hard: 2 * time.Second},
			} {
				bubble(t, func(t *testing.T) {
					f := newFake()
					f.burns, f.waits = tt.own, tt.waits
					l.Judge = &Judge{Machine: machine{f.begun, 2, tt.busy, tt.stolen}}
					if tt.rival > 0 {
						l.Judge.Rival = rival{f.begun, tt.rival}
					}
					got, _ := overrun(t, NewConn(f), l)
					if (got.Proof == "") != (tt.want == nobody) || !strings.Contains(got.Proof, tt.want) || got.Rival != (tt.want == opponent) {
						t.Errorf("%s: %+v, want %q", name, got, tt.want)
					}
				})
			}
		})
	}
}

// A thread that waits while the limit passes has waited, if it did not sleep.
func TestWaitsThatAreNotOver(t *testing.T) {
	for sleeps, want := range map[float64]bool{0: true, 0.1: false} {
		bubble(t, func(t *testing.T) {
			f := newFake()
			f.waits, f.waiting, f.sleeps = spread(1, 0.9), true, sleeps
			got, _ := overrun(t, NewConn(f), Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Judge: &Judge{Machine: machine{f.begun, 2, 2, 0}}})
			if got.Proof != "" != want {
				t.Errorf("sleeping %v: %+v", sleeps, got)
			}
		})
	}
}

// A wait that begins in the window and is not over when the limit passes has not
// been counted by the system. A thread that runs, or sleeps, does not wait.
func TestWaitsThatBeginLate(t *testing.T) {
	const woken = 35 * time.Millisecond
	for name, tt := range map[string]struct {
		thread func(time.Duration) proc.Thread
		want   bool
	}{
		"waits":  {func(time.Duration) proc.Thread { return proc.Thread{Runnable: true, Sleeps: 8} }, true},
		"sleeps": {func(time.Duration) proc.Thread { return proc.Thread{Sleeps: 8} }, false},
		"runs":   {func(d time.Duration) proc.Thread { return proc.Thread{Ran: d, Runnable: true, Sleeps: 8} }, false},
		"waits and is counted": {func(d time.Duration) proc.Thread {
			return proc.Thread{Waited: max(d-woken, 0), Runnable: true, Sleeps: 8}
		}, true},
		"waited a little": {func(d time.Duration) proc.Thread {
			return proc.Thread{Waited: 3 * time.Millisecond, Ran: min(d, 100*time.Millisecond), Runnable: true, Sleeps: 8}
		}, false},
	} {
		bubble(t, func(t *testing.T) {
			f := newFake()
			f.threads = func(d time.Duration) map[int]proc.Thread {
				if d < woken {
					return map[int]proc.Thread{1: {Sleeps: 7}}
				}
				return map[int]proc.Thread{1: tt.thread(d)}
			}
			got, _ := overrun(t, NewConn(f), Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Judge: &Judge{Machine: machine{f.begun, 2, 2, 0}}})
			if got.Proof != "" != tt.want {
				t.Errorf("%s: %+v", name, got)
			}
		})
	}
}

// The time by which the arena was late before the window is no part of the
// overrun: the window is as long as the rest.
func TestLateBeforeTheWindow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake()
		f.waits = spread(1, 0.7)
		f.late = 150 * time.Millisecond
		f.then(event{200 * time.Millisecond, func(f *fake) { f.late = 0 }})
		got, _ := overrun(t, NewConn(f), Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Judge: &Judge{Machine: machine{f.begun, 2, 2, 0}}})
		if !strings.Contains(got.Proof, "others used") {
			t.Errorf("%+v", got)
		}
	})
}

// An arena that loses its core while it reads the clocks has not seen the engine
// wait meanwhile: the window begins when they are read, and the limit moves a little.
func TestLateAtTheWindow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake()
		var looks atomic.Int64
		f.threads = func(time.Duration) map[int]proc.Thread {
			look := looks.Add(1)
			if look == 1 {
				time.Sleep(20 * time.Millisecond)
			}
			return map[int]proc.Thread{1: {Waited: time.Since(f.begun) * 6 / 10, Sleeps: look}}
		}
		got, _ := overrun(t, NewConn(f), Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Judge: &Judge{Machine: machine{f.begun, 2, 2, 0}}})
		if !strings.Contains(got.Proof, "others used") {
			t.Errorf("%+v", got)
		}
	})
}

// An arena that is away between two waits, as after it asked the engine to stop, has
// not seen how long the engine waited: its limit moves by that time. The engine's
// own delay, if it does not read its input, does not move it.
func TestAwayBetweenWaits(t *testing.T) {
	for _, full := range []bool{false, true} {
		bubble(t, func(t *testing.T) {
			f := newFake()
			f.waits, f.full = spread(1, 0.7), full
			c := NewConn(f)
			c.Arm(Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Kind: game.FaultTimeout, Judge: &Judge{Machine: machine{f.begun, 2, 2, 0}}})
			if _, err := c.Recv(context.Background()); !errors.Is(err, game.ErrSoft) {
				t.Fatal(err)
			}
			if full {
				f.then(event{150 * time.Millisecond, func(f *fake) { f.full = false }})
				_ = c.Send([]byte("stop"))
			} else {
				time.Sleep(150 * time.Millisecond)
			}
			_, err := c.Recv(context.Background())
			var fault *game.Fault
			if !errors.As(err, &fault) {
				t.Fatal(err)
			}
			if took, stalled := time.Since(f.begun), c.Stall().Proof != ""; stalled == full || took > 200*time.Millisecond == full {
				t.Errorf("does not read: %v; after %v: %+v", full, took, c.Stall())
			}
		})
	}
}

// What cannot be read proves nothing, and what nobody asked about neither.
func TestNoProofWithoutFigures(t *testing.T) {
	for name, judge := range map[string]*Judge{"no judge": nil, "no machine": {}, "no figures": {Machine: machine{}}} {
		bubble(t, func(t *testing.T) {
			f := newFake()
			f.waits = spread(1, 0.9)
			if got, _ := overrun(t, NewConn(f), Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Judge: judge}); got != (Stall{}) {
				t.Errorf("%s: %+v", name, got)
			}
		})
	}
}

// An arena that is frozen with its engine, longer than a move may take, goes on where it
// was: also under a limit of CPU time.
func TestFrozenUnderCPULimit(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake()
		f.cpu = time.Second
		f.then(event{300 * time.Millisecond, func(f *fake) { f.late = 100 * time.Second }},
			event{100400 * time.Millisecond, func(f *fake) { f.late = 0 }},
			event{100700 * time.Millisecond, says("move\n")})
		c := NewConn(f)
		c.Arm(Limits{
			Soft: time.Minute, Hard: 62 * time.Second, SoftCPU: 500 * time.Millisecond, HardCPU: 2500 * time.Millisecond, Cores: 1,
			Kind: game.FaultTimeout, Judge: &Judge{Machine: machine{f.begun, 2, 0, 0}},
		})
		_ = c.Send([]byte("question"))
		line, err := c.Recv(context.Background())
		for errors.Is(err, game.ErrSoft) { // more than a minute has passed
			line, err = c.Recv(context.Background())
		}
		if string(line) != "move" {
			t.Errorf("%q, %v", line, err)
		}
		if got := c.Elapsed(); got > 62*time.Second {
			t.Errorf("%v are on its account", got)
		}
	})
}

// The arena's own timer is proof where the engine did not run meanwhile. A
// timer that is late before the limit moves the limit.
func TestLateTimer(t *testing.T) {
	for _, tt := range []struct {
		late time.Duration
		own  float64
		want bool
	}{
		{0, 0, false},
		{50 * time.Millisecond, 0, false},
		{300 * time.Millisecond, 0, true},
		{300 * time.Millisecond, 1, false}, // it had a core all the time
		{300 * time.Millisecond, 2, false}, // ... or took all of them, which made the timer late
	} {
		bubble(t, func(t *testing.T) {
			f := newFake()
			f.burns = tt.own
			c := NewConn(f)
			judge := &Judge{Machine: machine{f.begun, 2, tt.own, 0}}
			c.Arm(Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Kind: game.FaultTimeout, Judge: judge})
			if _, err := c.Recv(context.Background()); !errors.Is(err, game.ErrSoft) {
				t.Fatal(err)
			}
			f.then(event{110 * time.Millisecond, func(f *fake) { f.late = tt.late }})
			_, err := c.Recv(context.Background())
			var fault *game.Fault
			if !errors.As(err, &fault) {
				t.Fatal(err)
			}
			if got := c.Stall().Proof; (got != "") != tt.want || tt.want && !strings.Contains(got, "own timer was") {
				t.Errorf("%+v: %q", tt, got)
			}
		})
	}
	bubble(t, func(t *testing.T) {
		f := newFake()
		f.late = 300 * time.Millisecond // at the soft limit, and again later
		c := NewConn(f)
		_, took := overrun(t, c, Limits{Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond, Judge: &Judge{Machine: machine{f.begun, 2, 0, 0}}})
		if took < 720*time.Millisecond {
			t.Errorf("after %v: it was told to stop 300 ms too late", took)
		}
		if got := c.Elapsed(); got != 120*time.Millisecond {
			t.Errorf("%v are on its account: it had 120 ms, the rest is the arena's", got)
		}
	})
}

// What the arena takes to read long lines is the engine's doing: the limit moves by a
// fifth of it at most.
func TestHole23LongLines(t *testing.T) {
	bubble(t, func(t *testing.T) {
		f := newFake()
		for at := 20 * time.Millisecond; at < time.Second; at += 20 * time.Millisecond {
			f.then(event{at, says(strings.Repeat("x", 100<<10) + "\n")})
		}
		c := NewConn(f)
		c.Arm(Limits{Soft: 100 * time.Millisecond, Hard: 200 * time.Millisecond, Kind: game.FaultTimeout, Judge: &Judge{}})
		for c.Fault() == nil && time.Since(f.begun) < time.Second {
			if _, err := c.Recv(context.Background()); err == nil {
				time.Sleep(15 * time.Millisecond)
			}
		}
		if took := time.Since(f.begun); took > 300*time.Millisecond {
			t.Errorf("over after %v: %v", took, c.Fault())
		}
	})
}
