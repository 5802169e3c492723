package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ErrNotReady is the error of a program that does not call Main first.
var ErrNotReady = errors.New("sandbox: this program does not call sandbox.Main when it starts")

// self is the file of this program, wherever it is by now.
const self = "/proc/self/exe"

// installed is set by Main: this program can be its own init.
var installed bool

// Main must be called first in main, and in TestMain: a sandbox starts this
// program once more as the init of an engine. Main does not return there.
func Main() {
	switch {
	case len(os.Args) > 0 && os.Args[0] == initName:
		initMain()
	case len(os.Args) > 0 && os.Args[0] == probeName:
		probeMain()
	case len(os.Args) > 2 && os.Args[0] == guardName:
		guardMain()
	}
	installed = true
}

// Init is a process that waits to start one engine.
type Init struct {
	Pid    int   // as this process sees it
	CPUs   []int // the cores of its engine
	socket int
	can    abilities
	group  *countGroup
}

// spaces are the namespaces of an engine.
const spaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS

// Prepare starts an init ahead of its engine. The kernel kills it when the
// calling thread exits. env is the init's environment; the engine does not get
// it. cpus are the cores of the engine, nil for all.
func (b *Box) Prepare(env []string, cpus []int) (*Init, error) {
	return prepare(&b.policy, env, cpus, b.host.can)
}

func prepare(p *Policy, env []string, cpus []int, can abilities) (*Init, error) {
	if !installed {
		return nil, ErrNotReady
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(pair[1])
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		unix.Close(pair[0])
		return nil, err
	}
	defer null.Close()
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if can.spaces {
		uid, gid := os.Geteuid(), os.Getegid()
		attr.Cloneflags = spaces
		if !p.Network {
			attr.Cloneflags |= unix.CLONE_NEWNET
		}
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}
	}
	pid, err := syscall.ForkExec(self, []string{initName}, &syscall.ProcAttr{
		Dir: "/", Env: env, Sys: attr, Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), uintptr(pair[1])},
	})
	if err != nil {
		unix.Close(pair[0])
		return nil, fmt.Errorf("sandbox: starting an init: %w", err)
	}
	// A hung init must not hang the arena.
	_ = unix.SetsockoptTimeval(pair[0], unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 10})
	i := &Init{Pid: pid, CPUs: cpus, socket: pair[0], can: can}
	if err := sendMessage(i.socket, i.confines(p).bytes()); err != nil {
		i.Discard()
		return nil, &StepError{Step: "telling an init its confines", Err: err}
	}
	return i, nil
}

// Command is the program that an init starts.
type Command struct {
	Path  string // of the program, with Argv[0] its name
	Argv  []string
	Dir   string
	Env   []string
	Files [3]int // its stdin, stdout and stderr
	Group string // version 2 cgroup that the init is in already, "" if none
}

// Child is an engine that an init started.
type Child struct {
	Pid    int // of the engine, as this process sees it
	Top    int // the process whose death ends all others: the init, or the engine itself where it took the init's place
	socket int // -1 where the engine is a child of this process
	group  *countGroup
}

// Join puts the init into a group that limits its processes, where that is
// needed. The kernel takes its time for it.
func (i *Init) Join() (err error) {
	i.group, err = i.can.group.create(i.Pid)
	return err
}

// Start starts the program. The error is that of the program's start (a
// syscall.Errno), or a *StepError. The init is spent in any case.
func (i *Init) Start(c Command) (*Child, error) {
	var err error
	if c.Group != "" && i.can.group != nil { // a process is in one such group only
		err = (&countGroup{dir: c.Group}).limit(processes())
	}
	if err == nil {
		var child *Child
		if child, err = i.order(&order{path: c.Path, argv: c.Argv, env: c.Env, dir: c.Dir}, c.Files); err == nil {
			child.group = i.group
			return child, nil
		}
	}
	i.Discard()
	return nil, err
}

func (i *Init) confines(p *Policy) *confines {
	c := &confines{
		cpus: i.CPUs, read: p.Read, list: p.List, write: p.Write, inet: p.Network,
		abi: i.can.landlock, filter: i.can.filter, spaces: i.can.spaces, fresh: i.can.proc,
	}
	if i.can.counts && i.can.spaces { // elsewhere all processes of the user would count
		c.procs = processes()
	}
	if i.can.tmp {
		c.tmp, c.tmps = places(p)
	}
	return c
}

func (i *Init) order(o *order, files [3]int) (*Child, error) {
	sent := sendMessage(i.socket, o.bytes(), files[:]...)
	text, fds, err := receiveMessage(i.socket) // what went wrong before the order too
	switch {
	case errors.Is(err, io.EOF) && !i.can.spaces && sent == nil:
		unix.Close(i.socket)
		return &Child{Pid: i.Pid, Top: i.Pid, socket: -1}, nil
	case err != nil:
		return nil, &StepError{Step: "waiting for an init", Err: err}
	case len(text) > 0 && text[0] == answerRefused:
		return nil, readRefusal(text)
	case len(text) != 1 || text[0] != answerStarted || len(fds) != 1:
		return nil, &StepError{Step: "the answer of an init", Err: fmt.Errorf("%q", text)}
	}
	defer unix.Close(fds[0])
	pid, err := numberOf(fds[0])
	if err != nil {
		return nil, &StepError{Step: "finding the engine's process", Err: err}
	}
	_ = unix.SetsockoptTimeval(i.socket, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{})
	return &Child{Pid: pid, Top: i.Pid, socket: i.socket}, nil
}

// numberOf is the number of the process of a pidfd, as /proc here shows it.
func numberOf(pidfd int) (int, error) {
	text, err := os.ReadFile("/proc/self/fdinfo/" + strconv.Itoa(pidfd))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(text) {
		if value, ok := bytes.CutPrefix(line, []byte("Pid:")); ok {
			return strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	return 0, errors.New("no Pid in fdinfo")
}

// Reaps reports whether the engine's exit status comes from its init.
func (c *Child) Reaps() bool { return c != nil && c.socket >= 0 }

// Wait waits for the init's report of how the engine ended: wait status and CPU
// time. ok is false if the init ended without a report, because it was killed.
func (c *Child) Wait() (status unix.WaitStatus, used time.Duration, ok bool) {
	text, _, err := receiveMessage(c.socket)
	if err != nil || len(text) == 0 || text[0] != answerEnded {
		return 0, 0, false
	}
	u := unpack{rest: text[1:]}
	status, used = unix.WaitStatus(u.num()), time.Duration(u.num())
	return status, used, u.err == nil
}

// Close frees what the child needed. It must have been reaped.
func (c *Child) Close() {
	if c == nil {
		return
	}
	if c.socket >= 0 {
		unix.Close(c.socket)
		c.socket = -1
	}
	c.group.remove()
}

// Discard ends an init that is not needed.
func (i *Init) Discard() {
	unix.Close(i.socket)
	_ = unix.Kill(i.Pid, unix.SIGKILL)
	_ = again(func() error {
		_, err := unix.Wait4(i.Pid, nil, 0, nil)
		return err
	})
	i.group.remove()
}
