package line

import (
	"io"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"thera/arena/proc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a process made of a list of what it says. What is said after a
// question waits for that question.
type fake struct {
	mu     sync.Mutex
	ready  [][]byte // to be read
	after  [][]byte // said one by one, each when something was written
	eof    bool     // after ready
	heard  []byte
	full   bool // takes no input
	inGone bool // nobody reads
	hungUp bool // ... from after the question on
	exit   *proc.Exit
	done   chan struct{}
	woken  chan struct{}
	cpu    time.Duration
	delay  time.Duration
	growth time.Duration // of delay from look to look
	over   int64
	waited time.Duration // the last wait for room
	late   time.Duration // every wait ends so much too late
}

func newFake(said ...string) *fake {
	f := &fake{done: make(chan struct{}), woken: make(chan struct{}, 1)}
	for _, s := range said {
		f.ready = append(f.ready, []byte(s))
	}
	return f
}

func (f *fake) die(e proc.Exit) {
	f.exit = &e
	close(f.done)
}

func (f *fake) Read(buf []byte, wait time.Duration) (int, error) {
	if n, ok, err := f.TryRead(buf); ok {
		return n, err
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-f.woken:
		return 0, proc.ErrWoken
	case <-timer.C:
		time.Sleep(f.late)
		return 0, proc.ErrDeadline
	}
}

func (f *fake) TryRead(buf []byte) (int, bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.ready) == 0 {
		if f.eof {
			return 0, true, io.EOF
		}
		return 0, false, nil
	}
	n := copy(buf, f.ready[0])
	if f.ready[0] = f.ready[0][n:]; len(f.ready[0]) == 0 {
		f.ready = f.ready[1:]
	}
	return n, true, nil
}

func (f *fake) Write(b []byte, wait time.Duration) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.inGone:
		return 0, proc.ErrClosed
	case f.full && len(f.ready) > 0:
		return 0, proc.ErrReadable
	case f.full:
		f.waited = wait
		time.Sleep(wait)
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
	if f.exit == nil {
		return proc.Exit{}, false
	}
	return *f.exit, true
}

func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) CPU() time.Duration    { return f.cpu }
func (f *fake) RunDelay() time.Duration {
	d := f.delay
	f.delay += f.growth
	return d
}
func (f *fake) OverMemory() int64 { return f.over }
func (f *fake) InputClosed() bool { return f.inGone || f.hungUp }
