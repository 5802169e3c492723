//go:build linux

package proc

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"thera/arena/faultkit"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

func testBox() (*sandbox.Box, error) {
	host, err := sandbox.Open()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	policy := sandbox.Policy{Dir: dir, Read: append(sandbox.System(), dir, filepath.Dir(os.Args[0]))}
	if path := os.Getenv(faultkit.Marker); path != "" {
		policy.Write = []string{filepath.Dir(path)}
	}
	return host.Box(policy), err
}

func box(t *testing.T) *sandbox.Box {
	t.Helper()
	b, err := testBox()
	gametest.OK(t, err)
	return b
}

// This program runs, also in a box, whatever is under its name by now.
func TestThisProgramRunsOn(t *testing.T) {
	host, err := sandbox.Open()
	gametest.OK(t, err)
	for name, b := range map[string]*sandbox.Box{
		"boxed": host.Box(sandbox.Policy{Dir: "/", Read: sandbox.System(), Self: true}), "free": nil,
	} {
		p := launch(t, spawner(t), Spec{Argv: []string{"/no/such/program"}, Dir: "/", Env: []string{faultkit.Env + "=role-blips"}, Self: true, Box: b})
		if got := readLine(t, p); got != "done" {
			t.Errorf("%s: said %q", name, got)
		}
	}
}

// Without a box the init of an engine that has ended starts the next one, whose clock and
// end are its own. An engine beside it has another init, also one that plays itself.
func TestInitsAreUsedAgain(t *testing.T) {
	s := spawner(t)
	busy := launch(t, s, Spec{Argv: []string{"sleep", "61.5"}})
	top, twins := 0, 0
	var first time.Duration
	for i, script := range []string{"i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; exit 3", "exit 4", "kill -9 $$", "sleep 61.5"} {
		spec := Spec{Argv: []string{"sh", "-c", `read -r line; eval "$line"`}}
		p, twin := launch(t, s, spec), launch(t, s, spec)
		if i > 0 && twin.top != twins {
			t.Errorf("start %d: the init of its twin is %d, before it was %d", i, twin.top, twins)
		}
		twins = twin.top
		if _, err := p.Write([]byte(script+"\n"), time.Minute); err != nil {
			t.Fatal(err)
		}
		if i > 0 && (p.top != top || busy.top == top) {
			t.Errorf("start %d: its init is %d, before it was %d, and %d is another engine's", i, p.top, top, busy.top)
		}
		if top = p.top; i == 3 {
			p.enforce() // looks at all processes, of which the init waited for others before
			p.Kill()
		}
		<-p.Done()
		if exit, _ := p.Exited(); exit.String() != []string{"3", "4", "signal 9 (SIGKILL)", "signal 9 (SIGKILL)"}[i] {
			t.Errorf("start %d: %v", i, exit)
		}
		if used := p.CPU(); i == 0 {
			first = used
		} else if used > first/2 {
			t.Errorf("start %d: CPU time %v, that of the first %v", i, used, first)
		}
		twin.Kill()
		<-twin.Done()
		p.Kill() // comes too late, and for nobody else
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, over := busy.Exited(); over {
		t.Error("the engine beside it was ended")
	}
}

// So it does in a box, in which the next engine finds nothing of the last one and starts its
// clock at 0, whatever counts. A box that cannot be cleared, or that was killed, is not used again.
func TestBoxesAreUsedAgain(t *testing.T) {
	for _, counts := range []string{"group", "counter"} {
		t.Run(counts, func(t *testing.T) {
			if counts == "counter" {
				t.Setenv("THERA_CGROUP", "off")
			}
			s, b, top := spawner(t), box(t), 0
			var first time.Duration
			for i, tt := range []struct {
				script string
				again  bool
			}{
				{"i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; exit 3", true},
				{"mkdir -p d/e; echo x >d/e/f; ln -s / l; chmod 0 .; setsid sleep 61.5 & exit 3", true},
				{"kill -9 $$", true},
				{"sleep 61.5 & sleep 61.5", true},                    // until it is closed
				{"mkdir d; touch d/f; chmod 0 d", os.Geteuid() == 0}, // who clears all
				{"exit 0", true},
			} {
				p := launch(t, s, Spec{Argv: []string{"sh", "-c", `cd $TMPDIR; ls -A | wc -l; read -r line; eval "$line"`}, Box: b})
				if got := readLine(t, p); got != "0" {
					t.Errorf("start %d finds %s files", i, got)
				}
				if p.top != top && top != 0 {
					t.Errorf("start %d: its init is %d, before it was %d", i, p.top, top)
				}
				if _, err := p.Write([]byte(tt.script+"\n"), time.Minute); err != nil {
					t.Fatal(err)
				}
				if i != 3 {
					<-p.Done()
				}
				gametest.OK(t, p.Close())
				if used := p.CPU(); i == 0 {
					first = used
				} else if used > first/2 {
					t.Errorf("start %d: CPU time %v, that of the first %v", i, used, first)
				}
				if top = p.top; !tt.again {
					top = 0
					until(t, "its init ends", func() bool { return !alive(p.top) })
				}
			}
			last := launch(t, s, Spec{Argv: []string{"sleep", "61.5"}, Box: b})
			last.Kill()
			<-last.Done()
			until(t, "its init ends", func() bool { return !alive(last.top) })
		})
	}
}

// An engine below an init ends as it would without one: with its exit code, or by its signal.
func TestExit(t *testing.T) {
	s, b := spawner(t), box(t)
	exits := func(b *sandbox.Box, script, want string) {
		p := launch(t, s, Spec{Argv: []string{"sh", "-c", script}, Box: b})
		<-p.Done()
		if exit, over := p.Exited(); !over || exit.String() != want || !p.Ending() {
			t.Errorf("%s: %v %v, want %s", script, exit, over, want)
		}
	}
	for script, want := range map[string]string{
		"exit 0":                              "0",
		"exit 3":                              "3",
		"kill -9 $$":                          "signal 9 (SIGKILL)",
		"ulimit -c 0; kill -SEGV $$; sleep 5": "signal 11 (SIGSEGV)",
		"sleep 61.5 & exit 5":                 "5",
		"exec 1>&- 2>&-; exit 6":              "6",
		"(sleep 0.01) & exec true":            "0",
	} {
		exits(nil, script, want)
		exits(b, script, want)
	}
	// In a box number 1 is the init: nothing there can end it.
	for script, want := range map[string]string{"kill -TERM 1; exit 4": "4", "kill -9 1; exit 7": "7", "kill -STOP 1; exit 8": "8"} {
		exits(b, script, want)
	}
}

func TestBoxedTalk(t *testing.T) {
	p := launch(t, spawner(t), Spec{
		Argv: []string{"sh", "-c", "read a; echo \"$a $NAME $PWD $(cd; pwd) $TMPDIR\"; echo worries >&2"}, Dir: "/", Env: []string{"NAME=thera"}, Box: box(t),
	})
	if n, err := p.Write([]byte("hello\n"), time.Second); n != 6 || err != nil {
		t.Fatal(n, err)
	}
	if got := say(t, p); got != "hello thera / /dev/shm /dev/shm\n" {
		t.Errorf("said %q", got)
	}
	<-p.Done()
	if err := p.Close(); err != nil || p.Stderr() != "worries\n" || p.StderrBytes() != 8 {
		t.Errorf("stderr %q, %v", p.Stderr(), err)
	}
}

// The clock, the memory and the end are those of the engine, not of its init.
func TestBoxedMeasures(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; sleep 61.5 & echo $!; read end"}, Box: box(t)})
	readPid(t, p)
	if used := p.CPUNow(); used < 5*time.Millisecond {
		t.Errorf("CPU time %v", used)
	}
	if had := p.resident(); had < 100<<10 || had > 6<<20 { // two small programs; the init is larger
		t.Errorf("%d bytes resident", had)
	}
	p.mu.Lock()
	kin := p.look()
	p.mu.Unlock()
	if len(kin) != 2 {
		t.Errorf("processes %+v", kin)
	}
	p.Kill()
	<-p.Done()
	if exit, _ := p.Exited(); exit.Signal != 9 || p.CPU() < 5*time.Millisecond {
		t.Errorf("%v, CPU time %v", exit, p.CPU())
	}
	for _, e := range kin {
		if alive(e.pid) {
			t.Errorf("process %d lives", e.pid)
		}
	}
}

// An engine without a sandbox may kill its init, or stop it: this ends the engine,
// and nothing of it is left.
func TestHole08EngineEndsItsInit(t *testing.T) {
	for name, script := range map[string]string{
		"kills": `(setsid env -i sh -c 'echo $$; exec sleep 61.5' &); read go; kill -9 $PPID; sleep 61.5`,
		"stops": `(setsid env -i sh -c 'echo $$; exec sleep 61.5' &); read go; kill -STOP $PPID; sleep 61.5`,
	} {
		t.Run(name, func(t *testing.T) { nothingSurvives(t, script, name == "kills") })
	}
}
