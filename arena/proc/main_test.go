//go:build linux

package proc

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"thera/arena/faultkit"
	"thera/engine/gametest"
)

// TestMain lets this test binary be an arena that is killed, when the
// environment asks for it.
func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(); ours {
		os.Exit(code)
	}
	if script := os.Getenv("THERA_TEST_ARENA"); script != "" {
		os.Unsetenv("THERA_TEST_ARENA")
		arena(script)
	}
	if os.Getenv(noCounter) != "" {
		if err := refuseCounters(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

// arena starts an engine, says its number, and waits to be killed.
func arena(script string) {
	s, err := NewSpawner()
	if err == nil {
		var p *Process
		spec := Spec{Argv: []string{"sh", "-c", script}}
		if role, ok := strings.CutPrefix(script, "role-"); ok {
			self, _ := os.Executable()
			spec = Spec{Argv: []string{self}, Env: []string{faultkit.Env + "=role-" + role, faultkit.Marker + "=" + os.Getenv(faultkit.Marker)}}
		}
		if os.Getenv("THERA_TEST_BOX") != "" {
			if spec.Box, err = testBox(); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		if p, err = s.Start(spec); err == nil {
			line, _ := firstLine(p)
			fmt.Printf("%d %s\n", p.Pid(), line)
			for {
				time.Sleep(time.Hour)
			}
		}
	}
	fmt.Println(err)
	os.Exit(1)
}

func spawner(t testing.TB) *Spawner {
	t.Helper()
	s, err := NewSpawner()
	gametest.OK(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func launch(t testing.TB, s *Spawner, spec Spec) *Process {
	t.Helper()
	p, err := s.Start(spec)
	gametest.OK(t, err)
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func alive(pid int) bool {
	e, ok := readStat(pid)
	return ok && !e.zombie
}

// startedArena starts an arena with an engine, and returns the words of its first
// line: the engine's number, and what the engine says.
func startedArena(t *testing.T, script string, env ...string) (cmd *exec.Cmd, words []string) {
	t.Helper()
	self, err := os.Executable()
	gametest.OK(t, err)
	cmd = exec.Command(self)
	cmd.Env = append(append(os.Environ(), "THERA_TEST_ARENA="+script), env...)
	out, err := cmd.StdoutPipe()
	gametest.OK(t, err)
	gametest.OK(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	words = strings.Fields(line)
	if err != nil || len(words) < 2 {
		t.Fatalf("the arena said %q, %v", line, err)
	}
	return cmd, words
}

// Nor does a chain of processes of which each one forks and exits, though no look
// at all processes ever sees it: as long as it lasts, it holds a lock.
func TestKilledArenaLeavesNoChain(t *testing.T) { killedArenaFreesLock(t, "role-lockchain") }

// Nor does a process that forked twice, left its session, cleared its environment
// and changed its limits, with a sandbox and without one, for any user.
func TestHole08KilledArenaLeavesNothing(t *testing.T) {
	for _, env := range []string{"THERA_TEST_BOX=", "THERA_TEST_BOX=1"} {
		for range 4 {
			killedArenaFreesLock(t, "role-lockdaemon", env)
		}
	}
	if os.Geteuid() == 0 {
		faultkit.AsNobody(t, "^"+t.Name()+"$")
	}
}

func killedArenaFreesLock(t *testing.T, script string, env ...string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lock")
	file, err := os.Create(path)
	gametest.OK(t, err)
	defer file.Close()
	cmd, words := startedArena(t, script, append(env, faultkit.Marker+"="+path)...)
	if words[1] == "<nil>" || unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		t.Fatalf("the engine has no lock: %q", words)
	}
	_ = cmd.Process.Signal(syscall.SIGKILL)
	_ = cmd.Wait()
	// By itself it lasts a minute and more.
	until(t, "the engine's last process ends", func() bool { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil })
}

// patience is how long a test waits for what a busy machine may delay. The engines of
// these tests end by themselves after 61.5 s.
const patience = 45 * time.Second

// until waits until something happens.
func until(t *testing.T, what string, happens func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !happens(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not in %v", what, patience)
		}
	}
}

// firstLine reads a line, and what the engine writes with it. A signal may interrupt a
// wait, and the engine's end does.
func firstLine(p *Process) (text string, err error) {
	buf := make([]byte, 100)
	for end := time.Now().Add(patience); !strings.HasSuffix(text, "\n") && time.Now().Before(end); {
		n, err := p.Read(buf, patience)
		if text += string(buf[:n]); err != nil && !errors.Is(err, ErrWoken) {
			return text, err
		}
	}
	return strings.TrimSpace(text), nil
}

// readLine is firstLine of an engine that has one.
func readLine(t *testing.T, p *Process) string {
	t.Helper()
	line, err := firstLine(p)
	if err != nil {
		t.Fatalf("said %q, %v", line, err)
	}
	return line
}

// readPid reads a line that is a number.
func readPid(t *testing.T, p *Process) int {
	t.Helper()
	pid, err := strconv.Atoi(readLine(t, p))
	gametest.OK(t, err)
	return pid
}
