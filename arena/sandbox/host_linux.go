package sandbox

import (
	"cmp"
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

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

var steps = []string{stepSpaces, stepProc, stepMounts, stepTmp, stepLimits, stepFiles, stepCalls}

// lacks says why steps fail on this machine. Those that it does not name work.
type lacks map[string]string

// has reports whether a step works: three of them only in namespaces.
func (l lacks) has(step string) bool {
	inSpaces := step == stepProc || step == stepMounts || step == stepTmp
	return l[step] == "" && (!inSpaces || l[stepSpaces] == "")
}

// Host is what this machine can do. It is safe for concurrent use.
type Host struct {
	lacks  lacks
	count  *group // in which the groups are that limit the number of root's processes
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

// Tmp is the private temporary folder, "" without one.
func (b *Box) Tmp() string {
	dirs := places(&b.policy)
	if !b.host.lacks.has(stepTmp) || len(dirs) == 0 {
		return ""
	}
	return dirs[0]
}

// Env are the variables that name the private temporary folder.
func (b *Box) Env() []string {
	dir := b.Tmp()
	if dir == "" {
		return nil
	}
	return []string{"HOME=" + dir, "TMPDIR=" + dir}
}

// Open tries what this machine can do: it starts an init in a sandbox, which tries
// what an engine must not be able to do.
func Open() (*Host, error) { return open(lacks{}) }

// open is Open on a machine that lacks some steps.
func open(l lacks) (*Host, error) {
	h := &Host{lacks: l}
	if landlockABI() == 0 {
		l[stepFiles] = "this kernel has none"
	}
	if !canFilter {
		l[stepCalls] = "not on " + runtime.GOARCH
	}
	if os.Geteuid() == 0 { // whom no limit of a user binds
		var err error
		if h.count, err = findCount(); err != nil {
			l[stepLimits] = err.Error()
		}
	} else if !countsApart() {
		l[stepLimits] = "this kernel counts processes of all programs together"
	}
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
	t := &trial{Arena: os.Getpid(), Port: listener.Addr().(*net.TCPAddr).Port, Folder: folder}
	for {
		found, err := h.try(t)
		var step *StepError
		switch {
		case err == nil:
			h.report = protections(l, found)
			return h, nil
		case !errors.As(err, &step) || !slices.Contains(steps, step.Step) || l[step.Step] != "":
			return nil, err
		}
		l[step.Step] = step.Err.Error()
	}
}

// try has an init try what an engine must not be able to do, and returns what it
// could do, by the name of the protection.
func (h *Host) try(t *trial) (found map[string]string, err error) {
	runtime.LockOSThread() // the init dies with its thread
	defer runtime.UnlockOSThread()
	init, err := h.Box(Policy{Dir: "/", Read: System()}).Prepare(nil)
	if err != nil {
		if h.lacks.has(stepSpaces) {
			err = &StepError{Step: stepSpaces, Err: errors.Unwrap(err)}
		}
		return nil, err
	}
	if err := init.Confine(Memory{}, 0, FindMeter()); err != nil {
		return nil, err
	}
	defer init.Discard()
	a, _, err := init.ask(&order{Try: t})
	if err != nil {
		return nil, err
	}
	if os.Geteuid() == 0 && (len(init.groups) == 0 || init.groups[0].value("pids.current", "") == 0) {
		a.Did[holdsCount] = "it does not bind"
	}
	return a.Did, nil
}

// protections says for each promise whether it holds, or why it does not.
func protections(l lacks, found map[string]string) Report {
	r := Report{Uncounted: found[uncounted]}
	for _, promise := range []struct {
		name  string
		steps []string
	}{
		{holdsProcesses, []string{stepSpaces, stepProc}},
		{holdsNetwork, []string{stepSpaces}},
		{holdsFiles, []string{stepFiles, stepMounts}},
		{holdsTmp, []string{stepSpaces, stepTmp}},
		{holdsCount, []string{stepLimits}},
		{holdsCalls, []string{stepCalls}},
	} {
		var reasons []string
		for _, step := range promise.steps {
			if l[step] != "" {
				reasons = append(reasons, step+": "+l[step])
			}
		}
		if did := found[promise.name]; did == "" {
			r.holds = append(r.holds, promise.name)
		} else {
			r.missing = append(r.missing, promise.name+" ("+cmp.Or(strings.Join(reasons, ", "), did)+")")
		}
	}
	return r
}
