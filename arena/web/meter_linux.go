package web

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// meter measures the CPU time of one goroutine, with what the kernel does for it.
type meter time.Duration

func startMeter() meter {
	runtime.LockOSThread()
	return meter(threadCPU())
}

func (m meter) stop() time.Duration {
	defer runtime.UnlockOSThread()
	return threadCPU() - time.Duration(m)
}

func threadCPU() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) // it always can
	return time.Duration(t.Nano())
}
