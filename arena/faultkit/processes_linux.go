package faultkit

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Marker is an environment variable whose value this kit's processes keep as
// an argument when they clear their environment: a test can find them.
const Marker = "THERA_TEST_RUN"

func init() {
	maps.Copy(faults[besides], processFaults)
	maps.Copy(faults[atQuestion], map[string]func(*Engine, []byte){
		"childwork":  func(*Engine, []byte) { _ = again("work").Run() }, // a child works for 250 ms of CPU time
		"reapedwork": func(*Engine, []byte) { blips(200) },              // children work for 2 ms each, and nobody waits for them
	})
}

// processFaults are what an engine does with processes. Most answer as if
// nothing had happened.
var processFaults = map[string]func(e *Engine, answer []byte){
	"attack":       func(e *Engine, a []byte) { e.attack(strings.Split(e.value, ",")); e.answer(a) }, // something that it must not, one thing at each question
	"setpgid":      func(e *Engine, a []byte) { joinArena(); e.answer(a) },                           // joins the arena's process group
	"daemon":       func(e *Engine, a []byte) { daemon("sleep"); e.answer(a) },                       // double fork, setsid, no environment
	"daemonmemory": func(*Engine, []byte) { daemon("memory"); forever() },
	"hidden":       func(e *Engine, a []byte) { unmark(); daemon("sleep"); e.answer(a) }, // ... with another limit of file locks
	"memfd":        hoard(memfd),
	"tables":       hoard(pageTables),
	"sockets":      hoard(sockets),
	"copies":       hoard(copies),
	"zero":         hoard(zero),
	"temporary":    hoard(temporary),
	"descriptors":  descriptors,
	"watches":      watches,
	"leaderless":   func(*Engine, []byte) { _ = again("leaderless").Start(); forever() },
	"forkchain":    func(e *Engine, a []byte) { forkChain(); e.answer(a) },
	"forks": func(e *Engine, a []byte) { // 2,000 processes, once
		if e.held == "" {
			forks(2000)
			e.held = "done"
		}
		e.answer(a)
	},
	"spin": func(*Engine, []byte) { spin(16) }, // threads that wait for each other, so that the machine seems busy
	"crowd": func(e *Engine, a []byte) { // 500 busy threads, which are costly to look at, for four seconds
		go crowd(500)
		time.Sleep(4 * time.Second)
		e.answer(a)
	},
	"herd": func(e *Engine, a []byte) { // 450 processes, for four seconds
		_ = exec.Command("sh", "-c", "i=0; while [ $i -lt 450 ]; do sleep 5 & i=$((i+1)); done").Run()
		time.Sleep(4 * time.Second)
		e.answer(a)
	},
	"childponder": func(e *Engine, a []byte) { // ... after the answer
		e.answer(a)
		_ = again("work").Start()
	},
	"reapedponder": func(e *Engine, a []byte) { // children for which nobody waits
		e.answer(a)
		blips(150)
	},
	"stopself": func(e *Engine, a []byte) {
		// Another thread might take a signal of the process while this one goes on.
		runtime.LockOSThread()
		_ = unix.Tgkill(os.Getpid(), unix.Gettid(), unix.SIGSTOP)
		e.answer(a)
	},
}

// crowd keeps threads busy, at the lowest priority: they are not to starve the
// tests beside this one.
func crowd(threads int) {
	runtime.GOMAXPROCS(threads)
	for range threads {
		go func() {
			runtime.LockOSThread()
			_ = unix.Setpriority(unix.PRIO_PROCESS, 0, 19)
			for {
				_ = time.Now()
			}
		}()
	}
}

// roles are what the processes that it starts do. All end by themselves.
var roles = map[string]func(){
	"sleep":       func() { time.Sleep(lifetime) },
	"memory":      func() { go grow(); time.Sleep(lifetime) },
	"lockchain":   func() { locked(forkChain) },
	"lockdaemon":  func() { locked(func() { unmark(); daemon("sleep") }) },
	"leaderless":  leaderless,
	"descriptors": takeDescriptors,
	"watch":       watch,
	"work":        func() { think(250 * time.Millisecond) },
	"blips":       func() { blips(150); fmt.Println("done"); time.Sleep(lifetime) },
}

// locked starts a process that outlives this one, which waits. While it lasts, a
// lock on the file of Marker is held.
func locked(start func()) {
	fd, err := unix.Open(os.Getenv(Marker), unix.O_RDWR|unix.O_CREAT, 0o600)
	if err == nil {
		err = unix.Flock(fd, unix.LOCK_EX)
	}
	start()
	fmt.Println(os.Getpid(), err)
	time.Sleep(lifetime)
}

// unmark changes what processes inherit and nothing else reads: by it an arena
// might know its engines' processes.
func unmark() { _ = unix.Setrlimit(unix.RLIMIT_LOCKS, &unix.Rlimit{}) }

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

// again is this program in a role, in another session, without an
// environment. Its arguments are the role and the marker.
func again(name string) *exec.Cmd {
	self, _ := os.Executable()
	mark := os.Getenv(Marker)
	if mark == "" && len(os.Args) > 2 {
		mark = os.Args[2]
	}
	cmd := exec.Command(self, role+name, mark)
	cmd.Env = []string{Env + "=" + role + name, "GORACE=atexit_sleep_ms=0"} // without which the race detector sleeps a second at its end
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return cmd
}

// daemon leaves a process in a role whose parent has ended.
func daemon(name string) { _ = again("daemon-" + name).Run() }

func joinArena() {
	group, _ := unix.Getpgid(unix.Getppid())
	if err := unix.Setpgid(0, group); err != nil {
		fmt.Fprintln(os.Stderr, "joining the arena's group:", err)
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
// other session.
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

// blips starts processes that each use 2 ms of CPU time. The kernel reaps them: no
// parent is told how much they used.
//
//go:norace
func blips(n int) {
	signal.Ignore(unix.SIGCHLD)
	defer signal.Reset(unix.SIGCHLD)
	for range n {
		if pid, _, err := syscall.RawSyscall(syscall.SYS_CLONE, uintptr(syscall.SIGCHLD), 0, 0); err == 0 && pid == 0 {
			burn(2 * time.Millisecond)
		}
		_, _ = unix.Wait4(-1, nil, 0, nil) // until all are gone
	}
}

// burn uses CPU time in a forked process, and exits; see rest.
//
//go:nosplit
//go:norace
func burn(d time.Duration) {
	var used syscall.Timespec
	for used.Sec == 0 && int64(used.Nsec) < int64(d) {
		_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, unix.CLOCK_PROCESS_CPUTIME_ID, uintptr(unsafe.Pointer(&used)), 0)
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

// watches has a timer that wakes eighty epolls of two processes.
func watches(e *Engine, answer []byte) {
	timer, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_CLOEXEC)
	for range 2 {
		child := again("watch")
		child.ExtraFiles = []*os.File{os.NewFile(uintptr(timer), "timer")}
		if err == nil {
			err = child.Start()
		}
	}
	if err == nil {
		forever()
	}
	fmt.Fprintln(os.Stderr, "watching failed:", err)
	e.answer(answer)
}

func watch() {
	for range 40 {
		if fd, err := unix.EpollCreate1(0); err == nil {
			_ = unix.EpollCtl(fd, unix.EPOLL_CTL_ADD, 3, &unix.EpollEvent{Events: unix.EPOLLIN})
		}
	}
	forever()
}
