//go:build !linux

package proc

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Spawner starts processes.
type Spawner struct{}

// NewSpawner returns a ready Spawner.
func NewSpawner() (*Spawner, error) { return &Spawner{}, nil }

// Close ends the Spawner.
func (s *Spawner) Close() error { return nil }

// Unenforced says what this operating system cannot do.
const Unenforced = "CPU affinity, memory limits, CPU clocks and the end of engines after a killed arena are not enforced here"

// Start starts a process with pipes to it.
func (s *Spawner) Start(spec Spec) (*Process, error) {
	if len(spec.Argv) == 0 {
		return nil, &StartError{Err: errors.New("no command")}
	}
	cmd := exec.Command(spec.Argv[0], spec.Argv[1:]...)
	cmd.Dir = spec.Dir
	cmd.Env = environment(os.Environ(), spec.Env)
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = time.Second
	p := &Process{
		cmd: cmd, chunks: make(chan []byte), exited: make(chan struct{}),
		wake: make(chan struct{}, 1), quit: make(chan struct{}),
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = &p.tail
	p.in = in
	if err := cmd.Start(); err != nil {
		return nil, &StartError{Argv: spec.Argv, Dir: spec.Dir, Err: err}
	}
	p.helpers.Go(func() { p.pump(out) })
	return p, nil
}

// Process is a running engine.
type Process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	tail    tail
	chunks  chan []byte // unbuffered: the pipe is the buffer
	rest    []byte
	ended   bool
	exited  chan struct{}
	exit    Exit
	wake    chan struct{}
	quit    chan struct{}
	once    sync.Once
	helpers sync.WaitGroup
	writing chan error
}

// pump passes output on and then waits for the process to exit.
func (p *Process) pump(out io.Reader) {
	for {
		buf := make([]byte, 64<<10)
		n, err := out.Read(buf)
		if n > 0 {
			select {
			case p.chunks <- buf[:n]:
			case <-p.quit:
			}
		}
		if err != nil {
			break
		}
	}
	close(p.chunks)
	_ = p.cmd.Wait()
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		p.exit = Exit{Signal: int(status.Signal()), Name: status.Signal().String()}
	} else {
		p.exit = Exit{Code: p.cmd.ProcessState.ExitCode()}
	}
	close(p.exited)
	p.Wake()
}

// Read waits at most wait for output.
func (p *Process) Read(buf []byte, wait time.Duration) (int, error) {
	if len(p.rest) == 0 && !p.ended {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case p.rest = <-p.chunks:
			p.ended = p.rest == nil
		case <-p.wake:
			return 0, ErrWoken
		case <-timer.C:
			return 0, ErrDeadline
		}
	}
	n, _, err := p.TryRead(buf)
	return n, err
}

// TryRead reads without waiting; ok is false when nothing is there.
func (p *Process) TryRead(buf []byte) (n int, ok bool, err error) {
	if len(p.rest) == 0 && !p.ended {
		select {
		case p.rest = <-p.chunks:
			p.ended = p.rest == nil
		default:
			return 0, false, nil
		}
	}
	if p.ended {
		return 0, true, io.EOF
	}
	n = copy(buf, p.rest)
	p.rest = p.rest[n:]
	return n, true, nil
}

// Write writes all of b or returns ErrDeadline. After ErrDeadline it is
// unknown how much was written, and the process is unusable.
func (p *Process) Write(b []byte, wait time.Duration) (int, error) {
	if p.writing == nil {
		p.writing = make(chan error, 1)
		text := append([]byte(nil), b...)
		p.helpers.Go(func() {
			_, err := p.in.Write(text)
			p.writing <- err
		})
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err := <-p.writing:
		p.writing = nil
		if err != nil {
			return 0, ErrClosed
		}
		return len(b), nil
	case <-p.wake:
		return 0, ErrWoken
	case <-timer.C:
		return 0, ErrDeadline
	}
}

// CloseStdin closes the process's input.
func (p *Process) CloseStdin() { _ = p.in.Close() }

// Wake makes a Read or Write in progress, or the next one, return ErrWoken.
func (p *Process) Wake() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Pid is the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// Ending reports whether the process has exited. Whether it is about to is not
// known here.
func (p *Process) Ending() bool {
	_, over := p.Exited()
	return over
}

// Stderr is the end of the process's stderr output, at most 64 KiB.
func (p *Process) Stderr() string { return p.tail.String() }

// StderrBytes is the number of bytes that the process wrote to stderr.
func (p *Process) StderrBytes() int64 { return p.tail.Total() }

// CPU is not known here while the process runs.
func (p *Process) CPU() time.Duration { return 0 }

// CPUNow is unknown too.
func (p *Process) CPUNow() time.Duration { return 0 }

// Threads are not known here.
func (p *Process) Threads() map[int]Thread { return nil }

// RunDelay is not known here.
func (p *Process) RunDelay() time.Duration { return 0 }

// Resident is not known here.
func (p *Process) Resident() int64 { return 0 }

// MemoryHow says what enforces an engine's memory limit.
func MemoryHow() string { return "not at all" }

// InputClosed is always false: only a write can find out here.
func (p *Process) InputClosed() bool { return false }

// Unread is not known here.
func (p *Process) Unread() (n int, known bool) { return 0, false }

// Misuse is always "": nothing is looked at here.
func (p *Process) Misuse() string { return "" }

// OverMemory is always 0: limits are not enforced here.
func (p *Process) OverMemory() int64 { return 0 }

// Kill kills the process, and its group if the system has groups.
func (p *Process) Kill() {
	select {
	case <-p.exited:
	default:
		killGroup(p.cmd.Process)
	}
}

// Close kills the process and frees its pipes. It is the last call.
func (p *Process) Close() error {
	p.once.Do(func() {
		close(p.quit)
		p.Kill()
		_ = p.in.Close()
		p.helpers.Wait()
	})
	return nil
}
