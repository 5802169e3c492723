//go:build !linux

package proc

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// Unenforced says what this operating system cannot do.
const Unenforced = "CPU affinity, memory limits, CPU clocks and the end of engines after a killed arena are not enforced here"

// MemoryHow says what enforces an engine's memory limit.
func MemoryHow() string { return "not at all" }

// Spawner starts processes.
type Spawner struct{}

// NewSpawner returns a ready Spawner.
func NewSpawner() (*Spawner, error) { return &Spawner{}, nil }

// Close ends the Spawner.
func (s *Spawner) Close() error { return nil }

// Process is a running engine. Pipes of the system have no deadlines everywhere, so
// goroutines pass on what they carry.
type Process struct {
	cmd     *exec.Cmd
	in, out net.Conn
	tail    tail
	exited  chan struct{}
	exit    Exit
	mu      sync.Mutex // of woken and the deadlines
	woken   bool
	once    sync.Once
	helpers sync.WaitGroup
}

// Start starts a process with pipes to it.
func (s *Spawner) Start(spec Spec) (*Process, error) {
	if len(spec.Argv) == 0 {
		return nil, &StartError{Err: errors.New("no command")}
	}
	p := &Process{cmd: exec.Command(spec.Argv[0], spec.Argv[1:]...), exited: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = spec.Dir, environment(os.Environ(), spec.Env), &p.tail
	p.cmd.SysProcAttr, p.cmd.WaitDelay = ownGroup(), time.Second
	stdin, err := p.cmd.StdinPipe()
	stdout, wrong := p.cmd.StdoutPipe()
	program := p.cmd.Path
	if !filepath.IsAbs(program) {
		program = filepath.Join(spec.Dir, program)
	}
	if err = errors.Join(err, wrong, startable(program)); err == nil {
		err = explained(program, p.cmd.Start())
	}
	if err != nil {
		return nil, &StartError{Argv: spec.Argv, Dir: spec.Dir, Err: err}
	}
	var fromArena, toArena net.Conn
	p.in, fromArena = net.Pipe()
	p.out, toArena = net.Pipe()
	p.helpers.Go(func() {
		_, _ = io.Copy(stdin, fromArena)
		fromArena.Close()
		stdin.Close()
	})
	p.helpers.Go(func() {
		_, _ = io.Copy(toArena, stdout)
		toArena.Close()
		_, _ = io.Copy(io.Discard, stdout) // after a Close here
		p.await()
	})
	return p, nil
}

func (p *Process) await() {
	_ = p.cmd.Wait()
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		p.exit = Exit{Signal: int(status.Signal()), Name: status.Signal().String()}
	} else {
		p.exit = Exit{Code: p.cmd.ProcessState.ExitCode()}
	}
	close(p.exited)
	p.Wake()
}

// Wake makes a Read or Write in progress, or the next one, return ErrWoken.
func (p *Process) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.woken = true
	_, _ = p.in.SetWriteDeadline(time.Unix(1, 0)), p.out.SetReadDeadline(time.Unix(1, 0))
}

// until sets deadlines for one call, which is over at once if Wake was called.
func (p *Process) until(set func(time.Time) error, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.woken {
		_ = set(time.Now().Add(wait))
	}
}

// over is the error of a call that has ended.
func (p *Process) over(n int, err, closed error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case n > 0 || err == nil:
		return nil
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return closed
	case p.woken:
		p.woken = false
		return ErrWoken
	}
	return ErrDeadline
}

// Read waits at most wait for output.
func (p *Process) Read(buf []byte, wait time.Duration) (int, error) {
	p.until(p.out.SetReadDeadline, wait)
	n, err := p.out.Read(buf)
	return n, p.over(n, err, io.EOF)
}

// TryRead reads with hardly a wait; ok is false when nothing is there.
func (p *Process) TryRead(buf []byte) (n int, ok bool, err error) {
	_ = p.out.SetReadDeadline(time.Now().Add(time.Millisecond))
	n, err = p.out.Read(buf)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return 0, false, nil
	}
	return n, true, err
}

// Write writes as much as fits.
func (p *Process) Write(b []byte, wait time.Duration) (int, error) {
	p.until(p.in.SetWriteDeadline, wait)
	n, err := p.in.Write(b)
	return n, p.over(n, err, ErrClosed)
}

// CloseStdin closes the process's input.
func (p *Process) CloseStdin() { _ = p.in.Close() }

// Pid is the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Ending reports whether the process has exited. Whether it is about to is not
// known here.
func (p *Process) Ending() bool {
	_, over := p.Exited()
	return over
}

// Kill kills the process, and its group if the system has groups.
func (p *Process) Kill() {
	if _, over := p.Exited(); !over {
		killGroup(p.cmd.Process)
	}
}

// Close kills the process and frees its pipes. It is the last call.
func (p *Process) Close() error {
	p.once.Do(func() {
		p.Kill()
		_, _ = p.in.Close(), p.out.Close()
		p.helpers.Wait()
	})
	return nil
}

// What the system is not asked for here: CPU times, memory, threads, and what is in pipes.

func (p *Process) CPU() time.Duration             { return 0 }
func (p *Process) CPUNow() time.Duration          { return 0 }
func (p *Process) Threads() map[int]Thread        { return nil }
func (p *Process) InputClosed() bool              { return false }
func (p *Process) Unread() (n int, known bool)    { return 0, false }
func (p *Process) Misuse() string                 { return "" }
func (p *Process) OverMemory() int64              { return 0 }
func (Machine) Usage([]int) (u Usage, known bool) { return u, false }
