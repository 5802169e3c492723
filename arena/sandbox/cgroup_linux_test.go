package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Groups are looked for upwards from that of this process, as far as it is mounted.
func TestFind(t *testing.T) {
	const v2 = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
	const hybrid = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
		"32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	for name, tt := range map[string]struct {
		groups, mounts, from string
		want                 []Parent
	}{
		"a session":           {"0::/user/app\n", v2, "", []Parent{{true, "/sys/fs/cgroup/user/app"}, {true, "/sys/fs/cgroup/user"}, {true, "/sys/fs/cgroup"}}},
		"the root":            {"0::/\n", v2, "", []Parent{{true, "/sys/fs/cgroup"}}},
		"from another":        {"0::/user/app\n", v2, "/sys/fs/cgroup/x", []Parent{{true, "/sys/fs/cgroup/x"}, {true, "/sys/fs/cgroup"}}},
		"both versions":       {"8:pids:/\n4:memory:/jobs/1\n0::/\n", hybrid, "", []Parent{{true, "/sys/fs/cgroup/unified"}, {false, "/sys/fs/cgroup/memory/jobs/1"}}},
		"a part of it":        {"4:memory:/docker/abc\n", "30 24 0:26 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "", []Parent{{false, "/sys/fs/cgroup/memory"}}},
		"a blank in its path": {"0::/a\n", "30 24 0:26 / /mnt/my\\040groups rw - cgroup2 none rw\n", "", []Parent{{true, "/mnt/my groups/a"}, {true, "/mnt/my groups"}}},
		"another controller":  {"8:pids:/a\n", hybrid, "", nil},
		"none mounted":        {"0::/\n", "", "/x", nil},
		"out of sight":        {"0::/../x\n", v2, "", nil},
	} {
		if got := find(tt.groups, tt.mounts, "memory", tt.from); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// A group is there when its limits are set, and is not where they cannot be.
func TestMake(t *testing.T) {
	p := Parent{V2: true, Dir: t.TempDir()}
	if g, err := p.Make(func(g *Group) error { return g.Set("pids.max", "1") }); g != nil || err == nil {
		t.Errorf("%v, %v: a folder has no limits", g, err)
	}
	g, err := p.Make(func(g *Group) error { return g.SetIf("memory.swap.max", "0") })
	if err != nil {
		t.Fatal(err)
	}
	events := filepath.Join(g.Dir, "memory.events")
	if err := os.WriteFile(events, []byte("max 3\noom_kill 2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := g.Set("memory.events", "max 3\noom_kill 7\n"); err != nil || g.Value("memory.events", "oom_kill") != 7 || g.Value("none", "") != 0 {
		t.Errorf("%v, %d kills", err, g.Value("memory.events", "oom_kill"))
	}
	if err := os.Remove(events); err != nil {
		t.Fatal(err)
	}
	g.Remove()
	if left, err := os.ReadDir(p.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	var none *Group // of an engine that is in no group
	none.Remove()
	if err := none.Adopt(1); err != nil {
		t.Error(err)
	}
}
