package proc

import "golang.org/x/sys/unix"

// Unread is the number of bytes that were written to the process and that it has not
// read. known is false where the system does not say.
func (p *Process) Unread() (n int, known bool) {
	if p.in < 0 {
		return 0, true
	}
	n, err := unix.IoctlGetInt(p.in, unix.TIOCINQ)
	return n, err == nil
}

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
