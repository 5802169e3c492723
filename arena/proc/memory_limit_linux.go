package proc

import (
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
)

// Unenforced says what this operating system cannot do: nothing.
const Unenforced = ""

// cgroupEnv names the parent group for the engines' groups, or is "off".
const cgroupEnv = "THERA_CGROUP"

// errNoGroup is why memory is only sampled; it is not a failure.
var errNoGroup = errors.New("no memory cgroup to make groups in")

// findGroups returns a memory cgroup in which this process may make groups for its
// engines. The error is errNoGroup with the reason or, if the user named a group, what is
// wrong with that.
func findGroups() (*sandbox.Parent, error) {
	named := os.Getenv(cgroupEnv)
	switch named {
	case "":
	case "off":
		return nil, fmt.Errorf("%w: %s is off", errNoGroup, cgroupEnv)
	default:
		p := sandbox.Parent{Dir: named}
		_, err := os.Stat(path.Join(named, "cgroup.subtree_control"))
		p.V2 = err == nil
		if err := usable(p, true); err != nil {
			return nil, fmt.Errorf("%s=%s: %w", cgroupEnv, named, err)
		}
		return &p, nil
	}
	list, err := sandbox.Parents("memory", "")
	if err == nil && len(list) == 0 {
		err = errors.New("none is mounted that is passed on")
	}
	why := []error{err}
	for _, p := range list {
		err := usable(p, false)
		if err == nil {
			return &p, nil
		}
		why = append(why, fmt.Errorf("%s: %w", p.Dir, err))
	}
	return nil, fmt.Errorf("%w: %w", errNoGroup, errors.Join(why...))
}

// usable returns why groups cannot be made in p. A group has one writer, its owner. An
// ordinary user can write only to groups delegated to that user. Root can write to every
// group, which proves nothing: it needs one that is marked as delegated, as systemd does
// it, or named by the user.
func usable(p sandbox.Parent, named bool) error {
	if p.V2 {
		if err := p.Passes("memory"); err != nil {
			return err
		}
	} else if _, err := os.Stat(path.Join(p.Dir, "memory.limit_in_bytes")); err != nil {
		return errors.New("no memory cgroup")
	}
	for _, file := range []string{p.Dir, path.Join(p.Dir, "cgroup.procs")} {
		if unix.Access(file, unix.W_OK) != nil {
			return fmt.Errorf("%s is not writable", file)
		}
	}
	if os.Geteuid() == 0 && !named && !delegated(p.Dir) {
		return fmt.Errorf("running as root in a group that is not marked as delegated (name one with %s)", cgroupEnv)
	}
	return nil
}

// delegated reads the mark that systemd sets for Delegate=; see
// CGROUP_DELEGATION.
func delegated(dir string) bool {
	var value [8]byte
	for _, name := range []string{"trusted.delegate", "user.delegate"} {
		if n, err := unix.Getxattr(dir, name, value[:]); err == nil && string(value[:n]) == "1" {
			return true
		}
	}
	return false
}

// limitMemory sets the limit of a group in bytes.
func limitMemory(g *sandbox.Group, limit int64) error {
	bytes := strconv.FormatInt(limit, 10)
	if g.V2 {
		return errors.Join(g.Set("memory.max", bytes), g.SetIf("memory.swap.max", "0"), g.SetIf("memory.oom.group", "1"))
	}
	if err := g.Set("memory.limit_in_bytes", bytes); err != nil { // the other must not be less
		return err
	}
	return g.SetIf("memory.memsw.limit_in_bytes", bytes)
}

// fullSlack is the memory that a full group may still have: the kernel charges
// several pages at a time.
const fullSlack = 1 << 20

// killed is the group's peak memory if the kernel killed one of its processes
// for the limit, 0 otherwise.
func killed(g *sandbox.Group, limit int64) int64 {
	if g == nil {
		return 0
	}
	kills := "memory.oom_control"
	if g.V2 {
		kills = "memory.events"
	}
	if g.Value(kills, "oom_kill") == 0 {
		return 0
	}
	// A machine that runs out of memory kills processes too. Count only a kill
	// for this limit. Version 1 counts memory with swap separately, and since
	// Linux 6 it may count no hits; then the group has been full.
	hits, had := g.Value(kills, "oom"), g.Value("memory.peak", "")
	if !g.V2 {
		had = max(g.Value("memory.max_usage_in_bytes", ""), g.Value("memory.memsw.max_usage_in_bytes", ""))
		hits = g.Value("memory.failcnt", "") + g.Value("memory.memsw.failcnt", "") + max(0, had-(limit-fullSlack))
	}
	if hits == 0 {
		return 0
	}
	if had > 0 {
		return had
	}
	return limit
}

// memLimit is how a Spawner enforces memory limits. It looks for a cgroup when
// the first engine with a limit starts.
type memLimit struct {
	mu     sync.Mutex
	looked bool
	groups *sandbox.Parent // nil: memory is only sampled
	err    error           // a group that the user named cannot be used
}

// group is a new group for an engine, nil if its memory is only sampled.
func (l *memLimit) group(limit int64) (*sandbox.Group, error) {
	if limit <= 0 {
		return nil, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.looked {
		l.looked = true
		if l.groups, l.err = findGroups(); errors.Is(l.err, errNoGroup) {
			l.err = nil
		}
	}
	if l.groups == nil {
		return nil, l.err
	}
	g, err := l.groups.Make(func(g *sandbox.Group) error { return limitMemory(g, limit) })
	if err != nil {
		l.groups = nil
		if os.Getenv(cgroupEnv) == "" { // the user did not ask for a group
			return nil, nil
		}
		l.err = err
	}
	return g, err
}

// giveUp continues without groups, because the kernel starts no process in
// them.
func (l *memLimit) giveUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.groups = nil
}

// overLimit is the memory of the engine's processes if it exceeds their limit, or its peak
// if the kernel killed one of them for the limit; 0 otherwise.
func (p *Process) overLimit() int64 {
	if used := p.memory(); used > p.limit.Load() {
		return used
	}
	return killed(p.group, p.spec.Memory)
}

// noteKill records a kill by the kernel for the limit, before the exit is
// reported.
func (p *Process) noteKill() {
	if had := killed(p.group, p.spec.Memory); had > 0 {
		p.over.CompareAndSwap(0, had)
	}
}

// sampled is how memory is measured in any case.
const sampled = "resident size, page tables and shared memory of all its processes, every 50 ms"

// MemoryHow says what enforces an engine's memory limit on this machine and,
// if it is not the kernel, why.
func MemoryHow() string {
	groups, err := findGroups()
	if err != nil {
		why := strings.ReplaceAll(err.Error(), "\n", "; ")
		return sampled + ", without pipes, TCP and what else the kernel keeps for them (" + why + ")"
	}
	version := 1
	if groups.V2 {
		version = 2
	}
	return fmt.Sprintf("the kernel, by a group for each engine below %s (cgroup v%d), and %s", groups.Dir, version, sampled)
}
