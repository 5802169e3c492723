//go:build linux || darwin

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// files makes sure that this process may open so many files.
func files(n int) error {
	var has syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &has); err != nil {
		return fmt.Errorf("limit of open files: %w", err)
	}
	want := syscall.Rlimit{Cur: max(has.Cur, uint64(n)), Max: max(has.Max, uint64(n))}
	if want == has {
		return nil
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &want); err != nil {
		return fmt.Errorf("a process needs %d open files, and its limit is %d (ulimit -n): use fewer workers, or more processes (-procs)", n, has.Max)
	}
	return nil
}

// memory is what this process has resident, in bytes; 0 where it is not known.
func memory() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	words := strings.Fields(string(text))
	if len(words) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(words[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// yieldTo lets other processes go first: workers stand for other machines.
func yieldTo() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, 19) }
