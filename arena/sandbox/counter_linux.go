package sandbox

import (
	"encoding/binary"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// openCounter opens a counter of the CPU time of the program that this thread will
// start and of all that the program starts, living and dead, waited for or not. It
// begins with the program's first instruction. It is -1 where the system keeps counters
// to itself: perf_event_paranoid, or a container.
//
// The kernel may be excluded, as ordinary users must: this clock has its time all
// the same.
func openCounter() int {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK,
		Bits: unix.PerfBitDisabled | unix.PerfBitEnableOnExec | unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return -1
	}
	return fd
}

// uncounted is what is missed without a counter.
const uncounted = "CPU time of children that nobody waits for"

// CPU is the CPU time of the engine and of all that it started, whoever waited for
// it; ok is false where the system has no such counter. It is not that of a program
// which its user may execute but not read.
func (c *Child) CPU() (used time.Duration, ok bool) {
	var count [8]byte
	n, err := unix.Read(c.counter, count[:])
	return time.Duration(binary.NativeEndian.Uint64(count[:])), err == nil && n == len(count)
}
