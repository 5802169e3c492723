package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// group is a group of one engine and everything it starts; nil is none.
type group struct{ parent }

// patience bounds the wait for a group to become empty.
const patience = 10 * time.Second

// group makes a group in p. Where one of its limits cannot be set there is none.
func (p parent) group(limits ...func(g *group) error) (*group, error) {
	var err error
	for n := 1; n < 100_000; n++ {
		g := &group{parent{v2: p.v2, dir: filepath.Join(p.dir, fmt.Sprintf("thera-%d-%d", os.Getpid(), n))}}
		if err = os.Mkdir(g.dir, 0o755); errors.Is(err, os.ErrExist) {
			continue
		}
		for _, limit := range limits {
			if err == nil {
				err = limit(g)
			}
		}
		if err != nil {
			g.remove()
			break
		}
		return g, nil
	}
	return nil, fmt.Errorf("a group for an engine: %w", err)
}

func limitCount(g *group) error { return g.set("pids.max", int64(processes())) }

// limitMemory limits the memory of a group in bytes, with that in swap where the kernel
// counts it.
func limitMemory(limit int64) func(g *group) error {
	return func(g *group) error {
		all := map[string]int64{"memory.memsw.limit_in_bytes": limit}
		first := "memory.limit_in_bytes"
		if g.v2 {
			first, all = "memory.max", map[string]int64{"memory.swap.max": 0, "memory.oom.group": 1}
		}
		err := g.set(first, limit)
		for name, value := range all {
			if more := g.set(name, value); err == nil && !errors.Is(more, os.ErrNotExist) {
				err = more
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
		f := strings.Fields(line)
		if len(f) == 1 || len(f) == 2 && f[0] == key {
			n, _ := strconv.ParseInt(f[len(f)-1], 10, 64)
			return n
		}
	}
	return 0
}

// fullSlack is the memory that a full group may still have: the kernel charges
// several pages at a time.
const fullSlack = 1 << 20

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
	if g.value("memory.oom_control", "oom_kill") == 0 || had <= limit-fullSlack {
		return 0
	}
	return had
}

// adopt moves a process with all its threads into the group.
func (g *group) adopt(pid int) error { return g.set("cgroup.procs", int64(pid)) }

// remove kills what is left in the group, even what left its process group, and removes
// the group.
func (g *group) remove() {
	if g == nil {
		return
	}
	for end := time.Now().Add(patience); !removed(g.dir) && time.Now().Before(end); {
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
		// 0 is a process outside this namespace; the arena's own thread leaves by itself.
		if pid, err := strconv.Atoi(word); err == nil && pid > 0 && pid != os.Getpid() {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // adopted, or not a child of this process
		}
	}
	return false
}
