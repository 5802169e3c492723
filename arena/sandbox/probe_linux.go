package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// probeName is argv[0] of the program that tries what an engine must not do.
const probeName = "thera-probe"

// probeMain tries to get out of its sandbox and prints what it could do, a
// protection a line. Its arguments are the arena's process, a port on which
// the arena listens, and a folder with a file.
func probeMain() {
	arena, _ := strconv.Atoi(os.Args[1])
	port, _ := strconv.Atoi(os.Args[2])
	folder := os.Args[3]
	for _, try := range []struct{ name, did string }{
		{holdsProcesses, reachProcess(arena)},
		{holdsNetwork, reachNetwork(port)},
		{holdsFiles, reachFiles(folder)},
		{holdsTmp, lackTmp()},
		{holdsCalls, callRefused()},
	} {
		fmt.Printf("%s: %s\n", try.name, try.did)
	}
	// The arena now lowers the limit of processes where it can. Before a call that
	// may wait, Go may start a thread, and would end without it. A raw call is none.
	text, one := []byte("ready\n"), make([]byte, 1)
	raw(unix.SYS_WRITE, 1, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	raw(unix.SYS_READ, 0, uintptr(unsafe.Pointer(&one[0])), 1)
	text = fmt.Appendf(nil, "%s: %s\ndone\n", holdsCount, reachCount())
	raw(unix.SYS_WRITE, 1, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
	unix.Exit(0)
}

// raw makes a system call of which Go's scheduler does not know, again if a signal
// interrupted it.
//
//go:uintptrescapes
func raw(call, a, b, c uintptr) {
	for {
		if _, _, errno := unix.RawSyscall6(call, a, b, c, 0, 0, 0); errno != unix.EINTR {
			return
		}
	}
}

func reachProcess(pid int) string {
	if err := unix.Kill(pid, 0); err == nil {
		return fmt.Sprintf("process %d can be signalled", pid)
	}
	if _, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil {
		return fmt.Sprintf("the environment of process %d can be read", pid)
	}
	return ""
}

func reachNetwork(port int) string {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	defer unix.Close(fd)
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err == nil {
		return "the arena's network can be used"
	}
	return ""
}

func reachFiles(folder string) string {
	if _, err := os.ReadFile(filepath.Join(folder, "secret")); err == nil {
		return "any file can be read"
	}
	if err := os.WriteFile(filepath.Join(folder, "written"), nil, 0o600); err == nil {
		return "any folder can be written"
	}
	if err := os.Chmod(filepath.Join(folder, "secret"), 0o600); err == nil {
		return "the mode of any file can be changed"
	}
	if _, err := os.ReadDir("/"); err == nil {
		return "any folder can be listed"
	}
	return ""
}

// lackTmp says what is wrong with the temporary folder.
func lackTmp() string {
	var stat unix.Statfs_t
	dir := os.Getenv("TMPDIR")
	switch err := unix.Statfs(dir, &stat); {
	case dir == "":
		return "there is none"
	case err != nil:
		return err.Error()
	case stat.Type != unix.TMPFS_MAGIC || int64(stat.Blocks)*int64(stat.Bsize) > tmpBytes || stat.Files > tmpFiles:
		return "it is not limited"
	}
	if err := os.WriteFile(filepath.Join(dir, "try"), []byte("x"), 0o600); err != nil {
		return err.Error()
	}
	return ""
}

func callRefused() string {
	if err := unix.PtraceSeize(1); !errors.Is(err, unix.EPERM) {
		return fmt.Sprintf("ptrace: %v", err)
	}
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil || !errors.Is(unix.SchedSetaffinity(0, &set), unix.EPERM) {
		return "the cores can be chosen"
	}
	if _, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err == nil {
		return "services of this machine can be called"
	}
	if _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0); err == nil {
		return "services of this machine can be sent datagrams"
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_UNSHARE, unix.CLONE_NEWUSER, 0, 0); errno == 0 {
		return "namespaces can be made"
	}
	return ""
}

// reachCount starts a process where none is allowed any more.
func reachCount() string {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &limit); err == nil && os.Geteuid() != 0 {
		if limit.Max > uint64(processes()) {
			return "there is none"
		}
		limit.Cur = 0
		_ = unix.Setrlimit(unix.RLIMIT_NPROC, &limit)
	}
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if errno == 0 && pid == 0 {
		for {
			unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
	}
	if errno != 0 {
		return ""
	}
	raw(unix.SYS_WAIT4, pid, 0, 0)
	return "it does not bind"
}

// countsApart reports whether the kernel counts a user's processes in each
// user namespace by itself, as since 5.14.
func countsApart() bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	var major, minor int
	_, _ = fmt.Sscanf(unix.ByteSliceToString((*[65]byte)(unsafe.Pointer(&name.Release))[:]), "%d.%d", &major, &minor)
	return major > 5 || major == 5 && minor >= 14
}
