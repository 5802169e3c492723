//go:build linux && !amd64 && !arm64

package sandbox

import "errors"

const canFilter = false

func (c *confines) seccomp() error {
	return errors.New("the system calls of this architecture are not known")
}
