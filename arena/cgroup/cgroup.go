// Package cgroup finds the control groups of this process; see cgroups(7) and
// proc(5).
//
// It only reads. Groups are made by those who know what they limit.
package cgroup

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Place is a group in the file system, "" if there is none.
type Place struct {
	Dir string // of the group
	Top string // where its hierarchy is mounted
}

// Own returns the places of this process's group in the version 2 hierarchy and
// in the version 1 hierarchy of a controller. root is put before /proc, for
// tests.
func Own(root, controller string) (v2, v1 Place, err error) {
	groups, err := os.ReadFile(root + "/proc/self/cgroup")
	if err != nil {
		return Place{}, Place{}, err
	}
	mounts, err := os.ReadFile(root + "/proc/self/mountinfo")
	if err != nil {
		return Place{}, Place{}, err
	}
	v2, v1 = Find(string(groups), string(mounts), controller)
	return v2, v1, nil
}

// Find is Own for the contents of /proc/self/cgroup and /proc/self/mountinfo.
func Find(groups, mounts, controller string) (v2, v1 Place) {
	for line := range strings.Lines(groups) {
		id, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		controllers, group, ok := strings.Cut(rest, ":")
		switch {
		case !ok || !strings.HasPrefix(group, "/") || strings.HasPrefix(group, "/.."): // outside the visible hierarchy
		case id == "0":
			v2 = mounted(mounts, "cgroup2", "", group)
		case slices.Contains(strings.Split(controllers, ","), controller):
			v1 = mounted(mounts, "cgroup", controller, group)
		}
	}
	return v2, v1
}

// mounted returns where a group is mounted, according to mountinfo.
func mounted(mounts, kind, option, group string) Place {
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
			return Place{Dir: path.Join(point, below), Top: path.Clean(point)}
		}
	}
	return Place{}
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
