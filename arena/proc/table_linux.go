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
	pid, ppid, pgrp, session int
	start                    int64 // clock ticks since boot: with pid it identifies a process forever
	threads                  int
	zombie                   bool          // it has ended and waits to be reaped
	dying                    bool          // it is exiting or was killed: it runs no more of its own code
	own                      time.Duration // CPU time, in clock ticks
	waited                   time.Duration // CPU time of the children that it has waited for
	resident                 int64         // bytes
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
	var field [22]int64 // from the state on
	state := byte(0)
	i := 0
	for word := range bytes.FieldsSeq(buf[at+1 : n]) {
		if i == 0 {
			state = word[0]
		} else {
			field[i] = number(word)
		}
		if i++; i == len(field) {
			break
		}
	}
	if i < len(field) {
		return entry{}, false
	}
	return entry{
		pid: pid, ppid: int(field[1]), pgrp: int(field[2]), session: int(field[3]), start: field[19], threads: int(field[17]),
		// The first thread may have ended before the others.
		zombie: (state == 'Z' || state == 'X') && field[17] <= 1, dying: field[6]&flagsDying != 0,
		own: time.Duration(field[11]+field[12]) * clockTick, waited: time.Duration(field[13]+field[14]) * clockTick,
		resident: field[21] * int64(os.Getpagesize()),
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

// numbered lists the entries of a directory whose names are numbers.
func numbered(path string) []int {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var all []int
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// lister lists the children of a process's first thread, dead ones included. It
// may miss some while others exit.
type lister func(e entry) []int

// newLister is listed where the kernel has lists of children.
func newLister() lister {
	self := os.Getpid()
	if fd, err := openChildren(self, self); err == nil {
		unix.Close(fd)
		return listed
	}
	return searched
}

func openChildren(pid, thread int) (fd int, err error) {
	return unix.Open("/proc/"+strconv.Itoa(pid)+"/task/"+strconv.Itoa(thread)+"/children", unix.O_RDONLY|unix.O_CLOEXEC, 0)
}

// listed reads the kernel's list of a process's first thread.
func listed(e entry) []int { return readChildren(nil, e.pid, e.pid) }

func readChildren(to []int, pid, thread int) []int {
	fd, err := openChildren(pid, thread)
	if err != nil {
		return to
	}
	defer unix.Close(fd)
	var buf [4 << 10]byte
	for kept := 0; ; { // bytes of a number that is not complete
		n, err := unix.Read(fd, buf[kept:])
		if n <= 0 || err != nil {
			return to
		}
		text := buf[:kept+n]
		end := bytes.LastIndexByte(text, ' ') + 1 // a space follows each number
		for word := range bytes.FieldsSeq(text[:end]) {
			to = append(to, int(number(word)))
		}
		kept = copy(buf[:], text[end:])
	}
}

// searched looks at all processes of the system.
func searched(e entry) []int {
	var all []int
	buf := make([]byte, 1024)
	for _, pid := range numbered("/proc") {
		if child, ok := readStat(pid, buf); ok && child.ppid == e.pid {
			all = append(all, pid)
		}
	}
	return all
}

// adopted lists the orphans that this process adopted, and other children: the
// kernel gives orphans to the first thread.
func adopted(list lister) []int {
	self := os.Getpid()
	return list(entry{pid: self, threads: 1})
}

// lastPid is the last process number used: field 5 of /proc/loadavg.
func lastPid() int {
	var text [128]byte
	n, err := readFile("/proc/loadavg", text[:])
	f := bytes.Fields(text[:max(n, 0)])
	if err != nil || len(f) != 5 {
		return 0
	}
	return int(number(f[4]))
}
