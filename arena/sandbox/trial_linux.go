package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// trial is what an init tries in the place of an engine.
type trial struct {
	Arena  int    // the process of the arena
	Port   int    // on which the arena listens
	Folder string // with a file
}

// run tries to get out of the sandbox of the calling thread and returns what it could
// do, by the name of the protection.
func (t *trial) run(c *confines, count counter) map[string]string {
	found := map[string]string{
		holdsProcesses: reachProcess(t.Arena),
		holdsNetwork:   reachNetwork(t.Port),
		holdsFiles:     reachFiles(t.Folder),
		holdsTmp:       lackTmp(c.Tmps),
		holdsCalls:     callRefused(),
		holdsCount:     reachCount(),
	}
	if count < 0 && !c.Metered {
		found[uncounted] = uncounted
	}
	return found
}

// reachProcess tries to reach the arena. An arena in a container has a small number, and in
// a namespace of its own this process may have a thread of that number.
func reachProcess(pid int) string {
	if unix.Kill(pid, 0) == nil && unix.Tgkill(os.Getpid(), pid, 0) != nil {
		return fmt.Sprintf("process %d can be signalled", pid)
	}
	_, own := os.Stat(fmt.Sprintf("/proc/self/task/%d", pid))
	if _, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)); err == nil && own != nil {
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
	secret := filepath.Join(folder, "secret")
	if _, err := os.ReadFile(secret); err == nil {
		return "any file can be read"
	}
	if err := os.WriteFile(filepath.Join(folder, "written"), nil, 0o600); err == nil {
		return "any folder can be written"
	}
	if err := os.Chmod(secret, 0o600); err == nil {
		return "the mode of any file can be changed"
	}
	if _, err := os.ReadDir("/"); err == nil {
		return "any folder can be listed"
	}
	return ""
}

// lackTmp says what is wrong with the temporary folder.
func lackTmp(dirs []string) string {
	if len(dirs) == 0 {
		return "there is none"
	}
	var stat unix.Statfs_t
	switch err := unix.Statfs(dirs[0], &stat); {
	case err != nil:
		return err.Error()
	case stat.Type != unix.TMPFS_MAGIC || int64(stat.Blocks)*int64(stat.Bsize) > tmpBytes || stat.Files > tmpFiles:
		return "it is not limited"
	}
	if err := os.WriteFile(filepath.Join(dirs[0], "try"), []byte("x"), 0o600); err != nil {
		return err.Error()
	}
	return ""
}

func callRefused() string {
	if err := unix.PtraceSeize(-1); !errors.Is(err, unix.EPERM) { // else there is none
		return "processes can be traced"
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
	if forks(unix.CLONE_NEWUSER) {
		return "namespaces can be made"
	}
	return ""
}

// reachCount starts a process where an ordinary user may have no more of them. No limit
// of a user binds root, who has a group.
func reachCount() string {
	var limit unix.Rlimit
	if os.Geteuid() == 0 {
		return ""
	}
	if err := unix.Getrlimit(unix.RLIMIT_NPROC, &limit); err != nil || limit.Max > uint64(processes()) {
		return "there is none"
	}
	_ = unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Max: limit.Max})
	did := forks(0)
	_ = unix.Setrlimit(unix.RLIMIT_NPROC, &limit)
	if did {
		return "it does not bind"
	}
	return ""
}

// forks reports whether a process can be started. Go may start a thread before a call
// that may wait, and ends if it cannot: a raw call is none.
func forks(flags uintptr) bool {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD)|flags, 0, 0, 0, 0, 0)
	for errno == 0 && pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	if errno == 0 {
		unix.RawSyscall6(unix.SYS_WAIT4, pid, 0, 0, 0, 0, 0)
	}
	return errno == 0
}

// countsApart reports whether the kernel counts a user's processes in each
// user namespace by itself, as since 5.14.
func countsApart() bool {
	var name unix.Utsname
	var major, minor int
	err := unix.Uname(&name)
	_, _ = fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 14)
}
