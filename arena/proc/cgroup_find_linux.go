package proc

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"thera/arena/cgroup"
)

// cgroupEnv names the parent group for the engines' groups, or is "off".
const cgroupEnv = "THERA_CGROUP"

// groupFinder looks for a memory cgroup in which this process may create
// groups for its engines. A group has one writer, its owner. An ordinary user
// can write only to groups delegated to that user. Root can write to every
// group, which proves nothing, so root needs a group that is marked as
// delegated, as systemd does it, or named by the user.
type groupFinder struct {
	root     string // root of the file system; set only in tests
	uid      int
	named    string // "", "off" or a folder
	writable func(path string) bool
	marked   func(dir string) bool
}

func newGroupFinder() *groupFinder {
	return &groupFinder{
		uid: os.Geteuid(), named: os.Getenv(cgroupEnv),
		writable: func(path string) bool { return unix.Access(path, unix.W_OK) == nil },
		marked:   delegated,
	}
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

// errNoGroup is why memory is only sampled; it is not a failure.
var errNoGroup = errors.New("no memory cgroup to make groups in")

// find returns a place to create groups. The error is errNoGroup with the
// reason or, if the user named a group, what is wrong with that group.
func (f *groupFinder) find() (*memGroups, error) {
	if f.named == "off" {
		return nil, fmt.Errorf("%w: %s is off", errNoGroup, cgroupEnv)
	}
	v2, v1, err := f.own()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoGroup, err)
	}
	if f.named != "" {
		g := &memGroups{v2: f.has(f.named, "cgroup.subtree_control"), parent: f.named}
		if err := f.usable(g); err != nil {
			return nil, fmt.Errorf("%s=%s: %w", cgroupEnv, f.named, err)
		}
		return g, nil
	}
	var why []error
	for dir, above := v2, ""; v2 != "" && dir != above; dir, above = path.Dir(dir), dir {
		g := &memGroups{v2: true, parent: dir}
		if !f.has(dir, "cgroup.subtree_control") { // above the mount
			break
		}
		err := f.takes(g)
		if err == nil {
			return g, nil
		}
		why = append(why, fmt.Errorf("%s: %w", dir, err))
	}
	if v1 != "" {
		g := &memGroups{parent: v1}
		err := f.takes(g)
		if err == nil {
			return g, nil
		}
		why = append(why, fmt.Errorf("%s: %w", v1, err))
	}
	if len(why) == 0 {
		why = append(why, errors.New("none is mounted"))
	}
	return nil, fmt.Errorf("%w: %w", errNoGroup, errors.Join(why...))
}

func (f *groupFinder) has(dir, name string) bool {
	_, err := os.Stat(f.root + path.Join(dir, name))
	return err == nil
}

// takes returns why g must not be used unless the user named it.
func (f *groupFinder) takes(g *memGroups) error {
	if err := f.usable(g); err != nil {
		return err
	}
	return f.ours(g.parent)
}

// usable returns why groups cannot be created in g's parent.
func (f *groupFinder) usable(g *memGroups) error {
	switch {
	case g.v2:
		// A child group has a memory controller if this group delegates it. A
		// group that delegates has no processes of its own, or is the root.
		text, err := os.ReadFile(f.root + path.Join(g.parent, "cgroup.subtree_control"))
		if err != nil {
			return err
		}
		if !slices.Contains(strings.Fields(string(text)), "memory") {
			return errors.New("it does not delegate the memory controller (cgroup.subtree_control)")
		}
	case !f.has(g.parent, "memory.limit_in_bytes"):
		return errors.New("no memory cgroup")
	}
	for _, file := range []string{g.parent, path.Join(g.parent, "cgroup.procs")} {
		if !f.writable(f.root + file) {
			return fmt.Errorf("%s is not writable", file)
		}
	}
	return nil
}

func (f *groupFinder) ours(dir string) error {
	if f.uid == 0 && !f.marked(f.root+dir) {
		return fmt.Errorf("running as root in a group that is not marked as delegated (name one with %s)", cgroupEnv)
	}
	return nil
}

// own returns the directory of this process's group in the version 2 hierarchy
// and in that of the version 1 memory controller, "" if there is none.
func (f *groupFinder) own() (v2, v1 string, err error) {
	two, one, err := cgroup.Own(f.root, "memory")
	return two.Dir, one.Dir, err
}
