package proc

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// entry is one line of the system's process table.
type entry struct {
	pid, ppid int
	start     int64 // clock ticks since boot: with pid it identifies a process forever
	threads   int
	headless  bool          // its first thread has ended, others live
	zombie    bool          // it has ended and waits to be reaped
	dying     bool          // it is exiting or was killed: it runs no more of its own code
	own       time.Duration // CPU time, in clock ticks
	waited    time.Duration // CPU time of the children that it has waited for
	resident  int64         // bytes
}

// clockTick is the unit of times in /proc/PID/stat, the same on all systems.
const clockTick = time.Second / 100

// readStat reads /proc/PID/stat; see proc(5). The command name may contain
// spaces and parentheses, so fields count from the last parenthesis.
func readStat(pid int, buf []byte) (entry, bool) {
	n, err := readFile("/proc/"+strconv.Itoa(pid)+"/stat", buf)
	if err != nil || n <= 0 {
		return entry{}, false
	}
	at := bytes.LastIndexByte(buf[:n], ')')
	if at < 0 {
		return entry{}, false
	}
	words := bytes.Fields(buf[at+1 : n]) // from the state on
	if len(words) < 22 {
		return entry{}, false
	}
	state, field := words[0][0], func(i int) int64 { return number(words[i]) }
	ended := state == 'Z' || state == 'X'
	headless := ended && field(17) > 1
	return entry{
		pid: pid, ppid: int(field(1)), start: field(19), threads: int(field(17)),
		// The first thread, whose state and flags these are, may have ended before the others.
		zombie: ended && !headless, headless: headless, dying: !headless && field(6)&flagsDying != 0,
		own: time.Duration(field(11)+field(12)) * clockTick, waited: time.Duration(field(13)+field(14)) * clockTick,
		resident: field(21) * int64(os.Getpagesize()),
	}, true
}

// number reads a decimal number, and nothing else.
func number(word []byte) (n int64) {
	for _, c := range word {
		if c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	return n
}

// flagsDying are the kernel's PF_EXITING, PF_DUMPCORE and PF_SIGNALED. The
// kernel sets them before it closes a dying process's files.
const flagsDying = 0x4 | 0x200 | 0x400

// readFile reads a small file with one call.
func readFile(path string, buf []byte) (int, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	return unix.Read(fd, buf)
}
