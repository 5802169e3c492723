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

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/proc"
	"thera/arena/sandbox"

	"thera/engine/gametest"
)

// attacks are what an engine tries, at each of its targets, and fails to do in a box. At the first of them it succeeds without
// one, so that this means something: always, as root, or where the kernel has it.
var attacks = []struct{ mode, targets, free string }{
	{"connect", "PORT", always}, // the network
	{"service", "DIR/service", always},
	{"datagram", "DIR/datagrams", always},
	{"raw datagram", "DIR/datagrams", always},
	{"read", "DIR/rival DIR/results/thera.db DIR/results/thera.db-wal DIR/.secret /proc/ARENA/environ /proc/RIVAL/environ", always},
	{"open for nothing", "DIR/.secret", always},
	{"getxattr", "DIR/.secret", perhaps},
	{"listxattr", "DIR/.secret", perhaps},
	{"execute", "DIR/rival", always},
	{"list", "/ HOME", always},
	{"write", "DIR/new", always},
	{"append", "DIR/weights", always},
	{"truncate", "DIR/weights ELSEWHERE", always},
	{"empty", "DIR/weights ELSEWHERE", always},
	{"rename", "DIR/scratch", always},
	{"delete", "DIR/results/thera.db DIR/scratch", always},
	{"chmod", "DIR/weights ELSEWHERE DIR/rival DIR/engine DIR DEVICE", always},
	{"chown", "DIR/weights ELSEWHERE DEVICE", always},
	{"lchown", "ELSEWHERE", always},
	{"utimes", "DIR/weights ELSEWHERE DIR DEVICE", always},
	{"setxattr", "DIR/weights ELSEWHERE", perhaps},
	{"fchmod", "DIR/weights DIR DEVICE", always},
	{"futimens", "DIR/weights DIR", always},
	{"chmod by /proc", "DIR/weights ELSEWHERE DEVICE", always},
	{"chmod the arena's program", "", perhaps},
	{"attributes", "DIR/weights", perhaps},
	{"lease", "DIR/weights", always},
	{"notice", "DIR", perhaps},
	{"watch", "DIR/weights ABOVE", always},
	{"set-id by chmod", "DIR/out TMP", always},
	{"set-id by open", "DIR/out TMP", always},
	{"set-id by mknod", "DIR/out TMP", always},
	{"set-id by openat2", "DIR/out TMP", always},
	{"unreadable by chmod", "DIR/out", always}, // the kernel does not count the time of a program that its user may not read
	{"unreadable by open", "DIR/out", always},
	{"unreadable by mknod", "DIR/out", always},
	{"unreadable by umask", "", always},
	{"unreadable by list", "DIR/out", perhaps},
	{"unreadable in memory", "", always},
	{"pidfd", "ARENA", always},
	{"continue", "ARENA", always},
	{"continue by pidfd", "ARENA", always},
	{"trace", "ARENA RIVAL", always},
	{"open for writing", "/proc/ARENA/mem /proc/RIVAL/fd/1", always},
	{"open for writing", "/proc/sys/kernel/core_pattern", asRoot},
	{"limits of another", "ARENA", always}, // the kernel kills who is beyond them
	{"rival's limits", "RIVAL", always},
	{"peek", "RIVAL", always},
	{"renice", "RIVAL", always},
	{"stop", "RIVAL", always},
	{"kill", "RIVAL", always},
	{"real time", "", asRoot},
	{"nice", "", always},
	{"cores", "", always},
	{"unshare", "", asRoot},
	{"clone", "", always}, // a child with a user namespace
	{"mount", "DIR/mnt", asRoot},
	{"chroot", "", asRoot},
	{"powers", "", asRoot},
	{"keys", "", always},
	{"perf", "", asRoot},
	{"dump core", "", always},
	{"memory for a program of the machine", "", always}, // a limit of 1 starts none at a crash, and one of 0 does
	{"segment", "", always},                             // memory that the arena cannot see: nobody's, on its way, or of a process that hides it
	{"queue", "", always},
	{"send a file", "", always},
	{"files of a thread", "", always},
	{"files of a thread by close", "", always},
	{"not dumpable", "", always},
	{"gift of pages", "", always},
	{"rules", "", perhaps},
	{"filters", "", always},
	{"requests", "", always},
}

const always, asRoot, perhaps = "always", "as root", "perhaps"

func TestAttacks(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.OK(t, err)
	defer listener.Close()
	service, err := net.Listen("unix", filepath.Join(f.dir, "service"))
	gametest.OK(t, err)
	defer service.Close()
	datagrams, err := net.ListenPacket("unixgram", filepath.Join(f.dir, "datagrams"))
	gametest.OK(t, err)
	defer datagrams.Close()
	elsewhere, secret, device := filepath.Join(t.TempDir(), "weights"), filepath.Join(f.dir, ".secret"), "/dev/null"
	gametest.OK(t, errors.Join(os.WriteFile(elsewhere, []byte("net"), 0o600), os.Mkdir(filepath.Join(f.dir, "out"), 0o755)))
	_ = unix.Setxattr(secret, "user.thera", []byte("key"), 0) // some file systems have none
	if os.Geteuid() != 0 {
		device = elsewhere // who may not change it outside either
	}
	each := func(rival *proc.Process, targets string, try func(args ...string)) {
		if targets == "" {
			try()
		}
		port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
		targets = strings.NewReplacer("RIVAL", strconv.Itoa(rival.Pid()), "ARENA", strconv.Itoa(os.Getpid()), "PORT", port, "DIR", f.dir, "HOME", filepath.Dir(f.dir),
			"ELSEWHERE", elsewhere, "ABOVE", filepath.Dir(elsewhere), "DEVICE", device).Replace(targets)
		for _, target := range strings.Fields(targets) {
			gametest.OK(t, errors.Join(os.WriteFile(f.db, []byte("games"), 0o644), os.WriteFile(filepath.Join(f.dir, "scratch"), nil, 0o644)))
			if target == "TMP" {
				try()
			} else {
				try(target)
			}
		}
	}
	for name, host := range hosts(t) {
		f.host, f.machine = host, name
		box := f.boxOf(f.engine, func(e *arena.EngineSpec) { e.Write = []string{"out"} })
		rival := f.start(f.rival, f.boxOf(f.rival, nil), []string{"TOKEN=hunter2"}, "wait")
		for _, tt := range attacks {
			if tt.mode == "pidfd" && name != "namespaces" {
				continue // it sees the arena, and signals it in vain
			}
			each(rival, tt.targets, func(args ...string) {
				f.fails(box, tt.mode, args...)
				if _, over := rival.Exited(); over {
					t.Fatalf("%s: %s: the opponent is dead", name, tt.mode)
				}
			})
		}
		// The opponent answers still.
		if _, err := rival.Write([]byte("x"), deadline); err != nil {
			t.Error(err)
		}
		if got := f.said(rival); got != "did" {
			t.Errorf("the opponent said %q", got)
		}
		f.succeeds(box, "limits of another", "0")
		if name == "namespaces" {
			f.succeeds(box, "chmod its file")
			f.succeeds(box, "chmod its file", filepath.Join(f.dir, "out"))
			f.succeeds(box, "use the devices")
			f.succeeds(box, "keep set-id bits off", filepath.Join(f.dir, "out"))
		}
	}
	entries, err := os.ReadDir(filepath.Join(f.dir, "out"))
	gametest.OK(t, err)
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
			t.Errorf("%v, %v", info, err)
		}
	}
	f.machine = "no sandbox"
	rival := f.start(f.rival, nil, []string{"TOKEN=hunter2"}, "wait")
	for _, tt := range attacks {
		if tt.free == always || tt.free == asRoot && os.Geteuid() == 0 {
			first, _, _ := strings.Cut(tt.targets, " ")
			each(rival, first, func(args ...string) { f.succeeds(nil, tt.mode, args...) })
		}
	}
	_ = unix.Unmount(f.mnt, 0)
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
	for name, host := range hosts(t) {
		f.host = host
		for _, mode := range []string{"stop itself", "deaf daemon"} {
			p := f.start(f.engine, f.boxOf(f.engine, nil), nil, mode)
			if mode == "deaf daemon" { // its child lives
				f.hears(p, "did\n")
			} else { // its main thread is in the call or stopped
				for state := ""; state != "T"; {
					state = string(sandbox.Stat(p.Pid())[0])
				}
			}
			err := p.Close()
			if exit, over := p.Exited(); err != nil || !over || exit.Signal != int(syscall.SIGKILL) {
				t.Errorf("%s: %s: %v, %v %v", name, mode, err, exit, over)
			}
		}
	}
}

// Grants hold: read:, network:, and write:, which may name a file, a link and a folder within
// another one. What is beside them stays.
func TestGrants(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.OK(t, err)
	defer listener.Close()
	elsewhere := t.TempDir()
	lay(t, elsewhere, files{"book": "moves", "folder/w": "", "folder/inner/x": ""})
	lay(t, f.dir, files{"log": "", "link": "-> " + elsewhere + "/folder"})
	box := f.boxOf(f.engine, func(e *arena.EngineSpec) {
		e.Read, e.Network = []string{elsewhere + "/book"}, true
		e.Write = []string{"log", elsewhere + "/folder/inner", "link", "missing"}
	})
	for try, did := range map[string]bool{
		"read ELSEWHERE/book": true, "append ELSEWHERE/book": false, "write ELSEWHERE/beside": false,
		"read ELSEWHERE/folder/inner/x": true, "append ELSEWHERE/folder/inner/x": true, "write ELSEWHERE/folder/inner/y": true,
		"write ELSEWHERE/folder/z": true, "delete ELSEWHERE/folder/w": true, "write DIR/link/a": true, "write DIR/log": true,
		"read DIR/weights": true, "write DIR/weights": false, "write DIR/missing": false,
		"connect " + strconv.Itoa(listener.Addr().(*net.TCPAddr).Port): true,
	} {
		mode, target, _ := strings.Cut(strings.NewReplacer("ELSEWHERE", elsewhere, "DIR", f.dir).Replace(try), " ")
		if got := f.attack(box, mode, target); strings.HasPrefix(got, "did") != did {
			t.Errorf("%s: %q", try, got)
		}
	}
}

// An ordinary user has the same protections as root.
func TestAsOrdinaryUser(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	if os.Geteuid() != 0 {
		t.Skip("the other tests ran as an ordinary user")
	}
	out := faultkit.AsNobody(t, "^Test(Reads|Attacks|Limits|EnginesShareNothing|ForeignCalls|UnwillingToEnd|Grants|OpenWithout|Hole.*)$")
	if strings.Count(out, "\n--- PASS") < 12 {
		t.Error(out)
	}
}
