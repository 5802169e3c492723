package sandbox

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// abilities are the parts of a sandbox that work on this machine. An init is told those
// with a capital letter.
type abilities struct {
	Spaces bool    // namespaces of its own
	Fresh  bool    // ... with a /proc of its own
	Frozen bool    // ... with read-only mounts
	tmp    bool    // ... with a temporary folder of its own
	ABI    int     // of Landlock, 0 for none
	Filter bool    // of system calls
	counts bool    // the limit of processes counts those of one engine
	group  *parent // in which its processes are counted
}

// Steps that may fail on a machine, each of which is left out then.
const (
	stepSpaces = "namespaces"
	stepProc   = "a /proc of its own"
	stepMounts = "read-only mounts"
	stepTmp    = "a private temporary folder"
	stepLimits = "limits"
	stepFiles  = "Landlock"
	stepCalls  = "seccomp"
)

// Host is what this machine can do. It is safe for concurrent use.
type Host struct {
	can    abilities
	report Report
}

// Report is what holds on this machine, found by trying.
func (h *Host) Report() Report { return h.report }

// Box is the sandbox of one engine.
type Box struct {
	host   *Host
	policy Policy
}

// Box makes a box of a policy.
func (h *Host) Box(p Policy) *Box { return &Box{host: h, policy: p} }

// Env are the variables that name the private temporary folder.
func (b *Box) Env() []string { return homeIn(&b.policy, b.host.can) }

func homeIn(p *Policy, can abilities) []string {
	if !can.tmp {
		return nil
	}
	tmp, _ := places(p)
	return []string{"HOME=" + tmp, "TMPDIR=" + tmp}
}

// Open tries what this machine can do: it starts this very program in a
// sandbox and lets it try what an engine must not be able to do.
func Open() (*Host, error) { return open(func(*abilities, map[string]string) {}) }

// open is Open after a change of what may work.
func open(change func(*abilities, map[string]string)) (*Host, error) {
	can, missing := first()
	change(&can, missing)
	folder, err := os.MkdirTemp("", "thera-sandbox")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	if err := os.WriteFile(filepath.Join(folder, "secret"), []byte("secret"), 0o600); err != nil {
		return nil, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	for {
		found, err := try(can, folder, port)
		var step *StepError
		switch {
		case err == nil:
			return &Host{can: can, report: protections(can, missing, found)}, nil
		case !errors.As(err, &step) || missing[step.Step] != "":
			return nil, err
		case !can.without(step.Step):
			return nil, err
		}
		missing[step.Step] = step.Err.Error()
	}
}

// first is what may work, before it is tried, and why the rest does not.
func first() (abilities, map[string]string) {
	missing := map[string]string{}
	can := abilities{Spaces: true, Fresh: true, Frozen: true, tmp: true, ABI: landlockABI(), Filter: canFilter, counts: countsApart()}
	if can.ABI == 0 {
		missing[stepFiles] = "this kernel has none"
	}
	if !canFilter {
		missing[stepCalls] = "not on " + runtime.GOARCH
	}
	if os.Geteuid() == 0 { // whom no such limit binds
		can.counts = false
		group, err := findCount()
		if err != nil {
			missing[stepLimits] = err.Error()
		}
		can.group = group
	} else if !can.counts {
		missing[stepLimits] = "this kernel counts processes of all programs together"
	}
	return can, missing
}

// without leaves out the part that a step sets up.
func (a *abilities) without(step string) bool {
	switch step {
	case stepSpaces:
		a.Spaces, a.Fresh, a.Frozen, a.tmp = false, false, false, false
	case stepProc:
		a.Fresh = false
	case stepMounts:
		a.Frozen = false
	case stepTmp:
		a.tmp = false
	case stepFiles:
		a.ABI = 0
	case stepCalls:
		a.Filter = false
	case stepLimits:
		a.counts, a.group = false, nil
	default:
		return false
	}
	return true
}

// try runs the probe under these abilities and returns what it could do, by
// the name of the protection.
func try(can abilities, folder string, port int) (found map[string]string, err error) {
	runtime.LockOSThread() // the init dies with its thread
	defer runtime.UnlockOSThread()
	p := &Policy{Dir: "/", Read: append(System(), self)}
	init, err := prepare(p, nil, can)
	if err != nil {
		if can.Spaces {
			err = &StepError{Step: stepSpaces, Err: errors.Unwrap(err)}
		}
		return nil, err
	}
	if err := init.Confine(Memory{}, 0); err != nil {
		return nil, err
	}
	sockets, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		init.Discard()
		return nil, err
	}
	talk := os.NewFile(uintptr(sockets[0]), "probe")
	defer talk.Close()
	child, err := init.Start(Command{
		Path: self, Argv: []string{probeName, strconv.Itoa(os.Getpid()), strconv.Itoa(port), folder}, Dir: "/",
		Env: homeIn(p, can), Files: [3]int{sockets[1], sockets[1], sockets[1]},
	})
	unix.Close(sockets[1])
	if err != nil {
		return nil, err
	}
	defer child.Close()
	found = map[string]string{}
	if _, ok := child.CPU(); !ok {
		found[uncounted] = uncounted
	}
	defer func() {
		child.Kill()
		_, _, _ = child.Wait()
	}()
	_ = unix.SetsockoptTimeval(sockets[0], unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: initPatience})
	said := bufio.NewScanner(talk)
	for said.Scan() {
		switch name, what, _ := strings.Cut(said.Text(), ": "); name {
		case "ready":
			for _, g := range init.groups {
				if err := g.set("pids.max", 0); err != nil {
					return nil, err
				}
			}
			if _, err := talk.Write([]byte("go")); err != nil {
				return nil, err
			}
		case "done":
			return found, nil
		default:
			found[name] = what
		}
	}
	return nil, fmt.Errorf("sandbox: the trial ended early: %v", said.Err())
}

// protections says for each promise whether it holds, or why it does not.
func protections(can abilities, missing, found map[string]string) Report {
	why := func(name string, steps ...string) Protection {
		p := Protection{Name: name}
		var reasons []string
		for _, step := range steps {
			if missing[step] != "" {
				reasons = append(reasons, step+": "+missing[step])
			}
		}
		if did := found[name]; did != "" {
			p.Miss = did
			if len(reasons) > 0 {
				p.Miss = strings.Join(reasons, ", ")
			}
		}
		return p
	}
	return Report{Uncounted: found[uncounted], Protections: []Protection{
		why(holdsProcesses, stepSpaces, stepProc),
		why(holdsNetwork, stepSpaces),
		why(holdsFiles, stepFiles, stepMounts),
		why(holdsTmp, stepSpaces, stepTmp),
		why(holdsCount, stepLimits),
		why(holdsCalls, stepCalls),
	}}
}
