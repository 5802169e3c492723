package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena/cgroup"
)

// countGroups makes cgroups that limit the number of processes: the limit of
// a user does not bind root.
type countGroups struct{ parent string }

// countGroup is the group of one engine.
type countGroup struct {
	dir string
}

const groupPrefix = "thera-"

// findCountGroups finds the group in which groups for engines are made: the
// arena's own under version 1, the nearest that passes the controller on under
// version 2.
func findCountGroups() (*countGroups, error) {
	named := os.Getenv("THERA_CGROUP")
	if named == "off" {
		return nil, errors.New("THERA_CGROUP is off")
	}
	v2, v1, err := cgroup.Own("", "pids")
	if err != nil {
		return nil, err
	}
	g := &countGroups{parent: countParent(v2, v1, named, passesOn)}
	if g.parent == "" {
		return nil, errors.New("no pids cgroup is mounted")
	}
	g.sweep()
	trial, err := g.create(0)
	if err != nil {
		return nil, err
	}
	trial.remove()
	return g, nil
}

// passesOn reports whether groups in a version 2 group have the controller.
func passesOn(dir string) bool {
	text, _ := os.ReadFile(path.Join(dir, "cgroup.subtree_control"))
	return slices.Contains(strings.Fields(string(text)), "pids")
}

// countParent is the group below which groups are made: v1's, else the nearest
// from v2, or from the group that the user named, upwards that passes.
func countParent(v2, v1 cgroup.Place, named string, passes func(string) bool) string {
	if v1.Dir != "" || v2.Dir == "" {
		return v1.Dir
	}
	dir := cmp.Or(named, v2.Dir)
	for !passes(dir) {
		if dir == v2.Top || len(dir) <= 1 {
			return ""
		}
		dir = path.Dir(dir)
	}
	return dir
}

// create makes a group and puts a process into it, none for 0.
func (g *countGroups) create(pid int) (*countGroup, error) {
	if g == nil {
		return nil, nil
	}
	for n := 1; n < 100_000; n++ {
		dir := path.Join(g.parent, fmt.Sprintf("%s%d-%d", groupPrefix, os.Getpid(), n))
		err := os.Mkdir(dir, 0o755)
		if errors.Is(err, os.ErrExist) {
			continue
		}
		if err != nil {
			return nil, &StepError{Step: stepLimits, Err: err}
		}
		group := &countGroup{dir: dir}
		if err = group.limit(processes()); err == nil && pid > 0 {
			err = os.WriteFile(path.Join(dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
		}
		if err != nil {
			group.remove()
			return nil, &StepError{Step: stepLimits, Err: err}
		}
		return group, nil
	}
	return nil, &StepError{Step: stepLimits, Err: errors.New("too many groups")}
}

func (g *countGroup) limit(most int) error {
	return os.WriteFile(path.Join(g.dir, "pids.max"), []byte(strconv.Itoa(most)), 0)
}

// remove removes the group of an engine that has ended. The kernel may take a
// moment to let go of its processes.
func (g *countGroup) remove() {
	if g == nil {
		return
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if err := unix.Rmdir(g.dir); err != unix.EBUSY && err != unix.EINTR {
			return
		}
	}
}

// sweep removes the groups of killed arenas; the kernel keeps one that has
// processes.
func (g *countGroups) sweep() {
	entries, _ := os.ReadDir(g.parent)
	for _, e := range entries {
		name, ours := strings.CutPrefix(e.Name(), groupPrefix)
		owner, _, _ := strings.Cut(name, "-")
		if pid, err := strconv.Atoi(owner); ours && e.IsDir() && err == nil && unix.Kill(pid, 0) == unix.ESRCH {
			_ = unix.Rmdir(path.Join(g.parent, e.Name()))
		}
	}
}
