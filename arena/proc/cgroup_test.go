//go:build linux

package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"thera/arena/sandbox"
)

// groupsHere are the groups that this machine lets us make, nil where it lets
// us make none: the tests then hold sampling to the same.
func groupsHere(t *testing.T) *sandbox.Parent {
	t.Helper()
	t.Logf("memory is limited by %s", MemoryHow())
	g, err := findGroups()
	if err != nil {
		return nil
	}
	return g
}

// groupsLeft are the groups of this process, or of another.
func groupsLeft(g *sandbox.Parent, pid int) []string {
	if g == nil {
		return nil
	}
	left, _ := filepath.Glob(filepath.Join(g.Dir, fmt.Sprintf("thera-%d-*", pid)))
	return left
}

const growing = `s=x; while [ ${#s} -lt 200000000 ]; do s=$s$s; done; sleep 61.5`

// Who grows over the limit has ended for its memory, by whatever keeps the
// limit here; who dies otherwise has not, and nothing is left of the groups.
func TestMemoryVerdict(t *testing.T) {
	memoryVerdict(t, groupsHere(t))
}

// The same in a group of version 1 that limits swap too, where this machine
// has one and lets this process use it.
func TestMemoryVerdictOfVersion1(t *testing.T) {
	list, err := sandbox.Parents("memory", "")
	if len(list) == 0 || list[len(list)-1].V2 {
		t.Skipf("no memory group of version 1: %v", err)
	}
	parent := filepath.Join(list[len(list)-1].Dir, "thera-test-"+strconv.Itoa(os.Getpid()))
	if err := os.Mkdir(parent, 0o755); err != nil {
		t.Skipf("this process may not make groups: %v", err)
	}
	t.Cleanup(func() {
		if err := os.Remove(parent); err != nil {
			t.Error(err)
		}
	})
	t.Setenv(cgroupEnv, parent)
	groups := groupsHere(t)
	if groups == nil || groups.V2 {
		t.Fatalf("groups %v in %s", groups, parent)
	}
	memoryVerdict(t, groups)
}

func memoryVerdict(t *testing.T, groups *sandbox.Parent) {
	const limit = 32 << 20
	for _, tt := range []struct {
		name, script string
		over         bool
	}{
		{"itself", growing, true},
		{"a child, for which the engine waits", "(" + growing + "); exec sleep 61.5", true},
		{"killed otherwise", "kill -9 $$", false},
		{"exited", "exit 3", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", tt.script}, Memory: limit})
			if (p.group != nil) != (groups != nil) {
				t.Errorf("group %+v, where there are %v", p.group, groups)
			}
			select {
			case <-p.Done():
			case <-time.After(patience):
				t.Fatalf("still runs with %d MiB", p.Resident()>>20)
			}
			had := p.OverMemory()
			switch {
			case !tt.over && had != 0:
				t.Errorf("ended for %d bytes", had)
			case tt.over && groups == nil && had <= limit:
				t.Errorf("ended with %d bytes", had)
			case tt.over && groups != nil && had < limit*9/10:
				t.Errorf("ended by its group with %d bytes", had)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if left := groupsLeft(groups, os.Getpid()); len(left) > 0 {
				t.Errorf("groups left: %v", left)
			}
		})
	}
}

// A process is in its group before its first instruction, and what it leaves
// without its mark, in another session, ends with the group.
func TestGroupHoldsAll(t *testing.T) {
	groups := groupsHere(t)
	p := launch(t, spawner(t), Spec{
		Argv:   []string{"sh", "-c", "cat /proc/self/cgroup; (setsid env -i sh -c 'echo left $$; exec sleep 61.5' &); read go"},
		Memory: 64 << 20,
	})
	var said strings.Builder
	buf := make([]byte, 4096)
	for end := time.Now().Add(patience); !strings.Contains(said.String(), "left ") && time.Now().Before(end); {
		n, _ := p.Read(buf, time.Second)
		said.Write(buf[:n])
	}
	_, word, _ := strings.Cut(said.String(), "left ")
	pid, err := strconv.Atoi(strings.TrimSpace(word))
	if err != nil {
		t.Fatalf("said %q", said.String())
	}
	if _, err := p.Write([]byte("go\n"), patience); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	inGroup := strings.Contains(said.String(), "/thera-"+strconv.Itoa(os.Getpid())+"-")
	if inGroup != (groups != nil) {
		t.Errorf("in a group: %v, says %q", inGroup, said.String())
	}
	p.Close()
	if alive(pid) {
		t.Errorf("%d still lives", pid)
	}
	if left := groupsLeft(groups, os.Getpid()); len(left) > 0 {
		t.Errorf("groups left: %v", left)
	}
	// The thread that starts engines is in no engine's group afterwards.
	tasks, _ := filepath.Glob("/proc/self/task/*/cgroup")
	for _, task := range tasks {
		if text, _ := os.ReadFile(task); strings.Contains(string(text), "/thera-") {
			t.Errorf("%s: %s", task, text)
		}
	}
}

func TestGroupFiles(t *testing.T) {
	for _, tt := range []struct {
		name  string
		v2    bool
		files map[string]string
		want  int64
	}{
		{"v2", true, map[string]string{"memory.events": "low 0\nmax 9\noom 1\noom_kill 2\n", "memory.peak": "4096\n"}, 4096},
		{"v2 without a peak", true, map[string]string{"memory.events": "oom 1\noom_kill 1\n"}, 64 << 20},
		{"v2, the machine's end", true, map[string]string{"memory.events": "max 0\noom 0\noom_kill 1\n"}, 0},
		{"v2, nothing", true, map[string]string{"memory.events": "oom 0\noom_kill 0\n"}, 0},
		{"v1", false, map[string]string{"memory.oom_control": "oom_kill_disable 0\noom_kill 1\n", "memory.failcnt": "7\n", "memory.max_usage_in_bytes": "8192\n"}, 8192},
		{"v1 with swap", false, map[string]string{
			"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n", "memory.failcnt": "0\n",
			"memory.memsw.failcnt": "7\n", "memory.max_usage_in_bytes": "4096\n", "memory.memsw.max_usage_in_bytes": "8192\n",
		}, 8192},
		{"v1, full, without hits", false, map[string]string{"memory.oom_control": "oom_kill 1\n", "memory.failcnt": "0\n", "memory.max_usage_in_bytes": "67104768"}, 67104768},
		{"v1, the machine's end", false, map[string]string{"memory.oom_control": "oom_kill 1\n", "memory.failcnt": "0\n", "memory.max_usage_in_bytes": "40960"}, 0},
		{"gone", true, nil, 0},
	} {
		g := &sandbox.Group{Parent: sandbox.Parent{V2: tt.v2, Dir: t.TempDir()}}
		for name, text := range tt.files {
			if err := os.WriteFile(filepath.Join(g.Dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := killed(g, 64<<20); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// Where groups can be found but not made, or nothing starts in them, engines
// start all the same and their memory is sampled.
func TestGroupsThatDoNotWork(t *testing.T) {
	t.Setenv(cgroupEnv, "")
	os.Unsetenv(cgroupEnv)
	s := spawner(t)
	s.memory = memLimit{looked: true, groups: &sandbox.Parent{V2: true, Dir: t.TempDir()}}
	p := launch(t, s, Spec{Argv: []string{"sleep", "61.5"}, Memory: 64 << 20})
	if p.group != nil || s.memory.groups != nil {
		t.Errorf("a folder without memory.max is a group: %+v", p.group)
	}
	dir := t.TempDir()
	group := &sandbox.Group{Parent: sandbox.Parent{V2: true, Dir: dir}}
	q := &Process{spec: Spec{Argv: []string{"true"}, Memory: 64 << 20}, inits: &s.inits, group: group}
	s.memory.groups = &sandbox.Parent{}
	devNull, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer devNull.Close()
	null := int(devNull.Fd())
	if err := s.begin(q, "/bin/true", nil, [3]int{null, null, null}); err != nil || q.pid == 0 || q.group != nil || s.memory.groups != nil {
		t.Fatalf("%v, started %d, group %+v", err, q.pid, q.group)
	}
	if status, _, ok := q.child.Wait(); !ok || status != 0 {
		t.Errorf("ended with %d, %v", status, ok)
	}
	q.child.Close()
	// But who names a group counts on it.
	t.Setenv(cgroupEnv, dir)
	if _, err := spawner(t).Start(Spec{Argv: []string{"true"}, Memory: 64 << 20}); err == nil || !strings.Contains(err.Error(), cgroupEnv) {
		t.Errorf("err = %v, want one about %s", err, cgroupEnv)
	}
	if how := MemoryHow(); !strings.Contains(how, sampled) {
		t.Errorf("memory is limited by %q", how)
	}
}
