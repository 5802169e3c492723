package sandbox

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Control groups, see cgroups(7): of version 2, and of version 1 where the controllers are
// there, as on machines that have both.

// groupVar names the parent group for the engines' groups, or is "off".
const groupVar = "THERA_CGROUP"

// parent is a group in which others can be made.
type parent struct {
	v2  bool
	dir string
}

// parents are the groups around this process that pass a controller on to groups in them,
// the nearest first: of version 2 from its own, or from another one, upwards, and its own
// of version 1.
func parents(controller, from string) []parent {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	return find(string(groups), "/sys/fs/cgroup", controller, from)
}

// find is parents for the contents of /proc/self/cgroup and the folder of all hierarchies.
func find(groups, root, controller, from string) (all []parent) {
	var v1 []parent
	for line := range strings.Lines(groups) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, group, _ := strings.Cut(rest, ":")
		switch {
		case id == "0":
			top := filepath.Join(root, "unified") // beside those of version 1
			if _, err := os.Stat(top); err != nil {
				top = root
			}
			for dir := cmp.Or(from, inside(top, group)); Within(dir, top); dir = filepath.Dir(dir) {
				if p := (parent{v2: true, dir: dir}); p.passes(controller) == nil {
					all = append(all, p)
				}
			}
		case slices.Contains(strings.Split(controllers, ","), controller):
			if dir := inside(filepath.Join(root, controller), group); dir != "" {
				v1 = append(v1, parent{dir: dir})
			}
		}
	}
	return append(all, v1...)
}

// inside is where a group is: below its hierarchy, or this itself in a container that sees
// no more of it.
func inside(top, group string) string {
	for _, dir := range []string{filepath.Join(top, group), top} {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
	}
	return ""
}

// passes returns why groups in a group of version 2 lack a controller. A group that passes
// one on has no processes of its own, or is the root.
func (p parent) passes(controller string) error {
	text, err := os.ReadFile(filepath.Join(p.dir, "cgroup.subtree_control"))
	if err == nil && !slices.Contains(strings.Fields(string(text)), controller) {
		err = fmt.Errorf("it does not delegate the %s controller (cgroup.subtree_control)", controller)
	}
	return err
}

// findCount finds where groups can be made that limit the number of an engine's processes:
// the limit of a user does not bind root.
func findCount() (*parent, error) {
	named := os.Getenv(groupVar)
	if named == "off" {
		return nil, errors.New(groupVar + " is off")
	}
	list := parents("pids", named)
	if len(list) == 0 {
		return nil, errors.New("no pids cgroup is mounted")
	}
	trial, err := list[0].group(limitCount)
	trial.remove()
	return &list[0], err
}

// Memory is where groups are made that limit the memory of engines. Its zero value is
// nowhere.
type Memory struct {
	parent *parent
	named  bool  // by the user, who counts on it
	why    error // there is none
}

// FindMemory finds that. The error is what is wrong with a group that the user named.
func FindMemory() (Memory, error) {
	named := os.Getenv(groupVar)
	switch named {
	case "":
		m := Memory{why: errors.New("no memory cgroup to make groups in")}
		for _, p := range parents("memory", "") {
			err := p.usable(false)
			if err == nil {
				return Memory{parent: &p}, nil
			}
			m.why = fmt.Errorf("%w; %s: %w", m.why, p.dir, err)
		}
		return m, nil
	case "off":
		return Memory{why: errors.New(groupVar + " is off")}, nil
	}
	p := parent{dir: named}
	_, err := os.Stat(filepath.Join(named, "cgroup.subtree_control"))
	p.v2 = err == nil
	if err := p.usable(true); err != nil {
		return Memory{why: err}, fmt.Errorf("%s=%s: %w", groupVar, named, err)
	}
	return Memory{parent: &p, named: true}, nil
}

// By says what limits the memory of engines, or why nothing does.
func (m Memory) By() (what string, why error) {
	switch {
	case m.parent == nil:
		return "", m.why
	case m.parent.v2:
		return fmt.Sprintf("a group for each engine below %s (cgroup v2)", m.parent.dir), nil
	}
	return fmt.Sprintf("a group for each engine below %s (cgroup v1)", m.parent.dir), nil
}

// usable returns why groups cannot be made in p. A group has one writer, its owner. An
// ordinary user can write only to groups delegated to that user. Root can write to every
// group, which proves nothing: it needs one that is marked as delegated, as systemd does
// it, or named by the user.
func (p parent) usable(named bool) error {
	if p.v2 {
		if err := p.passes("memory"); err != nil {
			return err
		}
	} else if _, err := os.Stat(filepath.Join(p.dir, "memory.limit_in_bytes")); err != nil {
		return errors.New("no memory cgroup")
	}
	if unix.Access(p.dir, unix.W_OK) != nil || unix.Access(filepath.Join(p.dir, "cgroup.procs"), unix.W_OK) != nil {
		return errors.New("it is not writable")
	}
	if os.Geteuid() == 0 && !named && !delegated(p.dir) {
		return fmt.Errorf("running as root in a group that is not marked as delegated (name one with %s)", groupVar)
	}
	return nil
}

// delegated reads the mark that systemd sets for Delegate=; see CGROUP_DELEGATION.
func delegated(dir string) bool {
	var value [8]byte
	return slices.ContainsFunc([]string{"trusted.delegate", "user.delegate"}, func(name string) bool {
		n, err := unix.Getxattr(dir, name, value[:])
		return err == nil && string(value[:n]) == "1"
	})
}
