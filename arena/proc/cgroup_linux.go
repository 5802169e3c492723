package proc

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

// memGroups creates memory cgroups for engines in one parent group.
type memGroups struct {
	v2     bool
	parent string
}

// String says what limits memory.
func (g *memGroups) String() string {
	version := 1
	if g.v2 {
		version = 2
	}
	return fmt.Sprintf("the kernel, by a group for each engine below %s (cgroup v%d), and %s", g.parent, version, sampled)
}

const sampled = "resident size, page tables and shared memory of all its processes, every 50 ms"

// memGroup is the memory cgroup of one engine and everything it starts.
type memGroup struct {
	v2   bool
	dir  string
	file *os.File // the directory, locked while this arena runs
	most int64
}

const groupPrefix = "thera-"

// create creates a group with a limit in bytes.
func (g *memGroups) create(limit int64) (*memGroup, error) {
	var err error
	for n := 1; n < 100_000; n++ {
		dir := filepath.Join(g.parent, fmt.Sprintf("%s%d-%d", groupPrefix, os.Getpid(), n))
		if err = os.Mkdir(dir, 0o755); errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			break
		}
		group := &memGroup{v2: g.v2, dir: dir, most: limit}
		if err = group.setUp(); err != nil {
			group.remove(0)
			break
		}
		return group, nil
	}
	return nil, fmt.Errorf("a memory group: %w", err)
}

func (m *memGroup) setUp() error {
	var err error
	if m.file, err = os.Open(m.dir); err != nil {
		return err
	}
	// Another arena's sweep must see that the group is in use.
	if err := unix.Flock(int(m.file.Fd()), unix.LOCK_SH|unix.LOCK_NB); err != nil {
		return fmt.Errorf("locking %s: %w", m.dir, err)
	}
	bytes := strconv.FormatInt(m.most, 10)
	if !m.v2 {
		if err := m.set("memory.limit_in_bytes", bytes); err != nil {
			return err
		}
		return m.setIf("memory.memsw.limit_in_bytes", bytes)
	}
	if err := m.set("memory.max", bytes); err != nil {
		return err
	}
	if err := m.setIf("memory.swap.max", "0"); err != nil {
		return err
	}
	return m.setIf("memory.oom.group", "1")
}

func (m *memGroup) set(name, value string) error {
	file, err := os.OpenFile(filepath.Join(m.dir, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value)
	return errors.Join(err, file.Close())
}

// setIf is set if this kernel has such a file.
func (m *memGroup) setIf(name, value string) error {
	if err := m.set(name, value); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// adopt moves a process with all its threads into the group.
func (m *memGroup) adopt(pid int) error {
	if m == nil {
		return nil
	}
	return m.set("cgroup.procs", strconv.Itoa(pid))
}

// fullSlack is the memory that a full group may still have: the kernel charges
// several pages at a time.
const fullSlack = 1 << 20

// killed is the group's peak memory if the kernel killed one of its processes
// for the limit, 0 otherwise.
func (m *memGroup) killed() int64 {
	if m == nil {
		return 0
	}
	kills := "memory.oom_control"
	if m.v2 {
		kills = "memory.events"
	}
	if m.value(kills, "oom_kill") == 0 {
		return 0
	}
	// A machine that runs out of memory kills processes too. Count only a kill
	// for this limit. Version 1 counts memory with swap separately, and since
	// Linux 6 it may count no hits; then the group has been full.
	hits, had := m.value(kills, "oom"), m.value("memory.peak", "")
	if !m.v2 {
		had = max(m.value("memory.max_usage_in_bytes", ""), m.value("memory.memsw.max_usage_in_bytes", ""))
		hits = m.value("memory.failcnt", "") + m.value("memory.memsw.failcnt", "") + max(0, had-(m.most-fullSlack))
	}
	if hits == 0 {
		return 0
	}
	if had > 0 {
		return had
	}
	return m.most
}

// value reads a number from a file of "name number" lines, or from a file of
// one number.
func (m *memGroup) value(name, key string) int64 {
	text, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 1 || len(f) == 2 && f[0] == key {
			n, _ := strconv.ParseInt(f[len(f)-1], 10, 64)
			return n
		}
	}
	return 0
}

// groupPatience bounds the wait for a group to become empty.
const groupPatience = 10 * time.Second

// remove kills what is left in the group, even what left its process group,
// and removes the group. It waits at most patience for the exits.
func (m *memGroup) remove(patience time.Duration) {
	if m == nil {
		return
	}
	for end := time.Now().Add(patience); !removeGroup(m.dir) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if m.v2 {
			_ = m.set("cgroup.kill", "1") // since Linux 5.14
		}
		for _, pid := range members(m.dir) {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // adopted, or not a child of this process
		}
	}
	if m.file != nil {
		m.file.Close()
	}
}

// members are the processes in a group and in groups that an engine created in
// it.
func members(dir string) []int {
	var pids []int
	text, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	for word := range strings.FieldsSeq(string(text)) {
		// 0 is a process outside this namespace; the arena's own thread leaves
		// by itself.
		if pid, err := strconv.Atoi(word); err == nil && pid > 0 && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	for _, below := range subgroups(dir) {
		pids = append(pids, members(below)...)
	}
	return pids
}

func subgroups(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var dirs []string
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, filepath.Join(dir, e.Name()))
		}
	}
	return dirs
}

// removeGroup removes a group and the groups that an engine created in it. The
// kernel refuses while it has processes.
func removeGroup(dir string) bool {
	err := unix.Rmdir(dir)
	if err == nil || err == unix.ENOENT {
		return true
	}
	for _, below := range subgroups(dir) {
		removeGroup(below)
	}
	return unix.Rmdir(dir) == nil
}

// sweep removes the groups of killed arenas. A group with running processes
// stays.
func (g *memGroups) sweep() {
	for _, dir := range subgroups(g.parent) {
		name, ours := strings.CutPrefix(filepath.Base(dir), groupPrefix)
		owner, _, numbered := strings.Cut(name, "-")
		pid, err := strconv.Atoi(owner)
		if !ours || !numbered || err != nil || unix.Kill(pid, 0) != unix.ESRCH {
			continue
		}
		file, err := os.Open(dir)
		if err != nil {
			continue
		}
		// Its arena may be in a container, where process numbers differ.
		if unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			removeGroup(dir)
		}
		file.Close()
	}
}
