package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Children lists the children of a thread, dead ones included. It may miss some
// while others exit. Orphans are children of a first thread.
func Children(pid, thread int) (pids []int) {
	if !kernelLists() {
		return searched(pid)
	}
	fd, err := openChildren(pid, thread)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var buf [4 << 10]byte
	for kept := 0; ; { // bytes of a number that is not complete
		n, err := unix.Read(fd, buf[kept:])
		if n <= 0 || err != nil {
			return pids
		}
		text := buf[:kept+n]
		end := bytes.LastIndexByte(text, ' ') + 1 // a space follows each number
		for word := range bytes.FieldsSeq(text[:end]) {
			if pid, err := strconv.Atoi(string(word)); err == nil {
				pids = append(pids, pid)
			}
		}
		kept = copy(buf[:], text[end:])
	}
}

func openChildren(pid, thread int) (fd int, err error) {
	return unix.Open("/proc/"+strconv.Itoa(pid)+"/task/"+strconv.Itoa(thread)+"/children", unix.O_RDONLY|unix.O_CLOEXEC, 0)
}

// kernelLists reports whether this kernel lists children.
var kernelLists = sync.OnceValue(func() bool {
	fd, err := openChildren(os.Getpid(), os.Getpid())
	if err == nil {
		unix.Close(fd)
	}
	return err == nil
})

// searched looks at all processes of the system.
func searched(parent int) (pids []int) {
	for _, pid := range Numbered("/proc") {
		if parentOf(pid) == parent {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Numbered lists the entries of a directory whose names are numbers.
func Numbered(path string) (all []int) {
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// parentOf is the parent of a process, 0 if it is gone.
func parentOf(pid int) int {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1]))
	return parent
}

// inits are the inits that this process started.
var inits = struct {
	sync.Mutex
	pids map[int]bool
}{pids: map[int]bool{}}

// reap waits for an init that ends.
func reap(pid int) {
	_ = again(func() error {
		_, err := unix.Wait4(pid, nil, 0, nil)
		return err
	})
	inits.Lock()
	delete(inits.pids, pid)
	inits.Unlock()
}

// stray reports whether a child of this process was adopted from a killed init.
// What this process started itself is in its session and in its process group, or
// is an init.
func stray(pid int) bool {
	inits.Lock()
	defer inits.Unlock()
	group, err := unix.Getpgid(pid)
	session, _ := unix.Getsid(pid)
	own, _ := unix.Getsid(0)
	return err == nil && !inits.pids[pid] && (session != own || group != unix.Getpgrp())
}

// endChildren kills the children of this process that are to go, with everything
// below them, and reaps them, until none is left or the time is over.
//
// It first stops them until there are no more to stop. So none can start another
// one and exit, or fill the place of one that was killed.
func endChildren(goes func(pid int) bool, patience time.Duration) {
	self := os.Getpid()
	began, fresh, seen := time.Now(), true, map[int]bool{}
	for quiet := 0; quiet < 2 && time.Since(began) < patience; { // one round may miss some
		sig := unix.SIGSTOP
		if !fresh || time.Since(began) > stopPatience {
			sig = unix.SIGKILL
		}
		quiet, fresh = quiet+1, false
		for _, pid := range Children(self, self) {
			if !goes(pid) {
				continue
			}
			quiet = 0
			if got, _ := unix.Wait4(pid, nil, unix.WNOHANG, nil); got == pid || endBranch(pid, self, sig, seen) {
				fresh = true
			}
		}
		if sig == unix.SIGKILL && quiet == 0 {
			clear(seen)
			fresh = true
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// stopPatience bounds the hunt for a process that always starts another.
const stopPatience = time.Second

// endBranch sends a signal to a process, if it still is the child of parent or of
// this process, and to all below it. It reports whether one of them was not seen
// before.
func endBranch(pid, parent int, sig unix.Signal, seen map[int]bool) (fresh bool) {
	fd, err := unix.PidfdOpen(pid, 0) // from here on the number is not another's
	now := parentOf(pid)
	if now != parent && now != os.Getpid() {
		unix.Close(fd)
		return false
	}
	fresh, seen[pid] = !seen[pid], true
	below := family(pid)
	if err == nil {
		_ = unix.PidfdSendSignal(fd, sig, nil, 0)
		unix.Close(fd)
	} else if now == os.Getpid() { // before Linux 5.3; but nobody else can reap it
		_ = unix.Kill(pid, sig)
	}
	for _, child := range below {
		fresh = endBranch(child, pid, sig, seen) || fresh
	}
	return fresh
}

// family lists the children of all threads of a process.
func family(pid int) (pids []int) {
	for _, thread := range Numbered("/proc/" + strconv.Itoa(pid) + "/task") {
		pids = append(pids, Children(pid, thread)...)
	}
	return pids
}
