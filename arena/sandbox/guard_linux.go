package sandbox

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardName is argv[0] of a guard.
const guardName = "thera-guard"

// Guard is a small process that outlives a killed arena and kills what its
// engines left. The kernel's parent-death signal reaches an engine, but not what
// the engine started.
type Guard struct {
	pid  int
	pipe int
}

// StartGuard starts a guard. If this process ends without Dismiss, the guard
// kills every process whose limit of file locks, soft or hard, is at least low and
// below high. The error is ErrNotReady, or that of the start.
func StartGuard(low, high uint64) (*Guard, error) {
	if !installed {
		return nil, ErrNotReady
	}
	var fds [2]int
	if err := unix.Pipe2(fds[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	defer unix.Close(fds[0])
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		unix.Close(fds[1])
		return nil, err
	}
	defer null.Close()
	pid, err := syscall.ForkExec(self, []string{guardName, strconv.FormatUint(low, 10), strconv.FormatUint(high, 10)}, &syscall.ProcAttr{
		Dir: "/", Sys: &syscall.SysProcAttr{Setsid: true}, Files: []uintptr{uintptr(fds[0]), null.Fd(), null.Fd()},
	})
	if err != nil {
		unix.Close(fds[1])
		return nil, err
	}
	return &Guard{pid: pid, pipe: fds[1]}, nil
}

// Dismiss ends the guard when all engines have exited. It is killed, perhaps
// before it is ready, because it has nothing to put in order.
func (g *Guard) Dismiss() {
	if g == nil {
		return
	}
	_ = unix.Kill(g.pid, unix.SIGKILL)
	unix.Close(g.pipe) // not before: it takes the end of the pipe for the arena's
	_ = again(func() error {
		_, err := unix.Wait4(g.pid, nil, 0, nil)
		return err
	})
}

// guardMain is the life of a guard.
func guardMain() {
	low, err := strconv.ParseUint(os.Args[1], 10, 64)
	high, wrong := strconv.ParseUint(os.Args[2], 10, 64)
	if err != nil || wrong != nil {
		os.Exit(1)
	}
	n := 0
	err = again(func() (err error) {
		n, err = unix.Read(0, make([]byte, 1))
		return err
	})
	if err == nil && n == 0 { // the arena is dead
		h := hunter{low: low, high: high}
		h.hunt()
	}
	os.Exit(0)
}

// hunter finds processes by their limit of file locks, which children inherit
// and cannot raise.
type hunter struct{ low, high uint64 }

// huntPatience bounds the hunt: some processes cannot be killed.
const huntPatience = time.Minute

// hunt kills until nothing has been found for two rounds.
func (h *hunter) hunt() {
	end := time.Now().Add(huntPatience)
	for quiet := 0; quiet < 2 && time.Now().Before(end); quiet++ {
		swept, chased := h.sweep(), h.chase()
		if swept || chased {
			quiet = -1
		}
	}
}

// sweep looks at all processes and reports whether it found any.
func (h *hunter) sweep() (found bool) {
	paths, _ := filepath.Glob("/proc/[0-9]*")
	for _, path := range paths {
		if pid, err := strconv.Atoi(filepath.Base(path)); err == nil && h.kill(pid) {
			found = true
		}
	}
	return found
}

// The length of a chase, and how many of the newest processes it looks at.
const (
	chaseTime = 100 * time.Millisecond
	newest    = 8
)

// chase looks at the newest processes again and again. Of a chain of processes
// each one starts the next and exits, within some 100 microseconds: sweep comes
// too late. A process that is killed before it has forked starts none.
func (h *hunter) chase() (found bool) {
	load, err := unix.Open("/proc/loadavg", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(load)
	var text [128]byte
	for end := time.Now().Add(chaseTime); time.Now().Before(end); {
		n, err := unix.Pread(load, text[:], 0)
		if err != nil {
			return found
		}
		line := strings.TrimSpace(string(text[:n]))
		last, err := strconv.Atoi(line[strings.LastIndexByte(line, ' ')+1:])
		if err != nil {
			return found
		}
		for pid := last; pid > max(last-newest, 0); pid-- {
			if h.kill(pid) {
				found = true
			}
		}
	}
	return found
}

// kill kills a process if it is one of those, and reports whether it lived.
func (h *hunter) kill(pid int) bool {
	if !h.has(pid) {
		return false
	}
	fd, err := unix.PidfdOpen(pid, 0)
	if err == unix.ENOSYS || err == unix.EPERM { // before Linux 5.3, or not allowed in this container
		return unix.Kill(pid, unix.SIGKILL) == nil
	}
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	if !h.has(pid) { // the number belongs to another process by now
		return false
	}
	over := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	if n, _ := unix.Poll(over, 0); n > 0 { // it only waits for its parent
		return false
	}
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}

func (h *hunter) has(pid int) bool {
	var limit unix.Rlimit
	ours := func(n uint64) bool { return n >= h.low && n < h.high }
	return unix.Prlimit(pid, unix.RLIMIT_LOCKS, nil, &limit) == nil && (ours(limit.Max) || ours(limit.Cur))
}
