package sandbox

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"thera/engine/gametest"
)

// Groups are looked for upwards from that of this process, as far as it is mounted.
func TestFind(t *testing.T) {
	for name, tt := range map[string]struct {
		groups, from string
		passes, v1   []string // folders that pass the controller on, and those of version 1
		want         []string
	}{
		"a session":          {"0::/user/app\n", "", []string{".", "user", "user/app"}, nil, []string{"user/app", "user", "."}},
		"the root":           {"0::/\n", "", []string{"."}, nil, []string{"."}},
		"from another":       {"0::/user/app\n", "x", []string{".", "x"}, nil, []string{"x", "."}},
		"both versions":      {"8:pids:/\n4:memory:/jobs/1\n0::/\n", "", []string{"unified"}, []string{"memory/jobs/1"}, []string{"unified", "memory/jobs/1"}},
		"a part of it":       {"4:memory:/docker/abc\n", "", nil, []string{"memory"}, []string{"memory"}},
		"another controller": {"8:pids:/a\n", "", nil, []string{"pids/a"}, nil},
		"none passed on":     {"0::/\n", "", nil, nil, nil},
	} {
		root := t.TempDir()
		for _, dir := range append(tt.passes, tt.v1...) {
			gametest.OK(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
		}
		for _, dir := range tt.passes {
			gametest.OK(t, os.WriteFile(filepath.Join(root, dir, "cgroup.subtree_control"), []byte("cpu memory\n"), 0o644))
		}
		if tt.from != "" {
			tt.from = filepath.Join(root, tt.from)
		}
		var got []string
		for _, p := range find(tt.groups, root, "memory", tt.from) {
			dir, _ := filepath.Rel(root, p.dir)
			if got = append(got, dir); p.v2 == slices.Contains(tt.v1, dir) {
				t.Errorf("%s: version 2 %v: %s", name, p.v2, dir)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// A group is there when its limits are set, and is not where they cannot be; an engine does
// without one for its memory then if the user named none.
func TestGroup(t *testing.T) {
	p := group{v2: true, dir: t.TempDir()}
	i := &Init{}
	if err := i.join(Memory{in: &p}, 1, Meter{}); err != nil || i.limited {
		t.Errorf("limited %v, %v: a folder has no limits", i.limited, err)
	}
	if err := i.join(Memory{in: &p, named: true}, 1, Meter{}); err == nil {
		t.Error("a folder that was named is no group")
	}
	for name, text := range map[string]string{"memory.limit_in_bytes": "", "cgroup.procs": ""} {
		gametest.OK(t, os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644))
	}
	v1 := group{dir: p.dir}
	if err := v1.usable(false); (err != nil) != (os.Geteuid() == 0) || v1.usable(true) != nil {
		t.Errorf("%v: root writes to all groups, so one must be named or delegated", err)
	}
	g, err := p.make()
	gametest.OK(t, err)
	g.remove()
	if left, err := os.ReadDir(p.dir); err != nil || len(left) > 2 {
		t.Errorf("%v is left, %v", left, err)
	}
	gametest.OK(t, os.Symlink("/dev/full", filepath.Join(p.dir, "memory.max")))
	if err := limitMemory(1)(&p); err == nil {
		t.Error("a limit that was refused is set")
	}
}

func TestKilledByTheKernel(t *testing.T) {
	for _, tt := range []struct {
		name  string
		v2    bool
		files map[string]string
		want  int64
	}{
		{"v2", true, map[string]string{"memory.events": "low 0\nmax 9\noom 1\noom_kill 2\n", "memory.peak": "67112960\n"}, 67112960},
		{"v2 without a peak", true, map[string]string{"memory.events": "oom 1\noom_kill 1\n"}, 64 << 20},
		{"v2, the machine's end", true, map[string]string{"memory.events": "max 0\noom 0\noom_kill 1\n"}, 0},
		{"v1 with swap", false, map[string]string{"memory.oom_control": "oom_kill 1\n", "memory.max_usage_in_bytes": "4096\n", "memory.memsw.max_usage_in_bytes": "67108864\n"}, 64 << 20},
		{"v1, nearly full", false, map[string]string{"memory.oom_control": "oom_kill_disable 0\noom_kill 1\n", "memory.max_usage_in_bytes": "67104768"}, 67104768},
		{"v1, the machine's end", false, map[string]string{"memory.oom_control": "oom_kill 1\n", "memory.max_usage_in_bytes": "40960"}, 0},
	} {
		g := &group{v2: tt.v2, dir: t.TempDir()}
		for name, text := range tt.files {
			gametest.OK(t, os.WriteFile(filepath.Join(g.dir, name), []byte(text), 0o644))
		}
		if got := g.killed(64 << 20); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
