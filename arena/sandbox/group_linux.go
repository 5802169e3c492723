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

// Group is a group of one engine and everything it starts. A nil Group has nothing to do.
type Group struct{ Parent }

const prefix = "thera-"

// patience bounds the wait for a group to become empty.
const patience = 10 * time.Second

// Make makes a group in p. Its limits are set by limit; where that fails there is none.
func (p Parent) Make(limit func(g *Group) error) (*Group, error) {
	var err error
	for n := 1; n < 100_000; n++ {
		g := &Group{Parent: Parent{V2: p.V2, Dir: filepath.Join(p.Dir, fmt.Sprintf("%s%d-%d", prefix, os.Getpid(), n))}}
		if err = os.Mkdir(g.Dir, 0o755); errors.Is(err, os.ErrExist) {
			continue
		}
		if err == nil {
			err = limit(g)
		}
		if err != nil {
			g.Remove()
			break
		}
		return g, nil
	}
	return nil, fmt.Errorf("a group for an engine: %w", err)
}

// Set writes a file of the group.
func (g *Group) Set(name, value string) error {
	file, err := os.OpenFile(filepath.Join(g.Dir, name), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteString(value)
	return errors.Join(err, file.Close())
}

// SetIf is Set if this kernel has such a file.
func (g *Group) SetIf(name, value string) error {
	if err := g.Set(name, value); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Value reads a number from a file of "name number" lines, or from a file of one number.
func (g *Group) Value(name, key string) int64 {
	text, err := os.ReadFile(filepath.Join(g.Dir, name))
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

// Adopt moves a process with all its threads into the group.
func (g *Group) Adopt(pid int) error {
	if g == nil {
		return nil
	}
	return g.Set("cgroup.procs", strconv.Itoa(pid))
}

// Remove kills what is left in the group, even what left its process group, and removes
// the group.
func (g *Group) Remove() {
	if g == nil {
		return
	}
	for end := time.Now().Add(patience); !removed(g.Dir) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if g.V2 {
			_ = g.Set("cgroup.kill", "1") // since Linux 5.14
		}
		for _, pid := range members(g.Dir) {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil) // adopted, or not a child of this process
		}
	}
}

// members are the processes in a group and in groups that an engine created in it.
func members(dir string) []int {
	var pids []int
	text, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	for word := range strings.FieldsSeq(string(text)) {
		// 0 is a process outside this namespace; the arena's own thread leaves by itself.
		if pid, err := strconv.Atoi(word); err == nil && pid > 0 && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	for _, below := range subgroups(dir) {
		pids = append(pids, members(below)...)
	}
	return pids
}

// within are the groups in a group.
func subgroups(dir string) (dirs []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.IsDir() {
			dirs = append(dirs, filepath.Join(dir, e.Name()))
		}
	}
	return dirs
}

// removed removes a group and the groups that an engine created in it. The kernel refuses
// while it has processes.
func removed(dir string) bool {
	err := unix.Rmdir(dir)
	if err == nil || err == unix.ENOENT {
		return true
	}
	for _, below := range subgroups(dir) {
		removed(below)
	}
	return unix.Rmdir(dir) == nil
}
