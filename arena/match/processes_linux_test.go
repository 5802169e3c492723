package match

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/faultkit"
	"thera/arena/sandbox"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// What an engine does with processes has its verdict, harms nobody else, and
// leaves no process, with and without a sandbox.
func TestProcessFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault string
		kind  game.FaultKind // "" for what is not a fault
		text  string
	}{
		{"setpgid", "", ""},
		{"daemon", "", ""},
		{"daemonmemory", game.FaultMemory, "64 MiB allowed"},
		{"forkchain", "", ""},
		{"forks", "", ""},
		{"stopself", game.FaultTimeout, "used"},
		{"spin", game.FaultTimeout, "used"},
		{"childwork", game.FaultTimeout, "CPU of 50ms"},
		{"reapedwork", game.FaultTimeout, "CPU of 200ms"}, // of children that the kernel reaps
		{"hidden", "", ""},                                // changes what it inherits
		{"watches", game.FaultIdle, "watches of "},        // what wakes an epoll is time of the program that runs then
		{"descriptors", game.FaultIdle, "open files"},     // take long to look at
	} {
		t.Run(tt.fault, func(t *testing.T) {
			p := plan(nim.New(21), tt.fault)
			marker := mark(p)
			if tt.kind == game.FaultMemory {
				p.Engines[1].Memory = 64 << 20
			}
			limits := map[string]time.Duration{"childwork": 50 * time.Millisecond, "reapedwork": 200 * time.Millisecond}
			if cpu, limited := limits[tt.fault]; limited {
				p.Limit.CPU, p.Limit.Grace, p.Limit.Move, p.Limit.MaxMove = cpu, 30*time.Millisecond, 0, 20*time.Second
			} else if tt.kind == game.FaultTimeout {
				p.Limit.Move, p.Limit.Grace = 60*time.Millisecond, 40*time.Millisecond
			}
			boxes, _, err := sandbox.Boxes(p.Engines)
			gametest.OK(t, err)
			modes := map[string]map[string]*sandbox.Box{"off": nil, "auto": boxes}
			for name, boxes := range modes {
				for i, rec := range games(t, p, 1, Options{Boxes: boxes}) {
					checkVerdict(t, i, rec, tt.kind, tt.text)
				}
				if left := marked(t, marker); len(left) > 0 {
					t.Errorf("%s: processes left: %v", name, left)
				}
				for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) { // the kernel takes its time
					var dead unix.Siginfo
					err := unix.Waitid(unix.P_ALL, 0, &dead, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
					if err != nil || dead.Signo == 0 {
						break
					}
					if time.Now().After(end) {
						t.Errorf("%s: a process ended and was not reaped: they use up the machine's numbers", name)
						break
					}
				}
			}
		})
	}
}

// In a sandbox an engine tries in one game all that it must not do. It gets
// nowhere, and its opponent, the arena and the arena's files take no harm.
func TestAttacksInAGame(t *testing.T) {
	for name, tt := range map[string]struct {
		mode    string
		attacks []string
		did     bool
	}{
		"auto": {sandbox.Auto, faultkit.Attacks(), false},
		// Some of them succeed without one, so that the test means something.
		"off": {sandbox.Off, []string{"rivalenv", "readdb", "cpus", "renicerival", "deletedb"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db, folder := filepath.Join(dir, "results", "thera.db"), filepath.Join(dir, "folder")
			rival, evil := filepath.Join(dir, "rival"), filepath.Join(dir, "evil", "bin", "engine")
			self, err := os.ReadFile("/proc/self/exe")
			gametest.OK(t, err)
			for path, text := range map[string][]byte{
				db: []byte("games"), rival: self, evil: self,
				filepath.Join(dir, "evil", "pyvenv.cfg"): []byte("home = //shims\n"), // once this opened the whole disk
			} {
				gametest.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
				gametest.OK(t, os.WriteFile(path, text, 0o755))
			}
			gametest.OK(t, os.Mkdir(folder, 0o755))
			t.Setenv("SOME_SECRET", "hunter2")
			p := plan(nim.New(200), "attack="+strings.Join(tt.attacks, ","))
			p.Engines[0].Command, p.Engines[1].Command = []string{rival}, []string{evil}
			p.Engines[0].Env = append(p.Engines[0].Env, "RIVALS_SECRET=hunter2")
			p.Engines[1].Env = append(p.Engines[1].Env, fmt.Sprintf("%s=%d %s", faultkit.Target, os.Getpid(), db))
			for i := range p.Engines {
				p.Engines[i].Dir, p.Engines[i].Sandbox = folder, string(tt.mode)
			}
			j := job(0)
			p.Engines[1].Name, j.Pairing[1] = rulesPrefix+"bad", rulesPrefix+"bad" // as an engine that is asked for the rules is shown
			boxes, report, err := sandbox.Boxes(p.Engines, db)
			if missing := report.Missing(); err != nil || len(missing) > 0 {
				t.Fatalf("this machine lacks %v, %v", missing, err)
			}
			w := NewWorker(p, Options{Machine: still{}, Boxes: boxes}).(*worker)
			rec, err := w.Play(t.Context(), j, start(t, p.Game))
			bad := w.players[rulesPrefix+"bad"]
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatal(err)
			}
			checkVerdict(t, 0, rec, "", "")
			if !tt.did && len(rec.Warnings) > 0 {
				t.Errorf("warnings: %v", rec.Warnings)
			}
			said := bad.Stderr()
			for _, attack := range tt.attacks {
				if strings.Contains(said, attack+" did it\n") != tt.did || strings.Contains(said, attack+" failed: ") == tt.did {
					t.Errorf("%s: not as it should be", attack)
				}
			}
			if text, err := os.ReadFile(db); (err == nil && string(text) == "games") == tt.did {
				t.Errorf("the database: %q, %v", text, err)
			}
			if t.Failed() {
				t.Logf("it said:\n%s", said)
			}
		})
	}
}

// The same holds for an ordinary user.
func TestProcessFaultsAsAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("this is an ordinary user already")
	}
	gametest.Sequential(t) // another process; TestProcessFaults is for the race detector
	t.Parallel()
	out := faultkit.AsNobody(t, "^Test(ProcessFaults|AttacksInAGame|Hole0[57].*)$")
	for test, times := range map[string]int{"TestProcessFaults/": 12, "TestAttacksInAGame/": 2, "TestHole05": 1, "TestHole07Memory/": 7} {
		if strings.Count(out, "--- PASS: "+test) < times {
			t.Errorf("%s did not pass %d times: %s", test, times, out)
		}
	}
}

// CPU time that a child uses on the opponent's turn is the engine's, and so is that of children that the
// kernel reaps, with a sandbox and without one, and that of an engine behind a script.
func TestHole05IdleCPUOfAll(t *testing.T) {
	t.Parallel()
	for fault, idle := range map[string]time.Duration{"childponder": 10 * time.Millisecond, "ponderous": 10 * time.Millisecond, "reapedponder": 100 * time.Millisecond} {
		p := plan(nim.New(8), fault)
		bad := &p.Engines[1]
		bad.IdleCPU = idle
		if fault == "ponderous" {
			bad.Command = append([]string{"/bin/sh", "-c", `"$0"; exit`}, bad.Command...)
		}
		boxed, _, err := sandbox.Boxes(p.Engines)
		gametest.OK(t, err)
		for _, boxes := range []map[string]*sandbox.Box{nil, boxed} {
			warned := false
			for _, sleep := range []string{"sleep=300", "sleep=3000", "sleep=15000"} { // so long that it gets a core
				p.Engines[0].Command, p.Engines[0].Env = faultkit.Command(sleep)
				rec := games(t, p, 1, Options{Boxes: boxes})[0]
				warned = strings.Contains(strings.Join(rec.Warnings, "\n"), "bad: used CPU on the opponent's time")
				if checkVerdict(t, 0, rec, "", ""); rec.Idle[0] > 100*time.Millisecond {
					t.Errorf("%s: the healthy engine was charged %v", fault, rec.Idle[0])
				}
				if warned {
					break
				}
			}
			if !warned {
				t.Errorf("%s: no warning", fault)
			}
		}
	}
}

// mark gives a plan's engines a variable by which marked finds what they leave.
func mark(p *arena.Plan) string {
	text := fmt.Sprintf("%p.%d.%d", p, os.Getpid(), time.Now().UnixNano())
	for i := range p.Engines {
		p.Engines[i].Env = append(p.Engines[i].Env, faultkit.Marker+"="+text)
	}
	return text
}

// marked lists the processes that have a mark, in their environment or in
// their arguments.
func marked(t *testing.T, mark string) []string {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no processes to be seen: %v", err)
	}
	var left []string
	for _, path := range paths {
		for _, file := range []string{"environ", "cmdline"} {
			if text, err := os.ReadFile(filepath.Join(path, file)); err == nil && strings.Contains(string(text), mark) {
				left = append(left, path)
			}
		}
	}
	return left
}
