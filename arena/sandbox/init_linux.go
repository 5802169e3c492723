package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// initName is argv[0] of an init.
const initName = "thera-sandbox"

// toArena is the connection of an init.
var toArena *os.File

const initSocket = 3

// initMain is the life of an init: it waits for an order, starts the program
// and reports how it ended. It adopts the orphans of all that the program starts:
// as process 1 of a namespace, or as a subreaper. It ends them with the program,
// or when the arena closes its end of the socket, also by dying. It exits by
// unix.Exit: under the race detector os.Exit waits for a second, and an init has no
// environment that could say otherwise.
func initMain() {
	toArena = os.NewFile(initSocket, "arena")
	if err := keepFiles(); err != nil {
		refuse("keeping the files of the arena", err)
	}
	// /proc/1/exe is the arena's program as the machine sees it, and its threads
	// have no more powers than the engine.
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		refuse("hiding the init", err)
	}
	// With a handler for each signal no process of the namespace can end the
	// init; a program that it starts has the default again.
	signal.Notify(make(chan os.Signal, 1))
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		refuse("adopting orphans", err)
	}
	c := &confines{}
	if _, err := receiveMessage(toArena, c); err != nil {
		unix.Exit(0) // the arena is gone
	}
	if c.has(stepSpaces) {
		if step, err := c.ownSpaces(); err != nil {
			refuse(step, err)
		}
	}
	serve(c)
}

// keepFiles keeps all files from the engine but those of its order. The arena may
// have inherited some itself, from a shell or from a runner of jobs.
func keepFiles() error {
	open, err := os.ReadDir("/proc/self/fd")
	for _, file := range open {
		if fd, wrong := strconv.Atoi(file.Name()); wrong == nil && fd >= initSocket {
			unix.CloseOnExec(fd)
		}
	}
	return err
}

func refuse(step string, err error) {
	errno := unix.EINVAL
	_ = errors.As(err, &errno)
	_ = sendMessage(toArena, &answer{Errno: int(errno), Step: step})
	unix.Exit(1)
}

// running is the number of the program that runs, 0 if none does.
var running atomic.Int64

// started is a program that was started, with a counter of its CPU time.
type started struct {
	pid, pidfd int
	counter
}

// start confines the calling thread for good, and starts programs from it as the arena
// orders, until that is gone. The error of a program's start is for the arena, and ends
// the init.
func (c *confines) start(programs chan<- started) {
	runtime.LockOSThread() // the programs die with it
	count := counter(-1)
	if !c.Metered { // before the confines, which refuse it
		count = openCounter()
	}
	if step, err := c.restrict(); err != nil {
		refuse(step, err)
	}
	for {
		var o order
		files, err := receiveMessage(toArena, &o)
		if err != nil {
			break
		}
		if o.Try != nil {
			_ = sendMessage(toArena, &answer{Did: o.Try.run(c, count)})
			continue
		}
		p := started{counter: count}
		p.pid, err = syscall.ForkExec(string(o.Path), o.Argv, &syscall.ProcAttr{
			Dir: string(o.Dir), Env: o.Env, Files: []uintptr{uintptr(files[0]), uintptr(files[1]), uintptr(files[2])},
			// Another session would be scheduled as another group: sched(7), autogroup.
			Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, PidFD: &p.pidfd},
		})
		if err != nil {
			refuse("", err)
		}
		for _, fd := range files {
			unix.Close(fd)
		}
		running.Store(int64(p.pid))
		programs <- p
	}
	if pid := int(running.Load()); pid > 0 {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	close(programs)
	select {} // the thread is not fit for anything else
}

// serve has programs started, one after the other, and waits for their ends.
func serve(c *confines) {
	programs := make(chan started)
	go c.start(programs)
	var before time.Duration // CPU time of earlier programs
	for p := range programs {
		// A system without one of them has file 0 in its place, which is /dev/null.
		if err := sendMessage(toArena, &answer{Pid: p.pid}, max(p.pidfd, 0), int(max(p.counter, 0))); err != nil {
			unix.Exit(1)
		}
		unix.Close(p.pidfd)
		status := waitFor(p.pid)
		running.Store(0)
		c.endOthers()
		var used unix.Rusage
		_ = unix.Getrusage(unix.RUSAGE_CHILDREN, &used)
		all := time.Duration(used.Utime.Nano() + used.Stime.Nano())
		clean := c.clean()
		_ = sendMessage(toArena, &answer{Ended: true, Status: int(status), Used: all - before, Clean: clean})
		if before = all; !clean {
			break
		}
	}
	unix.Exit(0)
}

// waitFor reaps children until one has ended.
func waitFor(pid int) (status unix.WaitStatus) {
	for {
		got, err := unix.Wait4(-1, &status, 0, nil)
		if got == pid {
			return status
		}
		if err != nil && err != unix.EINTR {
			unix.Exit(1)
		}
	}
}

// endOthers kills what the program left, and reaps it.
func (c *confines) endOthers() {
	if !c.has(stepSpaces) {
		endChildren(func(int) bool { return true }, time.Hour) // some cannot be killed for a while
		return
	}
	_ = unix.Kill(-1, unix.SIGKILL)
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && err != unix.EINTR {
			return
		}
	}
}

// restrict confines the calling thread for good, and what it starts. Each step
// keeps what the next one needs.
func (c *confines) restrict() (step string, err error) {
	steps := []struct {
		name string
		use  bool
		do   func() error
	}{
		{fmt.Sprintf("binding to cores %v", c.CPUs), len(c.CPUs) > 0, c.bind},
		{stepLimits, !c.Free, c.limit},
		{"dropping powers", !c.Free, dropPowers},
		{"no new privileges", !c.Free, func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{stepFiles, c.has(stepFiles), c.landlock},
		{stepCalls, c.has(stepCalls), c.seccomp},
	}
	for _, s := range steps {
		if s.use {
			if err := s.do(); err != nil {
				return s.name, err
			}
		}
	}
	return "", nil
}

func (c *confines) bind() error {
	var set unix.CPUSet
	for _, cpu := range c.CPUs {
		set.Set(cpu)
	}
	return unix.SchedSetaffinity(0, &set)
}
