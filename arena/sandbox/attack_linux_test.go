package sandbox_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/arena/sandbox"

	"thera/engine/gametest"
)

// Each attack succeeds without a sandbox, so that the test means something,
// and fails in one.
func TestAttacks(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.OK(t, err)
	defer listener.Close()
	service, err := net.Listen("unix", filepath.Join(f.dir, "service"))
	gametest.OK(t, err)
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
	for mode, most := range map[string]int{"fill": 64, "files": 4096, "open": 4096, "pending signals": 1024, "forks": 512 + 8*runtime.NumCPU()} {
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
		said := f.hears(p, "\n")
		if got, _ := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(said, "did "))); got < 400 {
			t.Errorf("%q", said)
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

// An engine that stops itself, or leaves a deaf child, can be ended.
func TestUnwillingToEnd(t *testing.T) {
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	for _, mode := range []string{"stop itself", "deaf daemon"} {
		p := f.start(f.engine, box, nil, mode)
		if mode == "stop itself" { // its main thread is in the call or stopped
			for state := ""; state != "T"; {
				state = string(sandbox.Stat(p.Pid())[0])
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
	gametest.OK(t, err)
	defer listener.Close()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	elsewhere := t.TempDir()
	book, log := filepath.Join(elsewhere, "book"), filepath.Join(elsewhere, "log")
	gametest.OK(t, errors.Join(os.WriteFile(book, []byte("moves"), 0o644), os.Mkdir(log, 0o755)))
	box := f.boxOf(f.engine, func(e *arena.EngineSpec) {
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
	out := faultkit.AsNobody(t, "^Test(Reads|Attacks|Limits|EnginesShareNothing|ForeignCalls|UnwillingToEnd|Grants|WithoutNamespaces|OpenWithout|Hole.*)$")
	if strings.Count(out, "\n--- PASS") < 12 {
		t.Error(out)
	}
}
