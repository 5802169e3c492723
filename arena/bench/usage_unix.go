//go:build unix

package bench

import (
	"runtime"
	"syscall"
)

// ownMemory is the most memory that this process ever had resident, in bytes.
func ownMemory() int64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
