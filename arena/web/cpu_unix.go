//go:build unix

package web

import (
	"syscall"
	"time"
)

// ownCPU is the processor time of this program, without its engines.
func ownCPU() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
