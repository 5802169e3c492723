package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// unprivileged runs a command without privileges, so that file modes apply
// even if the tests run as root.
func unprivileged() {
	err := error(nil)
	if os.Geteuid() == 0 {
		for _, power := range []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH} {
			if err == nil {
				err = unix.Prctl(unix.PR_CAPBSET_DROP, power, 0, 0, 0)
			}
		}
	}
	path, found := exec.LookPath(os.Args[1])
	if err == nil {
		err = found
	}
	if err == nil {
		err = syscall.Exec(path, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "unprivileged:", err)
	os.Exit(1)
}
