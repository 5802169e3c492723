package proc

import "golang.org/x/sys/unix"

// InputClosed reports whether nobody can read what is written: the process and
// everything it started have closed their input or exited.
func (p *Process) InputClosed() bool {
	if p.in < 0 {
		return false
	}
	fds := [1]unix.PollFd{{Fd: int32(p.in)}}
	for {
		n, err := unix.Poll(fds[:], 0)
		if err != unix.EINTR {
			return err == nil && n > 0 && fds[0].Revents&unix.POLLERR != 0
		}
	}
}
