package player

import (
	"context"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// bubble runs a test with an engine on a clock that stops while anything is
// computed, so that a busy machine makes no difference.
func bubble(t *testing.T, test func(t *testing.T, f *fake)) {
	synctest.Test(t, func(t *testing.T) { test(t, newFake()) })
}

// ask is the connection of an engine that was asked something under limits.
func ask(f *fake, l Limits) *Conn {
	c := NewConn(f)
	if l.Kind == "" {
		l.Kind = game.FaultTimeout
	}
	c.Arm(l)
	_ = c.Send([]byte("question"))
	return c
}

// hears fails a test unless this is the next line.
func hears(t *testing.T, c *Conn, want string) {
	t.Helper()
	if line, err := c.Recv(context.Background()); err != nil || string(line) != want {
		t.Fatalf("%q, %v, want %q", line, err, want)
	}
}

// fake is a process made of a list of its output and of events at given times.
// Output that follows a question waits for that question.
type fake struct {
	begun   time.Time
	events  []event
	ready   [][]byte // to be read
	after   [][]byte // said one by one, each when something was written
	eof     bool     // after ready
	heard   []byte
	full    bool // takes no input
	chopped bool // every read brings one piece
	inGone  bool // its input is closed
	hungUp  bool // ... from after the question on
	unread  int  // bytes of its input that it has not read
	ending  bool // it has begun to end
	exit    *proc.Exit
	woken   chan struct{}
	cpu     time.Duration
	burns   float64                                 // cores that it uses all the time, beside cpu
	stale   bool                                    // its paced clock shows cpu alone
	waits   map[int]float64                         // by thread: the part of the time that it waits for a core
	threads func(time.Duration) map[int]proc.Thread // after this time; may be nil: waits says it
	over    int64
	late    time.Duration        // every wait ends so much too late
	away    func() time.Duration // how long the arena gets no core before a call; may be nil
}

// event happens to a fake some time after it was made.
type event struct {
	at time.Duration
	do func(f *fake)
}

func newFake() *fake { return &fake{begun: time.Now(), woken: make(chan struct{}, 1)} }

// then plans events, in order of time.
func (f *fake) then(events ...event) *fake {
	f.events = append(f.events, events...)
	slices.SortStableFunc(f.events, func(a, b event) int { return int(a.at - b.at) })
	return f
}

// happen runs all events that are due, after the arena was away.
func (f *fake) happen() {
	if f.away != nil {
		time.Sleep(f.away())
	}
	for len(f.events) > 0 && time.Since(f.begun) >= f.events[0].at {
		do := f.events[0].do
		f.events = f.events[1:]
		do(f)
	}
}

// sleep waits until end, or the next event, or a wake.
func (f *fake) sleep(end time.Time) (woken bool) {
	if len(f.events) > 0 {
		if next := f.begun.Add(f.events[0].at); next.Before(end) {
			end = next
		}
	}
	timer := time.NewTimer(time.Until(end))
	defer timer.Stop()
	select {
	case <-f.woken:
		return true
	case <-timer.C:
		return false
	}
}

// Read looks once more when its time has passed, as the kernel does.
func (f *fake) Read(buf []byte, wait time.Duration) (int, error) {
	for end := time.Now().Add(wait); ; {
		if n, ok, err := f.TryRead(buf); ok {
			return n, err
		}
		if !time.Now().Before(end) {
			return 0, proc.ErrDeadline
		}
		if f.sleep(end) {
			return 0, proc.ErrWoken
		}
		if !time.Now().Before(end) {
			time.Sleep(f.late)
		}
	}
}

func (f *fake) TryRead(buf []byte) (int, bool, error) {
	f.happen()
	if len(f.ready) == 0 {
		if f.eof {
			return 0, true, io.EOF
		}
		return 0, false, nil
	}
	n := 0
	for n < len(buf) && len(f.ready) > 0 {
		k := copy(buf[n:], f.ready[0])
		if f.ready[0] = f.ready[0][k:]; len(f.ready[0]) == 0 {
			f.ready = f.ready[1:]
		}
		n += k
		if f.chopped {
			break
		}
	}
	return n, true, nil
}

func (f *fake) Write(b []byte, wait time.Duration) (int, error) {
	f.happen()
	switch {
	case f.inGone:
		return 0, proc.ErrClosed
	case f.full && len(f.ready) > 0:
		return 0, proc.ErrReadable
	case f.full:
		if f.sleep(time.Now().Add(wait)) {
			return 0, proc.ErrWoken
		}
		return 0, proc.ErrDeadline
	}
	f.heard = append(f.heard, b...)
	if len(f.after) > 0 {
		f.ready = append(f.ready, f.after[0])
		f.after = f.after[1:]
	}
	return len(b), nil
}

func (f *fake) Wake() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

func (f *fake) Exited() (proc.Exit, bool) {
	f.happen()
	if f.exit == nil {
		return proc.Exit{}, false
	}
	return *f.exit, true
}

func (f *fake) Ending() bool {
	f.happen()
	return f.exit != nil || f.ending
}

func (f *fake) AwaitEnd(patience time.Duration, cancelled <-chan struct{}) {
	for end := time.Now().Add(patience); ; {
		f.happen()
		if f.exit != nil || !time.Now().Before(end) {
			return
		}
		f.sleep(end)
		select {
		case <-cancelled:
			return
		default:
		}
	}
}

// CPU may be old, as that of an engine whose clock is costly to read.
func (f *fake) CPU() time.Duration {
	if f.stale {
		return f.cpu
	}
	return f.CPUNow()
}

func (f *fake) CPUNow() time.Duration { return f.cpu + part(f.burns, f.begun) }

func (f *fake) Threads() map[int]proc.Thread {
	if f.threads != nil {
		return f.threads(time.Since(f.begun))
	}
	threads := map[int]proc.Thread{}
	for number, share := range f.waits {
		threads[number] = proc.Thread{Waited: time.Hour + part(share, f.begun)} // it waited before as well
	}
	return threads
}

// part is a part of the time since begun.
func part(share float64, begun time.Time) time.Duration {
	return time.Duration(share * float64(time.Since(begun)))
}
func (f *fake) OverMemory() int64 { return f.over }
func (f *fake) Misuse() string    { return "" }
func (f *fake) InputClosed() bool { f.happen(); return f.inGone || f.hungUp }

func (f *fake) Unread() (int, bool) { f.happen(); return f.unread, true }
