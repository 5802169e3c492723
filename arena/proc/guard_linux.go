package proc

import (
	"fmt"
	"os"
	"strconv"
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
// dead: the script kills everything that has a label of the arena, until
// nothing has one.
const guardScript = `read -r done && exit 0
for again in $(seq 200); do
	found=
	for file in $(grep -ls "$0" /proc/[0-9]*/limits); do
		pid=${file#/proc/}
		kill -9 "${pid%/limits}"
		found=yes
	done
	[ "$found$again" = 1 ] || [ "$found" ] || exit 0
done 2>/dev/null`

func newGuard(tag uint64) *guard {
	if tag == 0 {
		return nil
	}
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
	pattern := fmt.Sprintf("^Max file locks *[0-9a-z]*  *%d[0-9]\\{%d\\} ", tag, len(strconv.Itoa(startsOfSpawner))-1)
	labelling.Lock() // the guard gets no label
	pid, err := syscall.ForkExec("/bin/sh", []string{"sh", "-c", guardScript, pattern}, &syscall.ProcAttr{
		Dir: "/", Env: environment(os.Environ(), nil), Sys: &syscall.SysProcAttr{Setsid: true},
		Files: []uintptr{uintptr(fds[0]), null.Fd(), null.Fd()},
	})
	labelling.Unlock()
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
