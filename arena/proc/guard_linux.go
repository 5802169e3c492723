package proc

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// guard is a small process that outlives a killed arena and kills what its
// engines left. The kernel's parent-death signal reaches an engine, but not
// what a wrapper script started. Without a shell there is no guard.
type guard struct {
	pid  int
	pipe int
}

// guardScript waits for a line. If its input ends without one, the arena is
// dead: the script kills everything that has the arena's tag, twice, to catch
// processes that were just starting.
const guardScript = `read -r done && exit 0
for again in 1 2; do
	for file in $(grep -ls "$0" /proc/[0-9]*/environ); do
		pid=${file#/proc/}
		kill -9 "${pid%/environ}"
	done
done 2>/dev/null`

func newGuard(tag string) *guard {
	var fds [2]int
	if unix.Pipe2(fds[:], unix.O_CLOEXEC) != nil {
		return nil
	}
	defer unix.Close(fds[0])
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		unix.Close(fds[1])
		return nil
	}
	defer null.Close()
	pid, err := syscall.ForkExec("/bin/sh", []string{"sh", "-c", guardScript, mark + "=" + tag + "."}, &syscall.ProcAttr{
		Dir: "/", Env: os.Environ(), Sys: &syscall.SysProcAttr{Setsid: true},
		Files: []uintptr{uintptr(fds[0]), null.Fd(), null.Fd()},
	})
	if err != nil {
		unix.Close(fds[1])
		return nil
	}
	return &guard{pid: pid, pipe: fds[1]}
}

// dismiss ends the guard when all engines have exited.
func (g *guard) dismiss() {
	if g == nil {
		return
	}
	_, _ = unix.Write(g.pipe, []byte("done\n"))
	unix.Close(g.pipe)
	for {
		if _, err := unix.Wait4(g.pid, nil, 0, nil); err != unix.EINTR {
			return
		}
	}
}
