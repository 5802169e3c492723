//go:build unix

package web

import (
	"errors"
	"net"
	"syscall"
)

// trier returns a function that writes to a connection what its buffer in the kernel
// takes now.
func trier(conn net.Conn) func([]byte) (int, error) {
	var raw syscall.RawConn
	if c, ok := conn.(syscall.Conn); ok {
		raw, _ = c.SyscallConn()
	}
	if raw == nil {
		return func([]byte) (int, error) { return 0, nil }
	}
	return func(text []byte) (n int, err error) {
		closed := raw.Write(func(fd uintptr) bool {
			n, err = syscall.Write(int(fd), text)
			return true
		})
		if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR) {
			n, err = 0, nil
		}
		return max(n, 0), errors.Join(err, closed)
	}
}
