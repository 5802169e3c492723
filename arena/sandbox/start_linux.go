package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrNotReady is the error of a program that does not call Main first.
var ErrNotReady = errors.New("sandbox: this program does not call sandbox.Main when it starts")

// ready is set by Main: this program can be an init.
var ready bool

// Main must be called first in main, and in a TestMain whose tests start
// engines: every engine has an init, which is this program once more. Main does
// not return there.
func Main() {
	if os.Args[0] == initName {
		initMain()
	}
	ready = true
}

// Init is a process that waits to start one engine.
type Init struct {
	Pid    int // as this process sees it
	box    *Box
	spaces bool  // it is in namespaces
	cpus   []int // the cores of its engine
	socket *os.File
	groups []*group
	meter  *os.File // CPU time of a group, nil: the counter has it
	counter
	before time.Duration // CPU time of earlier programs, and of the init itself

	limited bool // by the kernel, in its memory
	// Its memory is limited, and not by the kernel: it has none then that is not in pages of its processes.
	measured bool
}

// spaces are the namespaces of an engine.
const spaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// Prepare starts an init ahead of its engine. It ends when the calling thread exits. cpus
// are the cores of the engine, nil for all. Without a box the engine may do what this
// process may.
func (b *Box) Prepare(cpus []int) (*Init, error) {
	if !ready {
		return nil, ErrNotReady
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(pair[1])
	i := &Init{
		box: b, spaces: b != nil && b.host.lacks.has(stepSpaces), cpus: cpus, socket: os.NewFile(uintptr(pair[0]), "init"), counter: -1,
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		i.socket.Close()
		return nil, err
	}
	defer null.Close()
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGCONT} // it has work to do then
	if i.spaces {
		attr.Pdeathsig = syscall.SIGKILL // nothing in a namespace outlives its process 1
		uid, gid := os.Geteuid(), os.Getegid()
		attr.Cloneflags = spaces
		if !b.policy.Network {
			attr.Cloneflags |= unix.CLONE_NEWNET
		}
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
	}
	inits.Lock()
	i.Pid, err = syscall.ForkExec("/proc/self/exe", []string{initName}, &syscall.ProcAttr{ // wherever it is by now
		Dir: "/", Sys: attr, Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), uintptr(pair[1])},
	})
	inits.pids[i.Pid] = true
	inits.Unlock()
	if err != nil {
		i.socket.Close()
		return nil, fmt.Errorf("sandbox: starting an init: %w", err)
	}
	i.listen(initPatience)
	return i, nil
}

// listen bounds the wait for what the init says: a hung one must not hang the arena.
func (i *Init) listen(seconds int64) {
	wait := unix.NsecToTimeval(seconds * int64(time.Second)) // its fields are smaller where words are
	_ = unix.SetsockoptTimeval(int(i.socket.Fd()), unix.SOL_SOCKET, unix.SO_RCVTIMEO, &wait)
}

// Confine tells the init its confines, once it is in the groups that limit its processes
// and, if limit is not 0, its memory. The kernel takes its time for it. If it cannot be
// used afterwards it has ended.
func (i *Init) Confine(m Memory, limit int64, meter Meter) error {
	err := i.join(m, limit, meter)
	i.measured = limit > 0 && !i.limited && i.box != nil
	if err == nil {
		if err = sendMessage(i.socket, i.confines()); err != nil {
			err = &StepError{Step: "telling an init its confines", Err: err}
		}
	}
	if err != nil {
		i.Discard()
	}
	return err
}

// confines are what the init is to apply.
func (i *Init) confines() *confines {
	c := &confines{CPUs: i.cpus, Free: i.box == nil, Measured: i.measured, Metered: i.meter != nil}
	if c.Free {
		return c
	}
	c.Policy, c.Lacks = i.box.policy, i.box.host.lacks
	if i.spaces && c.Lacks.has(stepLimits) && os.Geteuid() != 0 { // elsewhere all processes of the user would count
		c.Procs = processes()
	}
	if c.Lacks.has(stepTmp) {
		c.Tmps = places(&c.Policy)
	}
	return c
}

// join puts the init into its groups. A group that limits memory is dispensable if the user
// did not name one, and one that counts CPU time where the kernel has another counter.
func (i *Init) join(m Memory, limit int64, meter Meter) error {
	var count *group
	if i.box != nil && i.box.host.lacks.has(stepLimits) {
		count = i.box.host.count
	}
	add := func(in *group, limits ...func(g *group) error) error {
		g, err := in.make(append(limits, func(g *group) error { return g.set("cgroup.procs", int64(i.Pid)) })...)
		if err == nil {
			i.groups = append(i.groups, g)
		}
		return err
	}
	one := m.in != nil && m.in.v2 && count != nil && count.v2 // a process is in one such group only
	if m.in != nil && limit > 0 {
		limits := []func(g *group) error{limitMemory(limit)}
		if one {
			limits = append(limits, limitCount)
		}
		err := add(m.in, limits...)
		if err != nil && m.named {
			return err
		}
		i.limited = err == nil
	}
	if count != nil && !(one && i.limited) {
		if err := add(count, limitCount); err != nil {
			return &StepError{Step: stepLimits, Err: err}
		}
	}
	counts := func(g *group) bool { return g.v2 }
	if meter.in != nil && (slices.ContainsFunc(i.groups, counts) || add(meter.in) == nil) {
		i.meter, _ = os.Open(filepath.Join(i.groups[slices.IndexFunc(i.groups, counts)].dir, cpuStat))
	}
	return nil
}

// initPatience bounds the wait for what an init says, in seconds.
const initPatience = 30

// Command is the program that an init starts.
type Command struct {
	Path  string // of the program, with Argv[0] its name
	Argv  []string
	Dir   string
	Env   []string
	Files [3]int // its stdin, stdout and stderr
}

// Child is an engine that an init started.
type Child struct {
	Pid   int // of the engine, as this process sees it
	Top   int // its init
	init  *Init
	pidfd int

	mu    sync.Mutex
	over  bool // nothing of the engine is left: its init may have another one
	clean bool // its init has nothing of it that another one could find
}

// Start starts the program. The error is that of the program's start (a
// syscall.Errno), or a *StepError. The init is spent in any case.
func (i *Init) Start(c Command) (child *Child, err error) {
	defer func() {
		if err != nil {
			i.Discard()
		}
	}()
	i.before, _ = i.used()
	a, fds, err := i.ask(&order{Path: []byte(c.Path), Argv: c.Argv, Env: c.Env, Dir: []byte(c.Dir)}, c.Files[:]...)
	if err != nil {
		return nil, err
	}
	child = &Child{Pid: a.Pid, Top: i.Pid, init: i, pidfd: fds[0]}
	i.counter.close()
	i.counter = counter(fds[1])
	if i.spaces {
		if child.Pid, err = numberOf(child.pidfd); err != nil {
			unix.Close(child.pidfd)
			return nil, &StepError{Step: "finding the engine's process", Err: err}
		}
	}
	i.listen(0)
	return child, nil
}

// ask sends an order and returns the answer.
func (i *Init) ask(o *order, files ...int) (a answer, fds []int, err error) {
	if err := sendMessage(i.socket, o, files...); errors.Is(err, unix.EINVAL) { // nothing was sent
		return a, nil, unix.EINVAL
	}
	fds, err = receiveMessage(i.socket, &a) // what went wrong before the order too
	switch {
	case err != nil:
		err = &StepError{Step: "waiting for an init", Err: err}
	case a.Step != "":
		err = &StepError{Step: a.Step, Err: unix.Errno(a.Errno)}
	case a.Errno != 0:
		err = unix.Errno(a.Errno)
	case len(fds) != 2 && o.Try == nil:
		err = &StepError{Step: "the answer of an init", Err: errors.New("it shows no process")}
	}
	return a, fds, err
}

// numberOf is the number of the process of a pidfd, as /proc here shows it.
func numberOf(pidfd int) (int, error) {
	text, err := contents("/proc/self/fdinfo/" + strconv.Itoa(pidfd))
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(text, []byte("\nPid:"))
	number, _, _ := bytes.Cut(after, []byte("\n"))
	return strconv.Atoi(string(bytes.TrimSpace(number)))
}

// Kill ends the engine and all that it started. It does not wait.
func (c *Child) Kill() {
	if c.init.spaces {
		_ = unix.Kill(c.Top, unix.SIGKILL) // nothing outlives it
		return
	}
	c.End()
}

// End ends the engine, with which its init ends all that it started. It does not wait.
func (c *Child) End() {
	if !c.init.spaces {
		_ = unix.Kill(c.Top, unix.SIGCONT) // an engine of the same user may have stopped it
	}
	if err := unix.PidfdSendSignal(c.pidfd, unix.SIGKILL, nil, 0); err != nil && err != unix.ESRCH {
		_ = unix.Kill(c.Pid, unix.SIGKILL) // before Linux 5.3, or not allowed in this container
	}
	// An engine may stop its init again and again: this process ends then what the init leaves.
	time.AfterFunc(time.Second, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.over {
			_ = unix.Kill(c.Top, unix.SIGKILL)
		}
	})
}

// Wait waits until nothing of the engine is left, but its init, and returns how
// the engine ended and the CPU time of all that was waited for. ok is false if the
// init was killed; this process adopts what it leaves, which Wait ends.
func (c *Child) Wait() (status unix.WaitStatus, used time.Duration, ok bool) {
	defer func() {
		c.mu.Lock()
		c.over = true
		c.mu.Unlock()
	}()
	var a answer
	if _, err := receiveMessage(c.init.socket, &a); err == nil && a.Ended {
		c.clean = a.Clean
		return unix.WaitStatus(a.Status), a.Used, true
	}
	_ = unix.Kill(c.Top, unix.SIGKILL)
	_ = again(func() error {
		return unix.Waitid(unix.P_PID, c.Top, nil, unix.WEXITED|unix.WNOWAIT, nil)
	})
	if !c.init.spaces {
		endChildren(stray, strayPatience)
	}
	return unix.WaitStatus(unix.SIGKILL), 0, false
}

// strayPatience bounds the end of what a killed init left.
const strayPatience = 30 * time.Second

// Killed is the most memory that the engine had if the kernel killed one of its processes
// for the limit, 0 otherwise.
func (c *Child) Killed(limit int64) int64 {
	if !c.init.limited {
		return 0
	}
	return c.init.groups[0].killed(limit)
}

// Close waits for the end of the init, and frees what the child needed. It comes
// after Wait.
func (c *Child) Close() {
	unix.Close(c.pidfd)
	c.init.socket.Close() // for which it waits if it could start another engine
	c.init.end()
}

// Again is the init of an engine, for its next start. It comes after a Wait that was ok, in
// the place of Close. It is nil if the init starts no other.
func (c *Child) Again(limit int64) *Init {
	if !c.clean || c.Killed(limit) > 0 {
		return nil
	}
	unix.Close(c.pidfd)
	c.init.listen(initPatience)
	return c.init
}

// Discard ends an init that is not needed.
func (i *Init) Discard() {
	i.socket.Close()
	_ = unix.Kill(i.Pid, unix.SIGKILL)
	i.end()
}

// end waits for the end of the init, and of all that is in its groups.
func (i *Init) end() {
	reap(i.Pid)
	i.counter.close()
	i.meter.Close()
	for _, g := range i.groups {
		g.remove()
	}
}
