package player

import (
	"context"
	"errors"
	"strings"
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

// graced is a limit of 20 ms with a grace of 100 on a machine.
func graced(m Machine) Limits {
	return Limits{Soft: 20 * ms, Hard: 120 * ms, Kind: game.FaultTimeout, Judge: &Judge{Machine: m}}
}

// overrun lets an engine say nothing until its hard limit passes and returns
// the proof that it is not to blame.
func overrun(t *testing.T, c *Conn, l Limits) (Stall, time.Duration) {
	t.Helper()
	l.Kind = game.FaultTimeout
	c.Arm(l)
	began := time.Now()
	for soft := false; ; soft = true {
		line, err := c.Recv(context.Background())
		if errors.Is(err, game.ErrSoft) && !soft {
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
		uses         float64 // cores that the engine uses
		waits        map[int]float64
		busy, stolen float64
		rival        float64
		blind        bool // nothing is known of the machine
		want         string
		threads      func(d time.Duration) map[int]proc.Thread
	}{
		{name: "it hangs on a quiet machine", want: nobody},
		{name: "it spins on a quiet machine", uses: 1, busy: 1, want: nobody},
		{name: "it spins with 16 threads", uses: 2, waits: spread(16, 1-2./16), busy: 2, want: nobody},
		{name: "it spins with 16 threads beside one busy program", uses: 2 * 16. / 17, waits: spread(16, 1-2./17), busy: 2, want: nobody},
		{name: "it spins beside one busy program", uses: 1, busy: 2, want: nobody},
		{name: "its 32 threads run at each tick and sleep between", uses: 0.5, waits: spread(32, 0.08), busy: 2, want: nobody},
		{name: "it sleeps beside eight busy programs", waits: spread(1, 0), busy: 2, want: nobody},
		{name: "it works beside eight busy programs", uses: 2. / 9, waits: spread(1, 1-2./9), busy: 2, want: void},
		{name: "its many threads work beside eight busy programs", uses: 2 * 3. / 11, waits: spread(3, 1-2./11), busy: 2, want: void},
		{name: "one of its threads works and one waits, beside less than a busy program", uses: 0.3, waits: spread(1, 0.9), busy: 1.2, want: nobody},
		{name: "a little is stolen", uses: 1, busy: 1, stolen: 0.4, want: nobody},
		{name: "much is stolen", uses: 0.3, busy: 0.3, stolen: 1.4, want: void},
		{name: "its opponent spins with 16 threads", uses: 2. / 17, waits: spread(1, 1-2./17), busy: 2, rival: 2 * 16. / 17, want: opponent},
		{name: "its opponent spins with 16 threads, it hangs", busy: 2, rival: 2, want: nobody},
		{name: "its opponent ponders with 2 threads, it spins with 1", uses: 2. / 3, waits: spread(1, 1./3), busy: 2, rival: 4. / 3, want: nobody},
		{name: "its opponent ponders with 2 threads, it spins with 2", uses: 1, waits: spread(2, 0.5), busy: 2, rival: 1, want: nobody},
		{name: "its opponent ponders with 2 threads, it spins with 16", uses: 2 * 16. / 18, waits: spread(16, 1-2./18), busy: 2, rival: 2 * 2. / 18, want: nobody},
		{name: "its opponent ponders, eight programs are busy", uses: 0.2, waits: spread(1, 0.8), busy: 2, rival: 0.2, want: void},
		{name: "it works beside eight busy programs on a machine that says nothing", waits: spread(1, 0.9), blind: true, want: nobody},
		{name: "its thread waits when the limit passes", uses: 0.1, busy: 2, want: void, threads: func(d time.Duration) map[int]proc.Thread {
			return map[int]proc.Thread{1: {Ran: time.Hour + d/10, Runnable: true}}
		}},
		{name: "its thread waits when the limit passes, and slept", uses: 0.1, busy: 2, want: nobody, threads: func(d time.Duration) map[int]proc.Thread {
			return map[int]proc.Thread{1: {Ran: time.Hour + d/10, Runnable: true, Sleeps: int64(d)}}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, l := range map[string]Limits{
				"grace":         {Soft: 20 * time.Millisecond, Hard: 120 * time.Millisecond},
				"long":          {Soft: 10 * time.Second, Hard: 10100 * time.Millisecond},
				"without grace": {Soft: 20 * time.Millisecond, Hard: 20 * time.Millisecond},
				"hard only":     {Hard: 2 * time.Second},
			} {
				bubble(t, func(t *testing.T, f *fake) {
					f.burns, f.waits, f.threads = tt.uses, tt.waits, tt.threads
					m := machine{f.begun, 2, tt.busy, tt.stolen}
					if tt.blind {
						m.cpus = 0
					}
					l.Judge = &Judge{Machine: m}
					if tt.rival > 0 {
						l.Judge.Rival = func() time.Duration { return time.Second + part(tt.rival, f.begun) }
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

// What the arena was late moves the limit, whether it was late at a limit, between two waits or
// frozen with all that runs; an engine that does not read its input gains nothing.
func TestLateArena(t *testing.T) {
	late := func(at, by time.Duration) event { return event{at, func(f *fake) { f.late = by }} }
	asleep := func(_ *fake, away time.Duration) { time.Sleep(away) }
	full := func(f *fake, away time.Duration) {
		f.full = true
		f.then(event{away, func(f *fake) { f.full = false }})
	}
	for _, tt := range []struct {
		name     string
		events   []event
		uses     float64
		away     func(f *fake, away time.Duration) // after the soft limit
		from, to time.Duration                     // its time is over
		answers  time.Duration                     // when it answers, if it does
		stalled  bool
	}{
		{name: "in time", from: 120 * ms, to: 121 * ms},
		{name: "at the soft limit", events: []event{late(0, 150*ms), late(100*ms, 0)}, from: 270 * ms, to: 271 * ms, stalled: true},
		{name: "at the hard limit", events: []event{late(110*ms, 80*ms), late(150*ms, 0)}, from: 280 * ms, to: 281 * ms},
		{name: "at both, it answers", events: []event{late(0, 150*ms), {300 * ms, says("move\n")}}, answers: 300 * ms},
		{name: "frozen at the hard limit, it answers", events: []event{late(110*ms, 80*ms), late(200*ms, 0), {205 * ms, says("move\n")}}, answers: 205 * ms},
		{name: "at the hard limit, since it takes all cores", uses: float64(cores), events: []event{late(110*ms, 80*ms), late(200*ms, 0), {210 * ms, says("move\n")}}, from: 200 * ms, to: 230 * ms},
		{name: "away between two waits", away: asleep, from: 270 * ms, to: 271 * ms, stalled: true},
		{name: "does not read its input", away: full, from: 120 * ms, to: 121 * ms},
	} {
		bubble(t, func(t *testing.T, f *fake) {
			f.then(tt.events...)
			f.burns = tt.uses
			if tt.stalled {
				f.waits = spread(1, 0.7)
			}
			c := NewConn(f)
			c.Arm(graced(machine{f.begun, 2, 2, 0}))
			_, err := c.Recv(context.Background())
			if !errors.Is(err, game.ErrSoft) || len(tt.events) == 0 && time.Since(f.begun) != 20*ms {
				t.Fatal(tt.name, err)
			}
			if tt.away != nil {
				tt.away(f, 150*ms)
				_ = c.Send([]byte("stop"))
			}
			_, err = c.Recv(context.Background())
			took := time.Since(f.begun)
			if tt.answers > 0 {
				tt.from, tt.to = tt.answers, tt.answers+100*ms
			}
			if (err == nil) != (tt.answers > 0) || took < tt.from || took > tt.to || (c.Stall().Proof != "") != tt.stalled {
				t.Errorf("%s: %v after %v, %+v", tt.name, err, took, c.Stall())
			}
			if got := c.elapsed(); got > 120*ms {
				t.Errorf("%s: %v are on its account", tt.name, got)
			}
		})
	}
}

// What the arena takes to read long lines is the engine's doing: the limit moves by a
// fifth of it at most.
func TestHole23LongLines(t *testing.T) {
	bubble(t, func(t *testing.T, f *fake) {
		for at := 20 * time.Millisecond; at < time.Second; at += 20 * time.Millisecond {
			f.then(event{at, says(strings.Repeat("x", 100<<10) + "\n")})
		}
		c := NewConn(f)
		c.Arm(Limits{Soft: 100 * time.Millisecond, Hard: 200 * time.Millisecond, Kind: game.FaultTimeout, Judge: &Judge{Machine: machine{}}})
		for c.Fault() == nil && time.Since(f.begun) < time.Second {
			_, _ = c.Recv(context.Background())
			time.Sleep(15 * time.Millisecond) // so that a Recv that returns at once ends the test, too
		}
		if took := time.Since(f.begun); took > 300*time.Millisecond {
			t.Errorf("over after %v: %v", took, c.Fault())
		}
	})
}

// slow is a machine at which the first look takes some time, for a part of which it waits for a core.
type slow struct {
	machine
	takes, waits, waited time.Duration
}

func (m *slow) Usage(cpus []int) (proc.Usage, bool) {
	u, ok := m.machine.Usage(cpus)
	u.Waited = time.Hour + m.waited
	time.Sleep(m.takes)
	m.takes, m.waited = 0, m.waits
	return u, ok
}

// A look that comes too late to see that the engine waited is itself a sign of a busy machine, if the
// arena waited for a core, the engine did not use the time and the limit has not moved by it.
func TestALateLook(t *testing.T) {
	for _, tt := range []struct {
		name         string
		takes, waits time.Duration
		uses         float64
		void         bool
	}{
		{name: "it waits", takes: 90 * ms, waits: 90 * ms, void: true},
		{name: "it waits until after the limit", takes: 300 * ms, waits: 300 * ms, void: true},
		{name: "it waits, the most of it after the limit", takes: 300 * ms, waits: 230 * ms},
		{name: "it has much to read", takes: 90 * ms},
		{name: "it has more to read than it has time", takes: 20 * time.Second},
		{name: "it waits for a moment", takes: 90 * ms, waits: 40 * ms},
		{name: "it waits for the engine", takes: 90 * ms, waits: 90 * ms, uses: 1.8},
		{name: "it waits for one thread of the engine and others", takes: 90 * ms, waits: 90 * ms, uses: 0.5, void: true},
	} {
		bubble(t, func(t *testing.T, f *fake) {
			f.burns = tt.uses
			m := &slow{machine: machine{f.begun, 2, 2, 0}, takes: tt.takes, waits: tt.waits}
			got, took := overrun(t, NewConn(f), graced(m))
			if (got.Proof != "") != tt.void || took > 120*ms+looking {
				t.Errorf("%s: %+v after %v", tt.name, got, took)
			}
			time.Sleep(time.Minute) // a look may be going on
		})
	}
}
