package sandbox

import (
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// initName is argv[0] of an init; initSocket is its connection to the arena.
const (
	initName   = "thera-sandbox"
	initSocket = 3
)

// initMain is the life of an init: it waits for one order, starts the program
// and reports how it ended. As process 1 of its namespace it also reaps
// orphans, and its death ends everything in the namespace.
func initMain() {
	unix.CloseOnExec(initSocket)
	// With a handler for each signal no process of the namespace can end the
	// init; a program that it starts has the default again.
	signal.Notify(make(chan os.Signal, 1))
	text, _, err := receiveMessage(initSocket)
	if err != nil {
		os.Exit(0) // the arena is gone
	}
	c, err := readConfines(text)
	if err != nil {
		refuse("reading the confines", err)
	}
	if c.spaces {
		ownSpaces().check(c)
		guest(c)
	}
	become(c)
}

func refuse(step string, err error) {
	_ = sendMessage(initSocket, refusal(step, err))
	os.Exit(1)
}

// await confines the calling thread for good and waits for the order.
func (c *confines) await() (*order, []int) {
	runtime.LockOSThread()
	if step, err := c.restrict(); err != nil {
		refuse(step, err)
	}
	text, files, err := receiveMessage(initSocket)
	if err != nil || len(files) != 3 {
		os.Exit(0) // not needed any more
	}
	o, err := readOrder(text)
	if err != nil {
		refuse("reading the order", err)
	}
	return o, files
}

// guest starts the program as a child, from a thread of its own that carries
// the restrictions, and waits for its end.
func guest(c *confines) {
	var pid, pidfd int
	started := make(chan struct{})
	go func() {
		o, files := c.await()
		var err error
		pid, err = syscall.ForkExec(o.path, o.argv, &syscall.ProcAttr{
			Dir: o.dir, Env: o.env, Files: []uintptr{uintptr(files[0]), uintptr(files[1]), uintptr(files[2])},
			Sys: &syscall.SysProcAttr{Setpgid: true, PidFD: &pidfd},
		})
		if err != nil {
			refuse("", err)
		}
		for _, fd := range files {
			unix.Close(fd)
		}
		close(started)
		select {} // the thread is not fit for anything else
	}()
	<-started
	if err := sendMessage(initSocket, []byte{answerStarted}, pidfd); err != nil {
		os.Exit(1)
	}
	for {
		var status unix.WaitStatus
		var usage unix.Rusage
		got, err := unix.Wait4(-1, &status, 0, &usage)
		if got == pid {
			endOthers()
			p := pack{answerEnded}
			p.num(int(status))
			p.num(int(usage.Utime.Nano() + usage.Stime.Nano()))
			_ = sendMessage(initSocket, p)
			os.Exit(0)
		}
		if err != nil && err != unix.EINTR {
			os.Exit(1)
		}
	}
}

// endOthers kills what the engine left in the namespace, and reaps it.
func endOthers() {
	_ = unix.Kill(-1, unix.SIGKILL)
	for {
		if _, err := unix.Wait4(-1, nil, 0, nil); err != nil && err != unix.EINTR {
			return
		}
	}
}

// become replaces this process by the program.
func become(c *confines) {
	o, files := c.await()
	for to, fd := range files {
		if err := unix.Dup3(fd, to, 0); err != nil {
			refuse("its pipes", err)
		}
	}
	if o.dir != "" {
		if err := unix.Chdir(o.dir); err != nil {
			refuse("", err)
		}
	}
	refuse("", syscall.Exec(o.path, o.argv, o.env))
}

// restrict confines the calling thread for good, and what it starts. Each step
// keeps what the next one needs.
func (c *confines) restrict() (step string, err error) {
	steps := []struct {
		name string
		use  bool
		do   func() error
	}{
		{"the cores", len(c.cpus) > 0, c.bind},
		{stepLimits, true, c.limit},
		{"dropping powers", true, dropPowers},
		{"no new privileges", true, func() error { return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }},
		{stepFiles, c.abi > 0, c.landlock},
		{stepCalls, c.filter, c.seccomp},
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
	for _, cpu := range c.cpus {
		set.Set(cpu)
	}
	return unix.SchedSetaffinity(0, &set)
}
