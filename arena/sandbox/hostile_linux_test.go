package sandbox_test

import (
	"fmt"
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
		var b [1]byte
		_, _ = os.Stdin.Read(b[:])
	}
	pid := 0
	if len(args) > 0 {
		pid, _ = strconv.Atoi(args[0])
	}
	got, err := "", error(nil)
	switch mode {
	case "wait":
		var b [1]byte
		_, _ = os.Stdin.Read(b[:])
	case "connect":
		err = connect(unix.AF_INET, &unix.SockaddrInet4{Port: pid, Addr: [4]byte{127, 0, 0, 1}})
	case "service":
		err = connect(unix.AF_UNIX, &unix.SockaddrUnix{Name: args[0]})
	case "read":
		var text []byte
		text, err = os.ReadFile(args[0])
		got = strconv.Itoa(len(text))
	case "list":
		_, err = os.ReadDir(args[0])
	case "write":
		err = os.WriteFile(args[0], []byte("x"), 0o600)
	case "open for writing":
		var file *os.File
		if file, err = os.OpenFile(args[0], os.O_WRONLY, 0); err == nil {
			file.Close()
		}
	case "append":
		var file *os.File
		if file, err = os.OpenFile(args[0], os.O_WRONLY|os.O_APPEND, 0); err == nil {
			_, err = file.WriteString("x")
			file.Close()
		}
	case "delete":
		err = os.Remove(args[0])
	case "truncate":
		err = os.Truncate(args[0], 0)
	case "rename":
		err = os.Rename(args[0], args[0]+"~")
	case "link":
		err = os.Link(args[0], filepath.Join(os.Getenv("TMPDIR"), "link"))
	case "execute":
		_, err = os.StartProcess(args[0], []string{args[0], "hostile", "wait"}, &os.ProcAttr{})
	case "fill":
		got = fill()
	case "files":
		got = many(func(i int) error {
			return os.WriteFile(filepath.Join(os.Getenv("TMPDIR"), strconv.Itoa(i)), nil, 0o600)
		}, 5000)
	case "open":
		got = many(func(int) error { _, err := unix.Open("/dev/null", unix.O_RDONLY, 0); return err }, 5000)
	case "forks":
		got = many(fork, 2000)
	case "kill":
		err = unix.Kill(pid, unix.SIGKILL)
	case "stop":
		err = unix.Kill(pid, unix.SIGSTOP)
	case "continue":
		err = unix.Kill(pid, unix.SIGCONT)
	case "pidfd":
		_, err = unix.PidfdOpen(pid, 0)
	case "trace":
		err = unix.PtraceSeize(pid)
	case "peek":
		var b [1]byte
		_, err = unix.ProcessVMReadv(pid, []unix.Iovec{{Base: &b[0], Len: 1}}, []unix.RemoteIovec{{Base: 0x400000, Len: 1}}, 0)
	case "renice":
		err = unix.Setpriority(unix.PRIO_PROCESS, pid, 19)
	case "rival's limits":
		err = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	case "real time":
		err = unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1}, 0)
	case "nice":
		err = unix.Setpriority(unix.PRIO_PROCESS, 0, 19)
	case "cores":
		var set unix.CPUSet
		if err = unix.SchedGetaffinity(0, &set); err == nil {
			err = unix.SchedSetaffinity(0, &set)
		}
	case "unshare":
		err = errnoOf(unix.RawSyscall(unix.SYS_UNSHARE, unix.CLONE_NEWUTS, 0, 0)) // a new user namespace needs one thread
	case "clone":
		err = forkWith(unix.CLONE_NEWUSER)
	case "clone3":
		err = errnoOf(unix.RawSyscall(unix.SYS_CLONE3, 0, 0, 0))
	case "mount":
		err = unix.Mount("tmpfs", args[0], "tmpfs", 0, "size=4k")
	case "chroot":
		err = unix.Chroot("/")
	case "keys":
		_, err = unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true)
	case "io_uring":
		err = errnoOf(unix.RawSyscall(unix.SYS_IO_URING_SETUP, 0, 0, 0))
	case "perf":
		attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{}))}
		_, err = unix.PerfEventOpen(&attr, 0, -1, -1, 0)
	case "dump core":
		err = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 1, Max: 1})
	case "powers":
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var data [2]unix.CapUserData
		if err = unix.Capget(&header, &data[0]); err == nil && data[0].Permitted|data[1].Permitted == 0 {
			err = unix.EPERM
		}
	case "int80":
		got = strconv.Itoa(callOf32())
	case "x32":
		_, _, errno := unix.RawSyscall(0x40000000|unix.SYS_GETPID, 0, 0, 0)
		err = errnoOf(0, 0, errno)
	case "stop itself":
		// Another thread might take a signal of the process while this one goes on, and exits.
		runtime.LockOSThread()
		err = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSTOP)
	case "deaf daemon":
		signal.Ignore()
		_ = fork(0)
		fmt.Println("did")
		for {
			_ = unix.Pause() // Go ends a program that is blocked in select {}
		}
	default:
		try := tries[mode]
		if try == nil {
			try = func([]string) (string, error) { return "", fmt.Errorf("no mode %q", mode) }
		}
		got, err = try(args)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("did", got)
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

func itoa(n int) string { return strconv.Itoa(n) }

// deadline is generous: the machine may be busy.
const deadline = time.Minute
