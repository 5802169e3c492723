package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// groupVar names the group in which the engines' groups are made, or is "off".
const groupVar = "THERA_CGROUP"

// group is a control group, see cgroups(7): of version 2, or of version 1 where the
// controllers are there, as on machines that have both.
type group struct {
	v2  bool
	dir string
}

// around are the groups around this process that pass a controller on to groups in them,
// the nearest first: of version 2 from that of this process, or from another one, upwards, and
// that of this process in version 1.
func around(controller, from string) []group {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	return find(string(groups), "/sys/fs/cgroup", controller, from)
}

// find is around for the contents of /proc/self/cgroup and the folder of all hierarchies.
func find(groups, root, controller, from string) (all []group) {
	var v1 []group
	for line := range strings.Lines(groups) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, path, _ := strings.Cut(rest, ":")
		if id == "0" {
			top := filepath.Join(root, "unified") // beside those of version 1
			if _, err := os.Stat(top); err != nil {
				top = root
			}
			for dir := cmp.Or(from, inside(top, path)); Within(dir, top); dir = filepath.Dir(dir) {
				if g := (group{v2: true, dir: dir}); g.passes(controller) == nil {
					all = append(all, g)
				}
			}
		} else if slices.Contains(strings.Split(controllers, ","), controller) {
			if dir := inside(filepath.Join(root, controller), path); dir != "" {
				v1 = append(v1, group{dir: dir})
			}
		}
	}
	return append(all, v1...)
}

// inside is where a group is: below its hierarchy, or this itself in a container that sees
// no more of it.
func inside(top, path string) string {
	for _, dir := range []string{filepath.Join(top, path), top} {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return ""
}

// passes returns why groups in a group of version 2 lack a controller. A group that passes
// one on has no processes itself, or is the root.
func (g *group) passes(controller string) error {
	text, err := os.ReadFile(filepath.Join(g.dir, "cgroup.subtree_control"))
	if err == nil && controller != "" && !slices.Contains(strings.Fields(string(text)), controller) {
		err = fmt.Errorf("it does not delegate the %s controller (cgroup.subtree_control)", controller)
	}
	return err
}

// findCount finds where groups can be made that limit the number of an engine's processes:
// the limit of a user does not bind root.
func findCount() (*group, error) {
	named := os.Getenv(groupVar)
	if named == "off" {
		return nil, errors.New(groupVar + " is off")
	}
	list := around("pids", named)
	if len(list) == 0 {
		return nil, errors.New("no pids cgroup is mounted")
	}
	trial, err := list[0].make(limitCount)
	if err == nil {
		trial.remove()
	}
	return &list[0], err
}

// Meter is where groups of version 2 can be made, whatever they control: the kernel counts
// their CPU time. Its zero value is nowhere.
type Meter struct{ in *group }

// FindMeter finds that.
func FindMeter() (m Meter) {
	named := os.Getenv(groupVar)
	list := around("", named)
	if named == "off" || len(list) == 0 || !list[0].v2 || unix.Access(filepath.Join(list[0].dir, "cgroup.procs"), unix.W_OK) != nil {
		return m
	}
	trial, err := list[0].make(func(g *group) error { return unix.Access(filepath.Join(g.dir, cpuStat), unix.R_OK) })
	if err == nil {
		trial.remove()
		m.in = &list[0]
	}
	return m
}

// Memory is where groups are made that limit the memory of engines. Its zero value is
// nowhere.
type Memory struct {
	in    *group
	named bool // by the user, who counts on it

	By  string // what limits it
	Why error  // nothing does
}

// FindMemory finds that. The error is what is wrong with a group that the user named.
func FindMemory() (Memory, error) {
	named := os.Getenv(groupVar)
	if named == "off" {
		return Memory{Why: errors.New(groupVar + " is off")}, nil
	}
	candidates, why := around("memory", ""), errors.New("no memory cgroup to make groups in")
	if named != "" {
		_, err := os.Stat(filepath.Join(named, "cgroup.subtree_control"))
		candidates = []group{{v2: err == nil, dir: named}}
	}
	for _, g := range candidates {
		err := g.usable(named != "")
		switch {
		case err == nil:
			version := map[bool]int{false: 1, true: 2}[g.v2]
			by := fmt.Sprintf("a group for each engine below %s (cgroup v%d)", g.dir, version)
			return Memory{in: &g, named: named != "", By: by}, nil
		case named != "":
			return Memory{Why: err}, fmt.Errorf("%s=%s: %w", groupVar, named, err)
		}
		why = fmt.Errorf("%w; %s: %w", why, g.dir, err)
	}
	return Memory{Why: why}, nil
}

// usable returns why groups cannot be made in g. A group has one writer, its owner. An
// ordinary user can write only to groups delegated to that user. Root can write to every
// group, which proves nothing: it needs one that is marked as delegated, as systemd does
// it, or named by the user.
func (g *group) usable(named bool) error {
	if g.v2 {
		if err := g.passes("memory"); err != nil {
			return err
		}
	} else if _, err := os.Stat(filepath.Join(g.dir, "memory.limit_in_bytes")); err != nil {
		return errors.New("no memory cgroup")
	}
	if unix.Access(g.dir, unix.W_OK) != nil || unix.Access(filepath.Join(g.dir, "cgroup.procs"), unix.W_OK) != nil {
		return errors.New("it is not writable")
	}
	if os.Geteuid() == 0 && !named && !g.delegated() {
		return fmt.Errorf("running as root in a group that is not marked as delegated (name one with %s)", groupVar)
	}
	return nil
}

// delegated reads the mark that systemd sets for Delegate=; see CGROUP_DELEGATION.
func (g *group) delegated() bool {
	var value [8]byte
	return slices.ContainsFunc([]string{"trusted.delegate", "user.delegate"}, func(name string) bool {
		n, err := unix.Getxattr(g.dir, name, value[:])
		return err == nil && string(value[:n]) == "1"
	})
}

// make makes a group in g. Where one of its limits cannot be set there is none.
func (g *group) make(limits ...func(g *group) error) (*group, error) {
	for n := 1; ; n++ {
		in := &group{v2: g.v2, dir: filepath.Join(g.dir, fmt.Sprintf("thera-%d-%d", os.Getpid(), n))}
		err := os.Mkdir(in.dir, 0o755)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		for _, limit := range limits {
			if err == nil {
				err = limit(in)
			}
		}
		if err == nil {
			return in, nil
		}
		in.remove()
		return nil, fmt.Errorf("a group for an engine: %w", err)
	}
}

func limitCount(g *group) error { return g.set("pids.max", int64(processes())) }

// limitMemory limits the memory of a group in bytes, with that in swap where the kernel
// counts it.
func limitMemory(limit int64) func(g *group) error {
	return func(g *group) error {
		first, rest := "memory.limit_in_bytes", map[string]int64{"memory.memsw.limit_in_bytes": limit}
		if g.v2 {
			first, rest = "memory.max", map[string]int64{"memory.swap.max": 0, "memory.oom.group": 1}
		}
		err := g.set(first, limit)
		for name, value := range rest {
			if more := g.set(name, value); !errors.Is(more, os.ErrNotExist) {
				err = cmp.Or(err, more)
			}
		}
		return err
	}
}

// set writes a number to a file of the group.
func (g *group) set(name string, value int64) error {
	file, err := os.OpenFile(filepath.Join(g.dir, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(strconv.FormatInt(value, 10))
	return errors.Join(err, file.Close())
}

// value reads a number from a file of "name number" lines, or from a file of one number.
func (g *group) value(name, key string) int64 {
	text, _ := os.ReadFile(filepath.Join(g.dir, name))
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 1 || len(f) == 2 && f[0] == key {
			n, _ := strconv.ParseInt(f[len(f)-1], 10, 64)
			return n
		}
	}
	return 0
}

// killed is the group's peak memory if the kernel killed one of its processes for the
// limit, 0 otherwise: a machine that runs out of memory kills processes too.
func (g *group) killed(limit int64) int64 {
	if g.v2 {
		if g.value("memory.events", "oom_kill") == 0 || g.value("memory.events", "oom") == 0 {
			return 0
		}
		return max(limit, g.value("memory.peak", ""))
	}
	had := max(g.value("memory.max_usage_in_bytes", ""), g.value("memory.memsw.max_usage_in_bytes", ""))
	// The kernel charges several pages at a time: a full group may have some memory still.
	if g.value("memory.oom_control", "oom_kill") == 0 || had <= limit-1<<20 {
		return 0
	}
	return had
}

// remove kills what is left in the group, even what left its process group, and removes
// the group.
func (g *group) remove() {
	for end := time.Now().Add(10 * time.Second); !removed(g.dir) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// removed removes a group and those that an engine made in it. The kernel refuses while it
// has processes, which are killed.
func removed(dir string) bool {
	if err := unix.Rmdir(dir); err == nil || err == unix.ENOENT {
		return true
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			removed(filepath.Join(dir, e.Name()))
		}
	}
	text, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	for word := range strings.FieldsSeq(string(text)) {
		// 0 is a process outside this namespace; the arena's thread leaves by itself.
		if pid, err := strconv.Atoi(word); err == nil && pid > 0 && pid != os.Getpid() {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // adopted, or not a child of this process
		}
	}
	return false
}
