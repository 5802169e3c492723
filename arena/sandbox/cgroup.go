// Control groups for engines; see cgroups(7) and proc(5).
//
// It knows where a group may be and how one is made, filled and removed. What a group
// limits, and whether that is wanted, is for those who ask for it.

package sandbox

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Parent is a group in which others can be made.
type Parent struct {
	V2  bool
	Dir string
}

// Parents are the groups around this process that pass a controller on to groups in them,
// the nearest first: of version 2 from its own, or from another one, upwards, and its own
// of version 1.
func Parents(controller, from string) ([]Parent, error) {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	all := find(string(groups), string(mounts), controller, from)
	return slices.DeleteFunc(all, func(p Parent) bool { return p.V2 && p.Passes(controller) != nil }), nil
}

// Passes returns why groups in a group of version 2 lack a controller. A group that passes
// one on has no processes of its own, or is the root.
func (p Parent) Passes(controller string) error {
	text, err := os.ReadFile(path.Join(p.Dir, "cgroup.subtree_control"))
	if err == nil && !slices.Contains(strings.Fields(string(text)), controller) {
		err = fmt.Errorf("it does not delegate the %s controller (cgroup.subtree_control)", controller)
	}
	return err
}

// find is Parents for the contents of /proc/self/cgroup and /proc/self/mountinfo, with
// those that do not pass the controller on.
func find(groups, mounts, controller, from string) (all []Parent) {
	var v1 []Parent
	for line := range strings.Lines(groups) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, group, ok := strings.Cut(rest, ":")
		switch {
		case !ok || !strings.HasPrefix(group, "/") || strings.HasPrefix(group, "/.."): // outside the visible hierarchy
		case id == "0":
			dir, top := mounted(mounts, "cgroup2", "", group)
			if dir != "" && from != "" {
				dir = from
			}
			for ; dir != ""; dir = path.Dir(dir) {
				if all = append(all, Parent{V2: true, Dir: dir}); dir == top || len(dir) <= 1 {
					break
				}
			}
		case slices.Contains(strings.Split(controllers, ","), controller):
			if dir, _ := mounted(mounts, "cgroup", controller, group); dir != "" {
				v1 = append(v1, Parent{Dir: dir})
			}
		}
	}
	return append(all, v1...)
}

// mounted returns where a group is mounted, according to mountinfo, and its hierarchy.
func mounted(mounts, kind, option, group string) (dir, top string) {
	for line := range strings.Lines(mounts) {
		left, right, ok := strings.Cut(line, " - ")
		from, to := strings.Fields(left), strings.Fields(right)
		if !ok || len(from) < 6 || len(to) < 3 || to[0] != kind {
			continue
		}
		if option != "" && !slices.Contains(strings.Split(to[2], ","), option) {
			continue
		}
		root, point := unescape(from[3]), unescape(from[4])
		if below, err := filepath.Rel(root, group); err == nil && below != ".." && !strings.HasPrefix(below, "../") {
			return path.Join(point, below), path.Clean(point)
		}
	}
	return "", ""
}

// unescape decodes the octal escapes of mountinfo: spaces, tabs, newlines and
// backslashes.
func unescape(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '\\')
		if at < 0 || at+4 > len(text) {
			return b.String() + text
		}
		code, err := strconv.ParseUint(text[at+1:at+4], 8, 8)
		if err != nil {
			return b.String() + text
		}
		b.WriteString(text[:at])
		b.WriteByte(byte(code))
		text = text[at+4:]
	}
}
