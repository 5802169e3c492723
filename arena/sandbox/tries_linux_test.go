package sandbox_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// tries are more of what a hostile engine does, by its mode.
var tries = map[string]func(args []string) (string, error){
	"chmod":    onPath(func(path string) error { return unix.Chmod(path, modeOf(path)) }),
	"chown":    onPath(func(path string) error { return unix.Chown(path, os.Geteuid(), os.Getegid()) }),
	"lchown":   onPath(func(path string) error { return unix.Lchown(path, os.Geteuid(), os.Getegid()) }),
	"utimes":   onPath(func(path string) error { return unix.Utimes(path, make([]unix.Timeval, 2)) }),
	"setxattr": onPath(func(path string) error { return unix.Setxattr(path, "user.thera", []byte("x"), 0) }),
	"getxattr": onPath(func(path string) error {
		_, err := unix.Getxattr(path, "user.thera", make([]byte, 9))
		return err
	}),
	"listxattr": onPath(func(path string) error {
		n, err := unix.Llistxattr(path, make([]byte, 99))
		return errors.Join(err, nothing(n == 0))
	}),
	"open for nothing": onPath(func(path string) error { _, err := unix.Open(path, unix.O_ACCMODE, 0); return err }),
	"fchmod":           onFile(func(fd int) error { return unix.Fchmod(fd, modeOf("/proc/self/fd/"+strconv.Itoa(fd))) }),
	"futimens":         onFile(func(fd int) error { return errnoOf(unix.RawSyscall6(unix.SYS_UTIMENSAT, uintptr(fd), 0, 0, 0, 0, 0)) }),
	"empty": func(args []string) (string, error) { // opened for reading
		fd, err := unix.Open(args[0], unix.O_RDONLY|unix.O_TRUNC, 0)
		_ = unix.Close(fd)
		return "", err
	},
	"lease": onFile(func(fd int) error {
		return errnoOf(unix.RawSyscall(unix.SYS_FCNTL, uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK))
	}),
	"notice": onFile(func(fd int) error {
		return errnoOf(unix.RawSyscall(unix.SYS_FCNTL, uintptr(fd), unix.F_NOTIFY, 2))
	}),
	"attributes": onFile(func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, 0x40) }), // no dump
	"chmod by /proc": onPath(func(path string) error {
		fd, err := unix.Open(path, unix.O_PATH, 0)
		if err != nil {
			return err
		}
		path = "/proc/self/fd/" + strconv.Itoa(fd)
		return unix.Chmod(path, modeOf(path))
	}),
	"chmod the arena's program": func([]string) (string, error) {
		// The threads of an init have the program as the machine sees it.
		all, err := filepath.Glob("/proc/1/task/*/exe")
		for _, path := range all {
			if err = unix.Chmod(path, 0o755); err == nil {
				break
			}
		}
		return "", errors.Join(err, nothing(len(all) == 0))
	},
	"watch": onPath(func(path string) error {
		fd, err := unix.InotifyInit1(0)
		if err == nil {
			_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
		}
		return err
	}),
	"set-id by chmod":     inFolder(chmods(0o4755)),
	"set-id by open":      inFolder(opens(0o2755)),
	"set-id by mknod":     inFolder(func(path string) error { return unix.Mknod(path, unix.S_IFREG|0o4755, 0) }),
	"unreadable by chmod": inFolder(chmods(0o111)),
	"unreadable by open":  inFolder(opens(0o311)),
	"unreadable by mknod": inFolder(func(path string) error { return unix.Mknod(path, unix.S_IFREG|0o111, 0) }),
	"set-id by openat2": inFolder(func(path string) error {
		fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o4755})
		_ = unix.Close(fd)
		return err
	}),
	"unreadable by umask": func([]string) (string, error) { return "", errnoOf(unix.RawSyscall(unix.SYS_UMASK, 0o400, 0, 0)) },
	"unreadable by list": inFolder(func(path string) error {
		list := "\x02\x00\x00\x00" + "\x01\x00\x01\x00\xff\xff\xff\xff" + "\x04\x00\x00\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"
		return errors.Join(os.WriteFile(path, nil, 0o755), unix.Setxattr(path, "system.posix_acl_access", []byte(list), 0))
	}),
	"unreadable in memory": func([]string) (string, error) {
		fd, err := unix.MemfdCreate("program", 0)
		return "", errors.Join(err, unix.Fchmod(fd, 0o111))
	},
	"chmod its file": inFolder(func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o600), unix.Chmod(path, 0o755), unix.Utimes(path, make([]unix.Timeval, 2)))
	}),
	"segment": func([]string) (string, error) {
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 1<<20, unix.IPC_CREAT|0o600)
		if err == nil {
			_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
		}
		return "", err
	},
	"queue": func([]string) (string, error) {
		id, _, errno := unix.RawSyscall(unix.SYS_MSGGET, unix.IPC_PRIVATE, unix.IPC_CREAT|0o600, 0)
		if errno == 0 {
			_, _, errno = unix.RawSyscall(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0)
		}
		return "", errnoOf(0, 0, errno)
	},
	"send a file": func([]string) (string, error) {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err == nil {
			err = unix.Sendmsg(pair[0], []byte("x"), unix.UnixRights(0), nil, 0)
		}
		return "", err
	},
	"files of a thread":          func([]string) (string, error) { return "", unix.Unshare(unix.CLONE_FILES) },
	"files of a thread by close": func([]string) (string, error) { return "", unix.CloseRange(1000, 1001, unix.CLOSE_RANGE_UNSHARE) },
	"datagram":                   func(args []string) (string, error) { return "", pairTo(unix.SOCK_DGRAM, args[0]) },
	"raw datagram":               func(args []string) (string, error) { return "", pairTo(unix.SOCK_RAW, args[0]) },
	"inherited": func(args []string) (string, error) {
		fd, err := strconv.Atoi(args[0])
		if err == nil {
			_, err = unix.Pread(fd, make([]byte, 1), 0)
		}
		return "", err
	},
	"listen": func([]string) (string, error) { return "", ownPort() },
	"keep set-id bits off": onPath(func(path string) error {
		var s unix.Statfs_t
		err := unix.Statfs(path, &s)
		return errors.Join(err, nothing(s.Flags&unix.ST_NOSUID == 0))
	}),
	"use the devices": func([]string) (string, error) { return "", useDevices() },
	"limits of another": func(args []string) (string, error) {
		pid, _ := strconv.Atoi(args[0])
		var same unix.Rlimit
		err := unix.Prlimit(pid, unix.RLIMIT_CPU, nil, &same)
		if pid > 0 && err != nil { // a namespace does not have it
			pid = os.Getppid()
		}
		return "", unix.Prlimit(pid, unix.RLIMIT_CPU, &same, nil)
	},
	"not dumpable": func([]string) (string, error) { return "", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) },
	"gift of pages": func([]string) (string, error) {
		var ends [2]int
		err := unix.Pipe(ends[:])
		page := make([]byte, 1)
		if err == nil {
			_, err = unix.Vmsplice(ends[1], []unix.Iovec{{Base: &page[0], Len: 1}}, 0)
		}
		return "", err
	},
	"rules": func([]string) (string, error) {
		attr := unix.LandlockRulesetAttr{Handled_access_fs: 1}
		return "", errnoOf(unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), 8, 0))
	},
	"filters": func([]string) (string, error) {
		action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
		return "", errnoOf(unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action))))
	},
	"requests": func([]string) (string, error) {
		var context uintptr
		return "", errnoOf(unix.RawSyscall(unix.SYS_IO_SETUP, 1, uintptr(unsafe.Pointer(&context)), 0))
	},
	"memory for a program of the machine": func([]string) (string, error) {
		var limit unix.Rlimit
		err := unix.Getrlimit(unix.RLIMIT_CORE, &limit)
		if err == nil && limit.Cur == 1 {
			err = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Max: limit.Max})
		}
		return "", err
	},
	"pending signals": func([]string) (string, error) {
		var limit unix.Rlimit
		err := unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit)
		return strconv.FormatUint(limit.Max, 10), err
	},
}

// chmods makes a file and gives it a mode.
func chmods(mode uint32) func(string) error {
	return func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o755), unix.Chmod(path, mode)) }
}

// opens makes a file that has a mode from the start.
func opens(mode uint32) func(string) error {
	return func(path string) error {
		fd, err := unix.Open(path, unix.O_CREAT|unix.O_WRONLY, mode)
		_ = unix.Close(fd)
		return err
	}
}

func nothing(failed bool) error {
	if failed {
		return errors.New("nothing to try")
	}
	return nil
}

func onPath(do func(path string) error) func([]string) (string, error) {
	return func(args []string) (string, error) { return "", do(args[0]) }
}

func onFile(do func(fd int) error) func([]string) (string, error) {
	return onPath(func(path string) error {
		fd, err := unix.Open(path, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return do(fd)
	})
}

// modeOf is the mode of a file: what succeeds does no harm to this machine.
func modeOf(path string) uint32 {
	var stat unix.Stat_t
	_ = unix.Stat(path, &stat)
	return stat.Mode & 0o7777
}

// inFolder tries something with a new file in a folder, by default the
// temporary one.
func inFolder(do func(path string) error) func([]string) (string, error) {
	return func(args []string) (string, error) {
		unix.Umask(0)
		return "", do(filepath.Join(append(args, os.Getenv("TMPDIR"))[0], "new"+strconv.Itoa(os.Getpid())))
	}
}

// pairTo sends to a service from a pair of sockets.
func pairTo(kind int, path string) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(pair[0], []byte("order"), 0, &unix.SockaddrUnix{Name: path})
}

func useDevices() error {
	var root unix.Statfs_t
	if err := unix.Statfs("/", &root); err != nil || ^root.Flags&(unix.ST_RDONLY|unix.ST_NOSUID|unix.ST_NODEV) != 0 {
		return fmt.Errorf("/ has flags %#x, %v", root.Flags, err)
	}
	buf := make([]byte, 1)
	for _, path := range []string{"/dev/zero", "/dev/random", "/dev/urandom"} {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		if _, err := file.Read(buf); err != nil {
			return err
		}
	}
	if err := os.WriteFile("/dev/full", buf, 0); !errors.Is(err, unix.ENOSPC) {
		return err
	}
	return os.WriteFile("/dev/null", buf, 0)
}

// ownPort has a connection to itself on a port, which the listening side closes first.
func ownPort() error {
	at := &unix.SockaddrInet4{Port: 4321, Addr: [4]byte{127, 0, 0, 1}}
	from, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	to, wrong := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err = errors.Join(err, wrong, unix.Bind(to, at), unix.Listen(to, 1), unix.Connect(from, at)); err != nil {
		return err
	}
	end, _, err := unix.Accept(to)
	return errors.Join(err, unix.Close(end), unix.Close(from), unix.Close(to))
}
