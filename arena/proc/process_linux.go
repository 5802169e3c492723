package proc

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Process is a running engine. One goroutine may use Read, TryRead and Write.
// Everything else is safe for concurrent use.
type Process struct {
	spec   Spec
	tmp    string // its private temporary folder, "" without one
	inits  *inits // of its Spawner
	child  *sandbox.Child
	pid    int
	top    int        // its init
	in     int        // the arena writes
	out    int        // the arena reads
	wake   int        // eventfd
	waking sync.Mutex // a call of Wake may race with Close, which frees wake
	stderr *os.File
	tail   tail
	fds    [3]unix.PollFd
	near   near
	silent bool // it closed its output, and all of that was read

	exited  chan struct{}
	exit    Exit         // after exited
	limit   atomic.Int64 // of memory in bytes, 0: none
	over    atomic.Int64 // resident bytes when the limit was exceeded
	misuse  atomic.Pointer[string]
	quit    chan struct{} // closed by Close: the sampler ends
	once    sync.Once
	helpers sync.WaitGroup

	mu     sync.Mutex
	reaped bool // the number may belong to another process by now
	usage
}

// await waits for the engine's end, and leaves that of its init to another
// goroutine: the end of namespaces takes the kernel milliseconds.
func (p *Process) await() {
	status, used, ok := p.child.Wait()
	counted, _ := p.child.CPU()
	p.mu.Lock()
	p.reaped = true // of the engine nothing is left
	p.last = max(p.last, used, counted)
	p.mu.Unlock()
	var again *sandbox.Init
	if ok {
		again = p.child.Again(p.spec.Memory)
	}
	if status.Signaled() {
		p.exit = Exit{Signal: int(status.Signal()), Name: unix.SignalName(status.Signal()), Core: status.CoreDump()}
	} else {
		p.exit = Exit{Code: status.ExitStatus()}
	}
	if had := p.child.Killed(p.spec.Memory); had > 0 {
		p.over.CompareAndSwap(0, had)
	}
	if again != nil {
		p.inits.keep(p.spec.engine(), again)
	} else {
		p.inits.ends.Go(p.child.Close)
	}
	close(p.exited)
	p.Wake()
}

// Kill kills all processes of the engine, without waiting for their end.
func (p *Process) Kill() { p.kill((*sandbox.Child).Kill) }

func (p *Process) kill(how func(*sandbox.Child)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.reaped { // later its init's number may be another's
		how(p.child)
	}
}

// Pid is the number of the process and of its group.
func (p *Process) Pid() int { return p.pid }

// Ending reports whether the process has exited or is about to. The kernel
// says so before it closes the process's pipes, and before a wait can return.
// Ending kills a process that exceeds its memory limit.
func (p *Process) Ending() bool {
	if _, over := p.Exited(); over {
		return true
	}
	e, there := readStat(p.pid)
	if !there || e.zombie || e.dying {
		return true
	}
	return p.limit.Load() > 0 && p.enforce()
}

// Wake makes a Read or Write in progress, or the next one, return ErrWoken.
func (p *Process) Wake() {
	p.waking.Lock()
	defer p.waking.Unlock()
	if p.wake >= 0 {
		one := [8]byte{1}
		_, _ = unix.Write(p.wake, one[:])
	}
}

// soon is so short a wait that to sleep and be woken would take most of it.
const soon = 100 * time.Microsecond

// Read waits at most wait for output and returns it. It may return 0 and no
// error; then try again. io.EOF is the end of output.
//
// If the last output came soon, Read looks for more for as long before it sleeps. The process
// may wait for the processor of the arena: if nothing has come yet, it gets that.
func (p *Process) Read(buf []byte, wait time.Duration) (int, error) {
	began := time.Now()
	for waits := p.near.kept; p.near.quick > 0 && time.Since(began) < min(wait, soon); waits = !waits {
		if waits {
			_, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0)
		}
		if n, ok, err := p.TryRead(buf); ok || err != nil {
			p.near.quick++
			return n, err
		}
	}
	p.release()
	n, err := p.sleep(buf, wait-time.Since(began))
	if n > 0 && time.Since(began) < soon {
		p.near.quick = 1
	}
	return n, err
}

// sleep is Read without the look before.
func (p *Process) sleep(buf []byte, wait time.Duration) (int, error) {
	p.fds[0] = unix.PollFd{Fd: int32(p.out), Events: unix.POLLIN}
	p.fds[1] = unix.PollFd{Fd: int32(p.wake), Events: unix.POLLIN}
	if err := p.poll(2, wait); err != nil {
		return 0, err
	}
	if p.fds[0].Revents != 0 {
		n, _, err := p.TryRead(buf)
		return n, err
	}
	if p.fds[1].Revents != 0 {
		p.drainWake()
		return 0, ErrWoken
	}
	return 0, nil
}

// poll waits for the first n of fds. An interrupted wait returns no events.
func (p *Process) poll(n int, wait time.Duration) error {
	ts := unix.NsecToTimespec(int64(max(wait, 0)))
	got, err := unix.Ppoll(p.fds[:n], &ts, nil)
	switch {
	case err == unix.EINTR:
		for i := range p.fds[:n] {
			p.fds[i].Revents = 0
		}
		return nil
	case err != nil:
		return fmt.Errorf("waiting for process %d: %w", p.pid, err)
	case got == 0:
		return ErrDeadline
	}
	return nil
}

func (p *Process) drainWake() {
	var count [8]byte
	_, _ = unix.Read(p.wake, count[:])
}

// TryRead reads without waiting; ok is false if there is no output.
func (p *Process) TryRead(buf []byte) (n int, ok bool, err error) {
	n, err = quick(unix.SYS_READ, p.out, buf)
	switch {
	case n > 0:
		return n, true, nil
	case err == unix.EAGAIN || err == unix.EINTR:
		return 0, false, nil
	case err != nil:
		return 0, false, fmt.Errorf("reading from process %d: %w", p.pid, err)
	}
	return 0, true, io.EOF
}

// Write writes as much as fits and waits at most wait for room. ErrReadable
// means that there is no room and that output is waiting: a process that
// blocks on its output does not read. ErrClosed means that nobody will
// read.
func (p *Process) Write(b []byte, wait time.Duration) (int, error) {
	p.follow()
	n, err := quick(unix.SYS_WRITE, p.in, b)
	switch {
	case n > 0:
		return n, nil
	case err == unix.EPIPE:
		return 0, ErrClosed
	case err == unix.EINTR:
		return 0, nil
	case err != unix.EAGAIN:
		return 0, fmt.Errorf("writing to process %d: %w", p.pid, err)
	}
	p.fds[0] = unix.PollFd{Fd: int32(p.in), Events: unix.POLLOUT}
	p.fds[1] = unix.PollFd{Fd: int32(p.wake), Events: unix.POLLIN}
	p.fds[2] = unix.PollFd{Fd: int32(p.out), Events: unix.POLLIN}
	if p.silent {
		p.fds[2].Fd = -1 // which is not looked at
	}
	if err := p.poll(3, wait); err != nil {
		return 0, err
	}
	switch {
	case p.fds[0].Revents != 0:
		return 0, nil
	case p.fds[1].Revents != 0:
		p.drainWake()
		return 0, ErrWoken
	case p.fds[2].Revents&unix.POLLIN != 0:
		return 0, ErrReadable
	case p.fds[2].Revents != 0: // closed: only room or the end can follow
		p.silent = true
	}
	return 0, nil
}

// quick reads from or writes to a non-blocking pipe. It does not tell the
// scheduler, which would prepare for a wait that never comes.
func quick(call uintptr, fd int, buf []byte) (int, error) {
	if len(buf) == 0 {
		return 0, nil
	}
	n, _, errno := unix.RawSyscall(call, uintptr(fd), uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)))
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// CloseStdin closes the process's input.
func (p *Process) CloseStdin() {
	if p.in >= 0 {
		unix.Close(p.in)
		p.in = -1
	}
}

// Close kills the process with everything it started and frees its pipes. It
// is the last call.
func (p *Process) Close() error {
	var err error
	p.once.Do(func() {
		p.kill((*sandbox.Child).End)
		select {
		case <-p.exited:
		case <-time.After(killPatience):
			err = fmt.Errorf("process %d, or what it started, still runs %v after SIGKILL", p.pid, killPatience)
		}
		close(p.quit)
		_ = p.stderr.SetReadDeadline(time.Now().Add(drainPatience))
		if err == nil {
			p.helpers.Wait()
		}
		p.closeFiles()
	})
	return err
}

// drainPatience bounds reading the last output of a dead process, which ends at once unless
// another one has its pipe: the arena may have had no core for a while.
const drainPatience = 5 * time.Second

// killPatience bounds the wait for a process that the kernel cannot kill, in
// uninterruptible sleep.
const killPatience = 30 * time.Second

func (p *Process) closeFiles() {
	p.waking.Lock()
	defer p.waking.Unlock()
	for _, fd := range []*int{&p.in, &p.out, &p.wake} {
		if *fd >= 0 {
			unix.Close(*fd)
			*fd = -1
		}
	}
	_ = p.stderr.Close()
}
