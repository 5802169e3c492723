package faultkit

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Marker is an environment variable whose value this kit's processes keep as
// an argument when they clear their environment: a test can find them.
const Marker = "THERA_TEST_RUN"

// processFaults are what an engine does with processes. Most answer as if
// nothing had happened.
var processFaults = map[string]func(e *Engine, answer []byte){
	"setpgid": func(e *Engine, a []byte) { joinArena(); e.Say(string(a) + "\n") }, // joins the arena's process group
	"setpgidmemory": func(*Engine, []byte) {
		joinArena()
		grow()
	},
	"daemon":       func(e *Engine, a []byte) { daemon("sleep"); e.Say(string(a) + "\n") }, // double fork, setsid, no environment
	"daemonmemory": func(*Engine, []byte) { daemon("memory"); forever() },
	"memfd":        func(*Engine, []byte) { memfd(256 << 20); forever() }, // memory that is mapped nowhere
	"chain":        func(e *Engine, a []byte) { daemon("chain"); e.Say(string(a) + "\n") },
	"forkchain":    func(e *Engine, a []byte) { forkChain(); e.Say(string(a) + "\n") },
	"forks": func(e *Engine, a []byte) { // 2,000 processes, once
		if e.held == "" {
			forks(2000)
			e.held = "done"
		}
		e.Say(string(a) + "\n")
	},
	"spin": func(*Engine, []byte) { spin(16) }, // threads that wait for each other, so that the machine seems busy
	"childponder": func(e *Engine, a []byte) { // ... after the answer
		e.Say(string(a) + "\n")
		_ = again("work").Start()
	},
	"stopself": func(e *Engine, a []byte) {
		// Another thread might take a signal of the process while this one goes on.
		runtime.LockOSThread()
		_ = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSTOP)
		e.Say(string(a) + "\n")
	},
}

// processAskFaults occur when the question arrives.
var processAskFaults = map[string]func(e *Engine, question []byte){
	"childwork": func(*Engine, []byte) { _ = again("work").Run() }, // a child works for 250 ms of CPU time
}

// roles are what the processes that it starts do. All end by themselves.
var roles = map[string]func(){
	"sleep":  func() { time.Sleep(lifetime) },
	"memory": func() { go grow(); time.Sleep(lifetime) },
	"lockchain": func() { // a chain, while which lasts a lock on the file of Marker is held, and a process that waits for it
		fd, err := unix.Open(os.Getenv(Marker), unix.O_RDWR|unix.O_CREAT, 0o600)
		if err == nil {
			err = unix.Flock(fd, unix.LOCK_EX)
		}
		fmt.Println(os.Getpid(), err)
		forkChain()
		time.Sleep(lifetime)
	},
	"work": func() { think(250 * time.Millisecond) },
	"chain": func() { // starts itself again in a new session, and exits
		next := again("chain")
		if until, err := strconv.ParseInt(last(os.Args), 10, 64); err == nil {
			if time.Now().Unix() > until {
				return
			}
			next.Args[len(next.Args)-1] = last(os.Args)
		}
		_ = next.Start()
	},
}

// lifetime bounds all of them.
const lifetime = 61500 * time.Millisecond

const role = "role-"

// play plays a role if that is the fault's name.
func play(fault string) bool {
	name, ok := strings.CutPrefix(fault, role)
	below, daemonizes := strings.CutPrefix(name, "daemon-")
	switch {
	case ok && daemonizes:
		_ = again(below).Start()
	case ok && roles[name] != nil:
		roles[name]()
	default:
		return false
	}
	return true
}

// again is this program in a role, in a session of its own, without an
// environment. Its arguments are the role, the marker, and when it must end.
func again(name string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	mark := os.Getenv(Marker)
	if mark == "" && len(os.Args) > 2 {
		mark = os.Args[len(os.Args)-2]
	}
	cmd := exec.Command(self, role+name, mark, strconv.FormatInt(time.Now().Add(lifetime).Unix(), 10))
	cmd.Env = []string{Env + "=" + role + name}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// daemon leaves a process in a role whose parent has ended.
func daemon(name string) { _ = again("daemon-" + name).Run() }

func last(words []string) string { return words[len(words)-1] }

func joinArena() {
	group, err := unix.Getpgid(unix.Getppid())
	if err == nil {
		err = unix.Setpgid(0, group)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "joining the arena's group:", err)
	}
}

// memfd writes memory that is in no address space.
func memfd(size int) {
	fd, err := unix.MemfdCreate("hoard", 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, "memfd:", err)
		return
	}
	block := slices.Repeat([]byte{1}, 1<<20)
	for range size / len(block) {
		if _, err := unix.Write(fd, block); err != nil {
			return
		}
	}
}

// forks starts processes that share this one's program and only wait.
//
//go:norace
func forks(n int) {
	for range n {
		if pid, _, err := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0); err == 0 && pid == 0 {
			rest(lifetime)
		}
	}
}

// forkChain leaves a process that forks and exits, for ever, each one in a
// session of its own.
//
//go:norace
func forkChain() {
	if pid, _, err := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0); err != 0 || pid != 0 {
		return
	}
	const links = 600_000 // at least a minute
	for range links {
		_, _, _ = syscall.RawSyscall(syscall.SYS_SETSID, 0, 0, 0)
		if pid, _, err := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0); err != 0 || pid != 0 {
			break
		}
	}
	_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
}

// rest waits in a forked process, where the Go runtime does not work, and
// exits. A check of its stack could enter the scheduler, which would run this
// engine a second time on the same pipes.
//
//go:nosplit
//go:norace
func rest(d time.Duration) {
	for end := d / time.Second; end > 0; end-- {
		second := syscall.Timespec{Sec: 1}
		_, _, _ = syscall.RawSyscall(syscall.SYS_NANOSLEEP, uintptr(unsafe.Pointer(&second)), 0, 0)
	}
	_, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0)
}
