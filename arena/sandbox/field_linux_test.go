package sandbox_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/proc"
	"thera/arena/sandbox"
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
	err = errors.Join(err, os.MkdirAll(filepath.Dir(f.db), 0o755), os.Mkdir(f.mnt, 0o755))
	for path, text := range map[string]string{
		f.engine: string(self), f.rival: string(self), f.db: "games", f.db + "-wal": "games",
		filepath.Join(f.dir, "weights"): "its", filepath.Join(f.dir, ".secret"): "key",
	} {
		err = errors.Join(err, os.WriteFile(path, []byte(text), 0o755))
	}
	host, cannot := sandbox.Open()
	spawner, wrong := proc.NewSpawner()
	if err = errors.Join(err, cannot, wrong); err != nil {
		t.Fatal(err)
	}
	f.host, f.spawner = host, spawner
	t.Cleanup(func() { f.spawner.Close() })
	return f
}

// boxOf is the box of one of the two under the policy that a run gives it.
func (f *field) boxOf(program string, change func(*arena.EngineSpec)) *sandbox.Box {
	f.t.Helper()
	other := f.rival
	if program == f.rival {
		other = f.engine
	}
	e := arena.EngineSpec{Command: []string{program}, Dir: f.dir}
	if change != nil {
		change(&e)
	}
	policy, err := sandbox.For(e, []arena.EngineSpec{{Command: []string{other}, Dir: f.dir}}, []string{f.db})
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

// hears returns what an engine says up to and with a line.
func (f *field) hears(p *proc.Process, line string) (text string) {
	f.t.Helper()
	var b [1]byte
	for !strings.HasSuffix(text, line) {
		n, err := p.Read(b[:], deadline)
		if text += string(b[:n]); err != nil && !errors.Is(err, proc.ErrWoken) {
			f.t.Fatalf("%q: %v", text, err)
		}
	}
	return text
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

// hosts are the machines on which an attack is tried: as this one is, and
// without namespaces.
func hosts(t *testing.T) map[string]*sandbox.Host {
	t.Helper()
	here, err := sandbox.Open()
	without, wrong := sandbox.OpenWithoutSpaces()
	if err = errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	return map[string]*sandbox.Host{"namespaces": here, "no namespaces": without}
}
