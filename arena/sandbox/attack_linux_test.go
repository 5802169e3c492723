package sandbox_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"thera/arena/proc"
	"thera/arena/sandbox"

	"thera/engine/gametest"
)

// field is where attacks take place: an engine and its rival in one folder,
// with the database of the run.
type field struct {
	t       *testing.T
	dir     string
	engine  string // both are this program
	rival   string
	db      string
	mnt     string // an empty folder
	spawner *proc.Spawner
	host    *sandbox.Host
	machine string // what host is, "" for this one
}

func newField(t *testing.T) *field {
	t.Helper()
	f := &field{t: t, dir: t.TempDir()}
	f.engine, f.rival, f.db = filepath.Join(f.dir, "engine"), filepath.Join(f.dir, "rival"), filepath.Join(f.dir, "results", "thera.db")
	f.mnt = filepath.Join(f.dir, "mnt")
	self, err := os.ReadFile("/proc/self/exe")
	for _, path := range []string{f.engine, f.rival} {
		if err == nil {
			err = os.WriteFile(path, self, 0o755)
		}
	}
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(f.db), 0o755), os.Mkdir(f.mnt, 0o755))
	}
	for path, text := range map[string]string{f.db: "games", f.db + "-wal": "games", filepath.Join(f.dir, "weights"): "own", filepath.Join(f.dir, ".secret"): "key"} {
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
	}
	if err == nil {
		f.host, err = sandbox.Open()
	}
	if err == nil {
		f.spawner, err = proc.NewSpawner()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.spawner.Close() })
	return f
}

// boxOf is the box of one of the two under the policy that a run gives it.
func (f *field) boxOf(program string, change func(*sandbox.Engine)) *sandbox.Box {
	f.t.Helper()
	other := f.rival
	if program == f.rival {
		other = f.engine
	}
	e := sandbox.Engine{Argv: []string{program}, Dir: f.dir}
	if change != nil {
		change(&e)
	}
	policy, err := sandbox.For(e, []sandbox.Engine{{Argv: []string{other}, Dir: f.dir}}, []string{f.db})
	if err != nil {
		f.t.Fatal(err)
	}
	return f.host.Box(policy)
}

// start starts an engine in a mode and waits until its program runs.
func (f *field) start(program string, box *sandbox.Box, env []string, mode string, args ...string) *proc.Process {
	f.t.Helper()
	env = append(env, "GORACE=atexit_sleep_ms=0") // a program of the race detector sleeps a second before it exits
	p, err := f.spawner.Start(proc.Spec{Argv: append([]string{program, "hostile", mode}, args...), Dir: f.dir, Env: env, Box: box})
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() {
		if err := p.Close(); err != nil {
			f.t.Error(err)
		}
	})
	f.hears(p, "started\n")
	return p
}

// hears reads what an engine says up to and with a line.
func (f *field) hears(p *proc.Process, line string) {
	f.t.Helper()
	var b [1]byte
	for text := ""; !strings.HasSuffix(text, line); {
		n, err := p.Read(b[:], deadline)
		if text += string(b[:n]); err != nil && !errors.Is(err, proc.ErrWoken) {
			f.t.Fatalf("%q: %v", text, err)
		}
	}
}

// said is the rest of an engine's output.
func (f *field) said(p *proc.Process) string {
	var text bytes.Buffer
	buf := make([]byte, 4096)
	for {
		n, err := p.Read(buf, deadline)
		text.Write(buf[:n])
		switch {
		case errors.Is(err, io.EOF):
			<-p.Done()
			return strings.TrimSpace(text.String())
		case err != nil && !errors.Is(err, proc.ErrWoken):
			f.t.Fatalf("%q, %v", text.String(), err)
		}
	}
}

// attack is what an engine says that tries something.
func (f *field) attack(box *sandbox.Box, mode string, args ...string) string {
	f.t.Helper()
	return f.said(f.start(f.engine, box, nil, mode, args...))
}

// fails holds an engine to not doing something, and to saying why.
func (f *field) fails(box *sandbox.Box, mode string, args ...string) {
	f.t.Helper()
	if got := f.attack(box, mode, args...); strings.HasPrefix(got, "did") || got == "" {
		f.t.Errorf("%s: %s %q: %q", f.machine, mode, args, got)
	}
}

// succeeds holds an engine to doing something: without a box, so that its failure in one
// means something.
func (f *field) succeeds(box *sandbox.Box, mode string, args ...string) {
	f.t.Helper()
	if got := f.attack(box, mode, args...); !strings.HasPrefix(got, "did") {
		f.t.Errorf("%s: %s %q fails: %q", f.machine, mode, args, got)
	}
}

// Each attack succeeds without a sandbox, so that the test means something,
// and fails in one.
func TestAttacks(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	service, err := net.Listen("unix", filepath.Join(f.dir, "service"))
	if err != nil {
		t.Fatal(err)
	}
	defer service.Close()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	victim := func(box *sandbox.Box) *proc.Process { return f.start(f.rival, box, []string{"TOKEN=hunter2"}, "wait") }
	inBox, free := victim(f.boxOf(f.rival, nil)), victim(nil)
	self := strconv.Itoa(os.Getpid())
	scratch := filepath.Join(f.dir, "scratch")
	for _, tt := range []struct {
		name   string
		mode   string
		args   []string
		root   bool   // succeeds without a sandbox for root only
		undone func() // prepares the next attempt
	}{
		{name: "connects to the network", mode: "connect", args: []string{port}},
		{name: "calls a service of the machine", mode: "service", args: []string{filepath.Join(f.dir, "service")}},
		{name: "reads the opponent's program", mode: "read", args: []string{f.rival}},
		{name: "executes the opponent's program", mode: "execute", args: []string{f.rival}},
		{name: "reads the database", mode: "read", args: []string{f.db}},
		{name: "reads the database's journal", mode: "read", args: []string{f.db + "-wal"}},
		{name: "reads a hidden file", mode: "read", args: []string{filepath.Join(f.dir, ".secret")}},
		{name: "lists the root", mode: "list", args: []string{"/"}},
		{name: "lists the home folder", mode: "list", args: []string{filepath.Dir(f.dir)}},
		{name: "writes into the working folder", mode: "write", args: []string{scratch}},
		{name: "appends to its own file", mode: "append", args: []string{filepath.Join(f.dir, "weights")}},
		{name: "truncates its own file", mode: "truncate", args: []string{filepath.Join(f.dir, "weights")}},
		{name: "renames a file", mode: "rename", args: []string{scratch}, undone: func() { _ = os.WriteFile(scratch, nil, 0o644) }},
		{name: "deletes a file", mode: "delete", args: []string{scratch}, undone: func() { _ = os.WriteFile(scratch, nil, 0o644) }},
		{name: "deletes the database", mode: "delete", args: []string{f.db}, undone: func() { _ = os.WriteFile(f.db, []byte("games"), 0o644) }},
		{name: "opens the arena", mode: "pidfd", args: []string{self}},
		{name: "signals the arena", mode: "continue", args: []string{self}},
		{name: "traces the arena", mode: "trace", args: []string{self}},
		{name: "opens the arena's memory", mode: "open for writing", args: []string{"/proc/" + self + "/mem"}},
		{name: "reads the arena's environment", mode: "read", args: []string{"/proc/" + self + "/environ"}},
		{name: "reads the opponent's environment", mode: "read", args: []string{"/proc/RIVAL/environ"}},
		{name: "writes into the opponent's output", mode: "open for writing", args: []string{"/proc/RIVAL/fd/1"}},
		{name: "reads the opponent's memory", mode: "peek", args: []string{"RIVAL"}},
		{name: "traces the opponent", mode: "trace", args: []string{"RIVAL"}},
		{name: "changes the opponent's priority", mode: "renice", args: []string{"RIVAL"}},
		{name: "changes the opponent's limits", mode: "rival's limits", args: []string{"RIVAL"}},
		{name: "stops the opponent", mode: "stop", args: []string{"RIVAL"}},
		{name: "kills the opponent", mode: "kill", args: []string{"RIVAL"}},
		{name: "takes real-time priority", mode: "real time", root: true},
		{name: "chooses its priority", mode: "nice"},
		{name: "chooses its cores", mode: "cores"},
		{name: "makes a namespace", mode: "unshare", root: true},
		{name: "makes a child with a user namespace", mode: "clone"},
		{name: "mounts", mode: "mount", args: []string{f.mnt}, root: true},
		{name: "changes its root", mode: "chroot", root: true},
		{name: "has keys", mode: "keys"},
		{name: "counts events", mode: "perf", root: true},
		{name: "raises its limits", mode: "dump core"},
		{name: "has powers", mode: "powers", root: true},
		{name: "changes the kernel", mode: "open for writing", args: []string{"/proc/sys/kernel/core_pattern"}, root: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			g := *f
			g.t = t
			against := func(p *proc.Process) []string {
				var args []string
				for _, a := range tt.args {
					args = append(args, strings.ReplaceAll(a, "RIVAL", strconv.Itoa(p.Pid())))
				}
				return args
			}
			if tt.undone != nil {
				tt.undone()
			}
			if got := g.attack(box, tt.mode, against(inBox)...); strings.HasPrefix(got, "did") || got == "" {
				t.Errorf("in the sandbox: %q", got)
			}
			if _, over := inBox.Exited(); over {
				t.Fatal("the opponent is dead")
			}
			if tt.undone != nil {
				tt.undone()
			}
			if tt.root && os.Geteuid() != 0 {
				return
			}
			if got := g.attack(nil, tt.mode, against(free)...); !strings.HasPrefix(got, "did") {
				t.Errorf("without a sandbox it fails, so this proves nothing: %q", got)
			}
			if tt.mode == "mount" {
				_ = syscall.Unmount(f.mnt, 0)
			}
		})
	}
	// The opponent answers still.
	if _, err := inBox.Write([]byte("x"), deadline); err != nil {
		t.Error(err)
	}
	if got := f.said(inBox); got != "did" {
		t.Errorf("the opponent said %q", got)
	}
}

// What an engine may have has a limit, and it may have it.
func TestLimits(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	for mode, most := range map[string]int{"fill": 64, "files": 4096, "open": 4096, "forks": 512 + 8*runtime.NumCPU()} {
		got, err := strconv.Atoi(strings.TrimPrefix(f.attack(box, mode), "did "))
		if err != nil || got > most || got < most*9/10 {
			t.Errorf("%s: %d, %v, want at most %d and nearly that", mode, got, err, most)
		}
	}
}

// Two engines do not share their limits, nor their temporary folders.
func TestEnginesShareNothing(t *testing.T) {
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	first := f.start(f.engine, box, nil, "forks", "wait")
	second := f.start(f.engine, box, nil, "forks", "wait")
	for _, p := range []*proc.Process{first, second} {
		if _, err := p.Write([]byte("x"), deadline); err != nil {
			t.Fatal(err)
		}
		var b [100]byte
		n, err := p.Read(b[:], deadline)
		for n == 0 && err == nil { // a signal interrupted the wait
			n, err = p.Read(b[:], deadline)
		}
		if got, _ := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(string(b[:n]), "did "))); got < 400 {
			t.Errorf("%q, %v", b[:n], err)
		}
	}
}

// Calls with other numbers, of 32-bit programs, are the end of the engine.
func TestForeignCalls(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("only amd64 has them")
	}
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	for _, mode := range []string{"int80", "x32"} {
		p := f.start(f.engine, box, nil, mode)
		got := f.said(p)
		if exit, _ := p.Exited(); exit.Signal != int(syscall.SIGSYS) || got != "" {
			t.Errorf("%s: %v, said %q", mode, exit, got)
		}
	}
}

// New kernels' calls that a filter cannot look into are unknown, so that
// programs use older ones.
func TestUnknownCalls(t *testing.T) {
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	for _, mode := range []string{"clone3", "io_uring"} {
		if got := f.attack(box, mode); got != syscall.ENOSYS.Error() {
			t.Errorf("%s: %q", mode, got)
		}
	}
}

// An engine that stops itself, or leaves a deaf child, can be ended.
func TestUnwillingToEnd(t *testing.T) {
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	for _, mode := range []string{"stop itself", "deaf daemon"} {
		p := f.start(f.engine, box, nil, mode)
		if mode == "stop itself" { // its main thread is in the call or stopped
			for state := ""; state != "T"; {
				text, err := os.ReadFile("/proc/" + strconv.Itoa(p.Pid()) + "/stat")
				if err != nil {
					t.Fatal(err)
				}
				state = strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))[0]
			}
		}
		if mode == "deaf daemon" { // its child lives
			f.hears(p, "did\n")
		}
		begun := time.Now()
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v after %v", mode, err, time.Since(begun))
		}
		if exit, over := p.Exited(); !over || exit.Signal != int(syscall.SIGKILL) {
			t.Errorf("%s: %v %v", mode, exit, over)
		}
	}
}

// Grants hold: read:, write: and network:.
func TestGrants(t *testing.T) {
	f := newField(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	elsewhere := t.TempDir()
	book, log := filepath.Join(elsewhere, "book"), filepath.Join(elsewhere, "log")
	if err := errors.Join(os.WriteFile(book, []byte("moves"), 0o644), os.Mkdir(log, 0o755)); err != nil {
		t.Fatal(err)
	}
	box := f.boxOf(f.engine, func(e *sandbox.Engine) {
		e.Read, e.Write, e.Network = []string{book}, []string{log}, true
	})
	for _, tt := range []struct {
		mode, arg string
		did       bool
	}{
		{"read", book, true},
		{"append", book, false},
		{"write", filepath.Join(log, "1"), true},
		{"read", filepath.Join(log, "1"), true},
		{"delete", filepath.Join(log, "1"), true},
		{"write", filepath.Join(elsewhere, "2"), false},
		{"connect", port, true},
		{"read", filepath.Join(f.dir, "weights"), true},
	} {
		if got := f.attack(box, tt.mode, tt.arg); strings.HasPrefix(got, "did") != tt.did {
			t.Errorf("%s %s: %q", tt.mode, tt.arg, got)
		}
	}
}

// An ordinary user has the same protections as root.
func TestAsOrdinaryUser(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	if os.Geteuid() != 0 {
		t.Skip("the other tests ran as an ordinary user")
	}
	dir, err := os.MkdirTemp("", "thera-nobody")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	const nobody = 65534
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", "-test.v=true", "-test.run", "^Test(Attacks|Limits|EnginesShareNothing|ForeignCalls|UnknownCalls|UnwillingToEnd|Grants|WithoutNamespaces|OpenWithout|Hole.*)$")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Count(out, []byte("\n--- PASS")) < 12 {
		t.Errorf("%v\n%s", err, out)
	}
}
