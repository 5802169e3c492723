package sandbox_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hostile is an engine that tries one thing and prints "did", and what it got,
// or the error.
func hostile(mode string, args []string) {
	fmt.Println("started")
	if len(args) > 0 && args[0] == "wait" { // until the arena has what it needs
		hear()
	}
	try := tries[mode]
	if try == nil {
		try = func([]string) (string, error) { return "", fmt.Errorf("no mode %q", mode) }
	}
	if got, err := try(args); err != nil {
		fmt.Println(err)
	} else {
		fmt.Println("did", got)
	}
}

// hear waits for a byte of the arena.
func hear() {
	var b [1]byte
	_, _ = os.Stdin.Read(b[:])
}

// onSelf tries something that has no arguments.
func onSelf(do func() error) func([]string) (string, error) {
	return func([]string) (string, error) { return "", do() }
}

// onNumber tries something with a process, or a port.
func onNumber(do func(n int) error) func([]string) (string, error) {
	return func(args []string) (string, error) {
		n, err := strconv.Atoi(args[0])
		if err != nil {
			return "", err
		}
		return "", do(n)
	}
}

// counted says how often something succeeds.
func counted(do func(int) error, most int) func([]string) (string, error) {
	return func([]string) (string, error) { return many(do, most), nil }
}

func init() {
	maps.Copy(tries, map[string]func([]string) (string, error){
		"wait": onSelf(func() error { hear(); return nil }),
		"connect": onNumber(func(port int) error {
			return connect(unix.AF_INET, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
		}),
		"service":          onPath(func(path string) error { return connect(unix.AF_UNIX, &unix.SockaddrUnix{Name: path}) }),
		"read":             onPath(func(path string) error { _, err := os.ReadFile(path); return err }),
		"list":             onPath(func(path string) error { _, err := os.ReadDir(path); return err }),
		"write":            onPath(func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }),
		"open for writing": onPath(func(path string) error { return add(path, "") }),
		"append":           onPath(func(path string) error { return add(path, "x") }),
		"delete":           onPath(os.Remove),
		"truncate":         onPath(func(path string) error { return os.Truncate(path, 0) }),
		"rename":           onPath(func(path string) error { return os.Rename(path, path+"~") }),
		"execute": onPath(func(path string) error {
			_, err := os.StartProcess(path, []string{path, "hostile", "wait"}, &os.ProcAttr{})
			return err
		}),
		"fill": func([]string) (string, error) { return fill(), nil },
		"files": counted(func(i int) error {
			return os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), strconv.Itoa(i)), nil, 0o600)
		}, 5000),
		"open":     counted(func(int) error { _, err := unix.Open("/dev/null", unix.O_RDONLY, 0); return err }, 5000),
		"forks":    counted(fork, 2000),
		"kill":     onNumber(func(pid int) error { return unix.Kill(pid, unix.SIGKILL) }),
		"stop":     onNumber(func(pid int) error { return unix.Kill(pid, unix.SIGSTOP) }),
		"continue": onNumber(func(pid int) error { return unix.Kill(pid, unix.SIGCONT) }),
		"pidfd":    onNumber(func(pid int) error { _, err := unix.PidfdOpen(pid, 0); return err }),
		"continue by pidfd": onNumber(func(pid int) error {
			fd, err := unix.PidfdOpen(pid, 0)
			return errors.Join(err, unix.PidfdSendSignal(fd, unix.SIGCONT, nil, 0))
		}),
		"trace": onNumber(unix.PtraceSeize),
		"peek": onNumber(func(pid int) error {
			var b [1]byte
			_, err := unix.ProcessVMReadv(pid, []unix.Iovec{{Base: &b[0], Len: 1}}, []unix.RemoteIovec{{Base: 0x400000, Len: 1}}, 0)
			return err
		}),
		"renice":         onNumber(func(pid int) error { return unix.Setpriority(unix.PRIO_PROCESS, pid, 19) }),
		"rival's limits": onNumber(func(pid int) error { return unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil) }),
		"real time": onSelf(func() error {
			return unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
		}),
		"nice": onSelf(func() error { return unix.Setpriority(unix.PRIO_PROCESS, 0, 19) }),
		"cores": onSelf(func() error {
			var set unix.CPUSet
			return errors.Join(unix.SchedGetaffinity(0, &set), unix.SchedSetaffinity(0, &set))
		}),
		// A new user namespace needs one thread.
		"unshare": onSelf(func() error { return errnoOf(unix.RawSyscall(unix.SYS_UNSHARE, unix.CLONE_NEWUTS, 0, 0)) }),
		"clone":   onSelf(func() error { return forkWith(unix.CLONE_NEWUSER) }),
		"mount":   onPath(func(path string) error { return unix.Mount("tmpfs", path, "tmpfs", 0, "size=4k") }),
		"chroot":  onSelf(func() error { return unix.Chroot("/") }),
		"keys":    onSelf(func() error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true); return err }),
		"perf": onSelf(func() error {
			attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}
			_, err := unix.PerfEventOpen(&attr, 0, -1, -1, 0)
			return err
		}),
		"dump core": onSelf(func() error { return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1}) }),
		"powers": onSelf(func() error {
			header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
			var data [2]unix.CapUserData
			return errors.Join(unix.Capget(&header, &data[0]), nothing(data[0].Permitted|data[1].Permitted == 0))
		}),
		"int80": func([]string) (string, error) { return strconv.Itoa(callOf32()), nil },
		"x32":   onSelf(func() error { return errnoOf(unix.RawSyscall(0x40000000|unix.SYS_GETPID, 0, 0, 0)) }),
		// Another thread might take a signal of the process while this one goes on, and exits.
		"stop itself": onSelf(func() error { runtime.LockOSThread(); return unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSTOP) }),
		"deaf daemon": onSelf(func() error {
			signal.Ignore()
			_ = fork(0)
			fmt.Println("did")
			for {
				_ = unix.Pause() // Go ends a program that is blocked in select {}
			}
		}),
	})
}

// add appends to a file.
func add(path, text string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_APPEND, 0)
	if err == nil && text != "" {
		_, err = unix.Write(fd, []byte(text))
	}
	_ = unix.Close(fd)
	return err
}

func errnoOf(_, _ uintptr, errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

func connect(family int, to unix.Sockaddr) error {
	fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return unix.Connect(fd, to)
}

// many says how often call succeeded.
func many(call func(int) error, most int) string {
	for i := range most {
		if call(i) != nil {
			return strconv.Itoa(i)
		}
	}
	return strconv.Itoa(most)
}

// fork leaves a child that sleeps.
func fork(int) error { return forkWith(0) }

func forkWith(flags uintptr) error {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD)|flags, 0, 0, 0, 0, 0)
	if errno == 0 && pid == 0 {
		for {
			unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
		}
	}
	return errnoOf(0, 0, errno)
}

// fill writes 300 MiB to the temporary folder and says how many fit.
func fill() string {
	file, err := os.Create(filepath.Join(os.Getenv("TMPDIR"), "fill"))
	if err != nil {
		return err.Error()
	}
	block := make([]byte, 1<<20)
	return many(func(int) error { _, err := file.Write(block); return err }, 300)
}

// callOf32 makes a system call as a 32-bit program would: number 20, getpid.
func callOf32() int {
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return -1
	}
	copy(code, []byte{0xb8, 20, 0, 0, 0, 0xcd, 0x80, 0xc3}) // mov $20, %eax; int $0x80; ret
	at := unsafe.Pointer(&code[0])
	function := unsafe.Pointer(&at)
	call := *(*func() int)(unsafe.Pointer(&function))
	return call()
}

// deadline is generous: the machine may be busy.
const deadline = time.Minute
