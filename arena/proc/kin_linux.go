package proc

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// entry is one line of the system's process table.
type entry struct {
	pid, ppid, pgrp, session int
	zombie                   bool
	dying                    bool // it is exiting or was killed: it runs no more of its own code
	resident                 int64
}

// table reads /proc for processes that may have started after the process with
// number since. It leaves out processes that exit while it reads.
func table(since int) []entry {
	if lastPid() < since { // the numbers wrapped around
		since = 0
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var all []entry
	buf := make([]byte, 1024)
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid <= since {
			continue
		}
		if e, ok := readStat(pid, buf); ok {
			all = append(all, e)
		}
	}
	return all
}

// lastPid is the last process number used: field 5 of /proc/loadavg.
func lastPid() int {
	text, err := os.ReadFile("/proc/loadavg")
	f := bytes.Fields(text)
	if err != nil || len(f) != 5 {
		return 0
	}
	pid, _ := strconv.Atoi(string(f[4]))
	return pid
}

// readStat reads /proc/PID/stat; see proc(5). The command name may contain
// spaces and parentheses, so fields count from the last parenthesis.
func readStat(pid int, buf []byte) (entry, bool) {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return entry{}, false
	}
	n, err := unix.Read(fd, buf)
	unix.Close(fd)
	if err != nil || n <= 0 {
		return entry{}, false
	}
	at := bytes.LastIndexByte(buf[:n], ')')
	f := strings.Fields(string(buf[at+1 : n]))
	if at < 0 || len(f) < 22 {
		return entry{}, false
	}
	num := func(i int) int64 {
		v, _ := strconv.ParseInt(f[i], 10, 64)
		return v
	}
	return entry{
		pid: pid, ppid: int(num(1)), pgrp: int(num(2)), session: int(num(3)), zombie: f[0] == "Z", dying: num(6)&flagsDying != 0,
		resident: num(21) * int64(os.Getpagesize()),
	}, true
}

// flagsDying are the kernel's PF_EXITING, PF_DUMPCORE and PF_SIGNALED. The
// kernel sets them before it closes a dying process's files.
const flagsDying = 0x4 | 0x200 | 0x400

// descendants are the processes below pid, without pid itself.
func descendants(pid int) []int {
	all := table(pid)
	below := map[int]bool{pid: true}
	var kin []int
	for grown := true; grown; {
		grown = false
		for _, e := range all {
			if below[e.ppid] && !below[e.pid] {
				below[e.pid] = true
				kin = append(kin, e.pid)
				grown = true
			}
		}
	}
	return kin
}

// killKin kills what the dead process left behind: its former descendants, and
// orphans that this process adopted and that have its mark. It returns when
// they are reaped, or after a second.
func (p *Process) killKin(kin []int) {
	self := os.Getpid()
	session, _ := unix.Getsid(0)
	known := map[int]bool{}
	for _, pid := range kin {
		known[pid] = true
	}
	buf := make([]byte, 64<<10)
	began := time.Now()
	for look, end := 0, began.Add(time.Second); time.Now().Before(end); look++ {
		found := false
		for _, e := range table(p.pid) {
			if e.ppid != self && !known[e.pid] && e.pgrp != p.pid || e.pid == p.pid {
				continue
			}
			if !known[e.pid] && e.pgrp != p.pid && !e.zombie {
				ours, known := carries(e.pid, p.mark, buf)
				if !known && (look < execLooks || time.Since(began) < execPatience) {
					found = true // look again
				}
				if !ours {
					continue
				}
			}
			if e.zombie && !known[e.pid] && e.pgrp != p.pid {
				// An engine has its own waiter. What left this session was
				// adopted, and nobody else waits for it.
				if e.session != session {
					_, _ = unix.Wait4(e.pid, nil, unix.WNOHANG, nil)
				}
				continue
			}
			known[e.pid] = true
			found = true
			_ = unix.Kill(e.pid, unix.SIGKILL)
			if e.ppid == self { // it was killed and will exit; until it is reaped its number is not reused
				_, _ = unix.Wait4(e.pid, nil, 0, nil)
			}
		}
		if !found {
			return
		}
	}
}

// The wait for a process that is in exec ends after this time and this number
// of checks: on a busy machine the time alone may allow only one check.
const (
	execPatience = 50 * time.Millisecond
	execLooks    = 20
)

// carries reports whether the process was started with the mark. It does not
// know for a process that is in exec or has no environment.
func carries(pid int, mark string, buf []byte) (ours, known bool) {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/environ", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false, true // gone, or another user's
	}
	defer unix.Close(fd)
	n, err := unix.Read(fd, buf)
	return err == nil && n > 0 && bytes.Contains(append(buf[:n:n], 0), []byte("THERA_ENGINE="+mark+"\x00")), err != nil || n > 0
}
