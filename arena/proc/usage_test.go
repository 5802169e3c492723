//go:build linux

package proc

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"thera/arena/faultkit"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

// The CPU time of an engine is that of all its processes, also of those that
// have ended, whether or not somebody waited for them.
func TestCPUOfAll(t *testing.T) {
	const burn = `i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done`
	const least = 15 * time.Millisecond // the loop takes a multiple, all the rest a part
	for name, script := range map[string]string{
		"wrapper":        "sh -c '" + burn + "; sleep 61.5'; exit",
		"child, waited":  "(" + burn + "); exec sleep 61.5",
		"child, lives":   "(" + burn + "; exec sleep 61.5) & exec sleep 61.5",
		"orphan":         "((" + burn + "; exec sleep 61.5) &); exec sleep 61.5",
		"orphan, exited": "((" + burn + ") &); exec sleep 61.5",
		"session":        "setsid env -i sh -c '" + burn + "; exec sleep 61.5' & exec sleep 61.5",
	} {
		t.Run(name, func(t *testing.T) {
			p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", script}})
			var before time.Duration
			until(t, "the loop is counted", func() bool {
				now := p.CPU()
				if now < before {
					t.Fatalf("%v after %v", now, before)
				}
				before = now
				return now >= least
			})
		})
	}
}

// All CPU time of children that the kernel reaps is counted, and that of the init
// is not.
func TestHole05ReapedChildren(t *testing.T) {
	self, err := os.Executable()
	gametest.OK(t, err)
	blips := func(b *sandbox.Box, counts string) {
		began := time.Now()
		p := launch(t, spawner(t), Spec{Argv: []string{self}, Env: []string{faultkit.Env + "=role-blips"}, Box: b})
		if got := readLine(t, p); got != "done" {
			t.Fatalf("said %q", got)
		}
		// One of them works at a time, but for moments when a child starts, and nothing is counted twice.
		used, burnt, wall := p.CPUNow(), 300*time.Millisecond, time.Since(began)
		if used < burnt || used > wall+burnt/2 {
			t.Errorf("%s: counted %v in %v, its children alone used %v", counts, used, wall, burnt)
		}
	}
	for _, counts := range []string{"a group where one can be made", "a counter"} {
		blips(nil, counts)
		blips(box(t), counts)
		t.Setenv("THERA_CGROUP", "off")
	}
}

// Where the system refuses a counter, the living and what was waited for count, and
// the line about the sandbox says what does not.
func TestCPUWithoutCounter(t *testing.T) {
	if os.Getenv(noCounter) == "" {
		gametest.Sequential(t) // another process, with tests that the race detector sees here
		self, err := os.Executable()
		gametest.OK(t, err)
		cmd := exec.Command(self, "-test.run=^Test(CPU.*|BoxedMeasures|InitsAreUsedAgain|BoxesAreUsedAgain)$", "-test.v")
		cmd.Env = append(os.Environ(), noCounter+"=1", "THERA_CGROUP=off") // and no group that counts
		if out, err := cmd.CombinedOutput(); err != nil || strings.Count(string(out), "--- PASS") < 10 {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	p := launch(t, spawner(t), Spec{Argv: []string{"sleep", "61.5"}})
	if _, ok := p.child.CPU(); ok {
		t.Error("there is a counter")
	}
	host, err := sandbox.Open()
	gametest.OK(t, err)
	if line := host.Report().String(); !strings.HasSuffix(line, "; not counted: CPU time of children that nobody waits for") {
		t.Errorf("the line is %q", line)
	}
}

// noCounter is the variable of a test process that may not have counters.
const noCounter = "THERA_TEST_NO_COUNTER"

// refuseCounters lets the kernel refuse them to this process and its children, as
// containers do.
func refuseCounters() error {
	code := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_PERF_EVENT_OPEN, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}
