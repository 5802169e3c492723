package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/unix"
)

// ownSpaces makes the mounts private and read-only, mounts a /proc of these processes and
// the temporary folder, and brings up the loopback device.
func (c *confines) ownSpaces() (step string, err error) {
	upLoopback()
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return stepSpaces, err
	}
	err = unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "")
	if err != nil && c.has(stepProc) {
		return stepProc, err
	}
	if c.has(stepMounts) {
		if step, err := c.freeze(); err != nil {
			return step, err
		}
	}
	for i, dir := range c.Tmps {
		flags := uintptr(unix.MS_NOSUID | unix.MS_NODEV)
		if i > 0 {
			flags = unix.MS_BIND
		}
		options := fmt.Sprintf("size=%d,nr_inodes=%d,mode=0700", tmpBytes, tmpFiles)
		if err := unix.Mount(c.Tmps[0], dir, "tmpfs", flags, options); err != nil {
			return stepTmp, err
		}
	}
	return "", nil
}

// clean empties the temporary folder of a program of which no process is left, and reports
// whether the next one finds the namespaces as the first one did.
func (c *confines) clean() bool {
	for _, root := range c.Tmps[:min(len(c.Tmps), 1)] { // the others are the same
		err := os.Chmod(root, 0o700)
		entries, wrong := os.ReadDir(root)
		for _, e := range entries {
			wrong = errors.Join(wrong, os.RemoveAll(filepath.Join(root, e.Name())))
		}
		var left unix.Statfs_t
		if errors.Join(err, wrong, unix.Statfs(root, &left)) != nil || left.Files-left.Ffree != 1 || left.Bfree != left.Blocks {
			return false
		}
	}
	if !c.has(stepSpaces) || c.Network {
		return true
	}
	sockets, err := contents("/proc/self/net/sockstat") // a connection that has ended keeps its port for a minute
	return err == nil && bytes.Contains(sockets, []byte(" tw 0 "))
}

// upLoopback is for an engine that talks to itself over IP.
func upLoopback() {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if request, wrong := unix.NewIfreq("lo"); err == nil && wrong == nil {
		request.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		_ = unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
		unix.Close(fd)
	}
}

// limit sets the limits of this process and of those that it starts.
func (c *confines) limit() error {
	limits := map[int]unix.Rlimit{
		unix.RLIMIT_CORE:       {Max: 1, Cur: 1}, // not even for a program of the machine, which 0 would start: core(5)
		unix.RLIMIT_NOFILE:     {Max: openFiles, Cur: 1024},
		unix.RLIMIT_SIGPENDING: {Max: pending, Cur: pending},
	}
	if most := uint64(c.Procs); most > 0 {
		limits[unix.RLIMIT_NPROC] = unix.Rlimit{Max: most, Cur: most}
	}
	for what, limit := range limits {
		var now unix.Rlimit
		if err := unix.Getrlimit(what, &now); err != nil {
			return err
		}
		now.Max = min(now.Max, limit.Max)
		now.Cur = min(now.Max, limit.Cur)
		if err := unix.Setrlimit(what, &now); err != nil {
			return err
		}
	}
	return nil
}

// processes is how many processes and threads an engine may have.
func processes() int { return 512 + 8*runtime.NumCPU() }

// dropPowers gives up all capabilities of the calling thread, so that a
// program that it starts has none, as root neither.
func dropPowers() error {
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	for power := uintptr(0); power < 64; power++ {
		if unix.Prctl(unix.PR_CAPBSET_DROP, power, 0, 0, 0) != nil {
			break // beyond the last one, or an ordinary user, who has none
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("as uid %d: %w", os.Getuid(), err)
	}
	return nil
}
