package sandbox

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// Family lists the children of a process, dead ones included. It may miss some while others
// exit. threads is how many it has, 0 if that is not known: one needs no list of them.
func Family(pid, threads int) (pids []int) {
	if !listsChildren() {
		return slices.DeleteFunc(Numbered("/proc"), func(child int) bool { return parentOf(child) != pid })
	}
	dir := "/proc/" + strconv.Itoa(pid) + "/task/"
	all := []int{pid}
	if threads != 1 {
		all = Numbered(dir)
	}
	for _, thread := range all {
		text, _ := contents(dir + strconv.Itoa(thread) + "/children") // none of a thread that is gone
		for word := range bytes.FieldsSeq(text) {
			child, _ := strconv.Atoi(string(word))
			pids = append(pids, child)
		}
	}
	return pids
}

// listsChildren reports whether this kernel lists the children of a thread.
var listsChildren = sync.OnceValue(func() bool {
	_, err := contents("/proc/thread-self/children")
	return err == nil
})

// contents reads a file of /proc. Package os makes three times as many system calls for it, of
// which an engine that ends needs some hundred.
func contents(path string) (text []byte, err error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	for {
		text = slices.Grow(text, 1<<9)
		n, err := unix.Read(fd, text[len(text):cap(text)])
		if n <= 0 {
			return text, err
		}
		text = text[:len(text)+n]
	}
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

// Stat are the words of /proc/PID/stat from the state on, none if the process is gone; see
// proc(5). The command name before them may have spaces and parentheses.
func Stat(pid int) [][]byte {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/stat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	text := make([]byte, 1<<10)
	n, _ := unix.Read(fd, text)
	text = text[:max(n, 0)]
	return bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
}

// parentOf is the parent of a process, 0 if it is gone.
func parentOf(pid int) int {
	words := Stat(pid)
	if len(words) < 2 {
		return 0
	}
	parent, _ := strconv.Atoi(string(words[1]))
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
	ours, _ := unix.Getsid(0)
	return err == nil && !inits.pids[pid] && (session != ours || group != unix.Getpgrp())
}

// endChildren kills the children of this process that are to go, with everything
// below them, and reaps them, until none is left or the time is over.
//
// It first stops them until there are no more to stop. So none can start another
// one and exit, or fill the place of one that was killed.
func endChildren(goes func(pid int) bool, patience time.Duration) {
	if err := unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil); err == unix.ECHILD {
		return // and nothing below them: it would be theirs, or this process's
	}
	began := time.Now()
	for none := 0; none < 2 && time.Since(began) < patience; none++ { // one round may miss some
		seen := map[int]bool{}
		for signalChildren(goes, unix.SIGSTOP, seen) && time.Since(began) < stopPatience {
			none = 0
		}
		if clear(seen); signalChildren(goes, unix.SIGKILL, seen) {
			none = -1
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// stopPatience bounds the hunt for a process that always starts another.
const stopPatience = time.Second

// signalChildren sends a signal to the children that are to go and to all below them, and
// reaps those that have ended. It reports whether one of them was not seen before.
func signalChildren(goes func(pid int) bool, sig unix.Signal, seen map[int]bool) (fresh bool) {
	self := os.Getpid()
	for _, pid := range Family(self, 0) {
		if goes(pid) {
			got, _ := unix.Wait4(pid, nil, unix.WNOHANG, nil)
			fresh = got == pid || signalBranch(pid, self, sig, seen) || fresh
		}
	}
	return fresh
}

// signalBranch sends a signal to a process, if it still is the child of parent or of
// this process, and to all below it. It reports whether one of them was not seen before.
func signalBranch(pid, parent int, sig unix.Signal, seen map[int]bool) (fresh bool) {
	if now := parentOf(pid); now != parent && now != os.Getpid() {
		return false
	}
	fresh, seen[pid] = !seen[pid], true
	below := Family(pid, 0)
	_ = unix.Kill(pid, sig)
	for _, child := range below {
		fresh = signalBranch(child, pid, sig, seen) || fresh
	}
	return fresh
}
