package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// Await waits at most wait until one of two processes has written something or
// closed its output. Either may be nil.
func Await(a, b *Process, wait time.Duration) {
	var fds [2]unix.PollFd
	n := 0
	for _, p := range [2]*Process{a, b} {
		if p != nil {
			fds[n] = unix.PollFd{Fd: int32(p.out), Events: unix.POLLIN}
			n++
		}
	}
	ts := unix.NsecToTimespec(int64(max(wait, 0)))
	_, _ = unix.Ppoll(fds[:n], &ts, nil) // the caller checks for output in any case
}
