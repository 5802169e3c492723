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

// groupVar is the variable that names the group in which groups are made.
const groupVar = "THERA_CGROUP"

// groupOfTest is a memory group of version 1 for a test, "" where this process may make none.
func groupOfTest(t *testing.T) string {
	text, _ := os.ReadFile("/proc/self/cgroup")
	for line := range strings.Lines(string(text)) {
		if f := strings.SplitN(strings.TrimSpace(line), ":", 3); len(f) == 3 && f[1] == "memory" {
			dir := filepath.Join("/sys/fs/cgroup/memory", f[2], "thera-test-"+strconv.Itoa(os.Getpid()))
			if os.Mkdir(dir, 0o755) == nil {
				t.Cleanup(func() {
					if err := os.Remove(dir); err != nil {
						t.Error(err)
					}
				})
				return dir
			}
		}
	}
	return ""
}

const growing = `s=x; while [ ${#s} -lt 200000000 ]; do s=$s$s; done; sleep 61.5`

// Who grows over the limit has ended for its memory, by whatever keeps the
// limit here; who dies otherwise has not, and nothing is left of the groups.
func TestMemoryVerdict(t *testing.T) {
	t.Logf("memory is limited by %s", MemoryHow())
	memoryVerdict(t, "")
	t.Setenv(groupVar, t.TempDir())
	if _, err := spawner(t).Start(Spec{Argv: []string{"true"}, Memory: 1 << 20}); err == nil {
		t.Error("an engine starts without the group that was named")
	}
}

// The same in a group of version 1 that limits swap too, where this machine
// has one and lets this process use it.
func TestMemoryVerdictOfVersion1(t *testing.T) {
	dir := groupOfTest(t)
	if dir == "" {
		t.Skip("no memory group of version 1")
	}
	t.Setenv(groupVar, dir)
	memoryVerdict(t, dir)
}

func memoryVerdict(t *testing.T, group string) {
	const limit = 32 << 20
	memory, _ := sandbox.FindMemory()
	limited := memory.Why == nil
	for _, tt := range []struct {
		name, script string
		over         bool
	}{
		{"itself", growing, true},
		{"a child, for which the engine waits", "(" + growing + "); exec sleep 61.5", true},
		{"killed otherwise", "kill -9 $$", false},
		{"exited, with another session left", "cat /proc/self/cgroup; (setsid env -i sleep 61.5 >&- 2>&- &); exit 3", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := spawner(t)
			p := launch(t, s, Spec{Argv: []string{"sh", "-c", tt.script}, Memory: limit})
			if group != "" && !limited {
				t.Error("it is in no group")
			}
			select {
			case <-p.Done():
			case <-time.After(patience):
				t.Fatalf("still runs with %d MiB", p.resident()>>20)
			}
			thera := func(groups string) bool { return strings.Contains(groups, "/thera-"+strconv.Itoa(os.Getpid())+"-") }
			said := say(t, p)
			_, rest, _ := strings.Cut(said, ":memory:")
			memory, _, _ := strings.Cut(rest, "\n") // beside a group that counts CPU time
			if strings.HasPrefix(tt.name, "exited") && (limited && !thera(said) || !limited && thera(memory)) {
				t.Errorf("it was in the groups %q at its first instruction", said)
			}
			had := p.OverMemory()
			switch {
			case !tt.over && had != 0:
				t.Errorf("ended for %d bytes", had)
			case tt.over && !limited && had <= limit:
				t.Errorf("ended with %d bytes", had)
			case tt.over && had < limit*9/10:
				t.Errorf("ended by its group with %d bytes", had)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			s.inits.discard()
			if left, _ := filepath.Glob(filepath.Join(group, fmt.Sprintf("thera-%d-*", os.Getpid()))); len(left) > 0 {
				t.Errorf("groups left: %v", left)
			}
		})
	}
}
