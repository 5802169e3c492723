//go:build linux

package proc

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Mounts as systems have them, mountinfo's form.
const (
	mountV2     = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountHybrid = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
		"32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	mountPart  = "30 24 0:26 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
	mountBlank = "30 24 0:26 / /mnt/my\\040groups rw - cgroup2 none rw\n"
)

// groupDir are the files of a group of version 2.
func groupDir(tree map[string]string, dir, handsOn string) {
	tree[dir+"/cgroup.subtree_control"] = handsOn
	tree[dir+"/cgroup.procs"] = ""
}

func TestFindGroup(t *testing.T) {
	const user = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service"
	desktop := func() map[string]string {
		tree := map[string]string{
			"/proc/self/cgroup":    "0::/user.slice/user-1000.slice/user@1000.service/app.slice/term.scope\n",
			"/proc/self/mountinfo": mountV2,
		}
		groupDir(tree, "/sys/fs/cgroup", "cpu memory pids")
		groupDir(tree, "/sys/fs/cgroup/user.slice", "cpu memory pids")
		groupDir(tree, filepath.Dir(user), "memory pids")
		groupDir(tree, user, "memory pids")
		groupDir(tree, user+"/app.slice", "memory pids")
		groupDir(tree, user+"/app.slice/term.scope", "")
		return tree
	}
	v1 := func() map[string]string {
		return map[string]string{
			"/proc/self/cgroup":                                  "8:pids:/\n4:memory:/jobs/1\n0::/\n",
			"/proc/self/mountinfo":                               mountHybrid,
			"/sys/fs/cgroup/unified/cgroup.subtree_control":      "",
			"/sys/fs/cgroup/unified/cgroup.procs":                "",
			"/sys/fs/cgroup/memory/jobs/1/cgroup.procs":          "",
			"/sys/fs/cgroup/memory/jobs/1/memory.limit_in_bytes": "9223372036854771712",
		}
	}
	bare := map[string]string{"/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": mountV2}
	groupDir(bare, "/sys/fs/cgroup", "memory")
	blank := map[string]string{"/proc/self/cgroup": "0::/a\n", "/proc/self/mountinfo": mountBlank}
	groupDir(blank, "/mnt/my groups/a", "memory")
	part := map[string]string{
		"/proc/self/cgroup": "4:memory:/docker/abc\n", "/proc/self/mountinfo": mountPart,
		"/sys/fs/cgroup/memory/cgroup.procs": "", "/sys/fs/cgroup/memory/memory.limit_in_bytes": "",
	}
	app := user + "/app.slice"
	tests := []struct {
		name     string
		tree     map[string]string
		uid      int
		named    string
		readOnly []string // folders of which nothing is writable
		marked   string
		want     memGroups
		err      string // "" is found
		must     bool   // the error is not errNoGroup
	}{
		{"a desktop session", desktop(), 1000, "", []string{"/sys/fs/cgroup/user.slice/cgroup", "/sys/fs/cgroup/cgroup"}, "", memGroups{v2: true, parent: app}, "", false},
		{"nothing is ours", desktop(), 1000, "", []string{"/sys/fs/cgroup"}, "", memGroups{}, "not writable", false},
		{"procs are not ours", desktop(), 1000, "", []string{app + "/cgroup.procs", user + "/cgroup.procs", filepath.Dir(user) + "/cgroup", "/sys/fs/cgroup/cgroup", "/sys/fs/cgroup/user.slice/cgroup"}, "", memGroups{}, "not writable", false},
		{"root may write all, that proves nothing", desktop(), 0, "", nil, "", memGroups{}, "not marked as delegated", false},
		{"root, in a delegated unit", desktop(), 0, "", nil, app, memGroups{v2: true, parent: app}, "", false},
		{"root, by name", desktop(), 0, app, nil, "", memGroups{v2: true, parent: app}, "", false},
		{"named, and hands nothing on", desktop(), 0, app + "/term.scope", nil, "", memGroups{}, "does not delegate", true},
		{"named, and not there", desktop(), 0, "/sys/fs/cgroup/no", nil, "", memGroups{}, "no memory cgroup", true},
		{"off", desktop(), 1000, "off", nil, "", memGroups{}, "is off", false},
		{"the namespace's root", bare, 1000, "", nil, "", memGroups{v2: true, parent: "/sys/fs/cgroup"}, "", false},
		{"a blank in the path", blank, 1000, "", nil, "", memGroups{v2: true, parent: "/mnt/my groups/a"}, "", false},
		{"v1", v1(), 1000, "", nil, "", memGroups{parent: "/sys/fs/cgroup/memory/jobs/1"}, "", false},
		{"v1, read-only", v1(), 1000, "", []string{"/sys/fs/cgroup/memory"}, "", memGroups{}, "not writable", false},
		{"v1, root", v1(), 0, "", nil, "", memGroups{}, "not marked as delegated", false},
		{"v1, part of it mounted", part, 1000, "", nil, "", memGroups{parent: "/sys/fs/cgroup/memory"}, "", false},
		{"none mounted", map[string]string{"/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": ""}, 1000, "", nil, "", memGroups{}, "none is mounted", false},
		{"out of sight", map[string]string{"/proc/self/cgroup": "0::/../x\n", "/proc/self/mountinfo": mountV2}, 1000, "", nil, "", memGroups{}, "none is mounted", false},
		{"no cgroups at all", nil, 1000, "", nil, "", memGroups{}, "no such file", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range tt.tree {
				path := filepath.Join(root, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			f := &groupFinder{
				root: root, uid: tt.uid, named: tt.named,
				writable: func(path string) bool {
					rel := strings.TrimPrefix(path, root)
					_, err := os.Stat(path)
					return err == nil && !slices.ContainsFunc(tt.readOnly, func(p string) bool { return strings.HasPrefix(rel, p) })
				},
				marked: func(dir string) bool { return dir == root+tt.marked },
			}
			got, err := f.find()
			switch {
			case tt.err == "" && (err != nil || *got != tt.want):
				t.Errorf("%+v, %v, want %+v", got, err, tt.want)
			case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err) || errors.Is(err, errNoGroup) == tt.must):
				t.Errorf("%+v, err %v, want one with %q", got, err, tt.err)
			}
		})
	}
}
