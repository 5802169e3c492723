package sandbox

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// counter counts the CPU time of the programs that one thread starts and of all that they
// start, living and dead, waited for or not. It begins with the first instruction of each. It
// is -1 where the system keeps counters to itself: perf_event_paranoid, or a container.
//
// It makes each change of processes slower, which a group does not that counts the same.
type counter int

// openCounter opens that of this thread. The kernel may be excluded, as ordinary users
// must: this clock has its time all the same.
func openCounter() counter {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK,
		Bits: unix.PerfBitDisabled | unix.PerfBitEnableOnExec | unix.PerfBitInherit | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	fd, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err != nil {
		return -1
	}
	return counter(fd)
}

func (c counter) close() {
	if c >= 0 {
		unix.Close(int(c))
	}
}

// uncounted is what is missed without a counter.
const uncounted = "CPU time of children that nobody waits for"

// cpuStat is the file of a group of version 2 with the CPU time of its processes, dead ones
// included.
const cpuStat = "cpu.stat"

// used is the CPU time of the programs of an init; ok is false where nothing counts it.
func (i *Init) used() (used time.Duration, ok bool) {
	var text [64]byte
	if i.meter == nil {
		n, err := unix.Read(int(i.counter), text[:8])
		return time.Duration(binary.NativeEndian.Uint64(text[:])), err == nil && n == 8
	}
	n, _ := i.meter.ReadAt(text[:], 0)
	line, _, _ := bytes.Cut(text[:n], []byte("\n"))
	micros, err := strconv.ParseInt(string(bytes.TrimPrefix(line, []byte("usage_usec "))), 10, 64)
	return time.Duration(micros) * time.Microsecond, err == nil
}

// CPU is the CPU time of the engine and of all that it started, whoever waited for
// it; ok is false where the system has no such counter. A counter has not that of a program
// which its user may execute but not read.
func (c *Child) CPU() (used time.Duration, ok bool) {
	used, ok = c.init.used()
	return used - c.init.before, ok
}
