//go:build linux

package proc

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/engine/gametest"
)

const headless = "THERA_TEST_HEADLESS"

// An engine whose first thread ends plays on in another one. What runs here is that
// thread of this test.
func init() {
	if os.Getenv(headless) == "" {
		return
	}
	go func() {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
		parent := exec.Command("sh", "-c", "sleep 1000 & echo $$ $!; wait")
		parent.Stdout = os.Stdout
		_ = parent.Start()
		time.Sleep(time.Minute)
		os.Exit(0)
	}()
	_, _, _ = unix.Syscall(unix.SYS_EXIT, 0, 0, 0)
}

// An engine whose first thread has ended is not about to exit: the arena waited half
// a minute for that, at each limit, while the engine thought. What it adopts is in the list
// of no first thread.
func TestHole23FirstThreadEnds(t *testing.T) {
	self, err := os.Executable()
	gametest.OK(t, err)
	p := launch(t, spawner(t), Spec{Argv: []string{self}, Env: []string{headless + "=1"}})
	until(t, "its first thread ends", func() bool {
		e, ok := readStat(p.Pid())
		return ok && e.headless
	})
	if p.Ending() {
		t.Error("it is about to exit")
	}
	var parent, orphan int
	if _, err := fmt.Sscan(readLine(t, p), &parent, &orphan); err != nil {
		t.Fatal(err)
	}
	has := func() bool {
		for range 3 { // a look finds what is new since the one before the last
			p.resident()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		_, seen := p.seen[orphan]
		return seen
	}
	until(t, "it is found", has)
	gametest.OK(t, unix.Kill(parent, unix.SIGKILL))
	until(t, "it is adopted", func() bool {
		e, ok := readStat(orphan)
		return ok && e.ppid == p.Pid()
	})
	if !has() {
		t.Error("it is lost")
	}
}
