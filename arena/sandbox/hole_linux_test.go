package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

// A word of a command or a variable that has a zero byte is no further word or variable.
func TestHoleZeroBytes(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	for _, box := range []*sandbox.Box{nil, f.boxOf(f.engine, nil)} {
		for name, spec := range map[string]proc.Spec{
			"an argument": {Argv: []string{f.engine, "a\x00b"}}, "a variable": {Argv: []string{f.engine}, Env: []string{"A=b\x00LD_PRELOAD=c"}},
		} {
			spec.Dir, spec.Box = f.dir, box
			if _, err := f.spawner.Start(spec); !errors.Is(err, syscall.EINVAL) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	policy := sandbox.Policy{Dir: "/", Write: []string{f.dir + "\x00/"}}
	if _, err := f.spawner.Start(proc.Spec{Argv: []string{f.engine}, Dir: "/", Box: f.host.Box(policy)}); !errors.Is(err, syscall.EINVAL) {
		t.Errorf("a path: %v", err)
	}
}

// What an engine leaves in a folder where it may write grants nothing at its
// next start.
func TestHole02Left(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	secret := filepath.Join(t.TempDir(), "key")
	folder := filepath.Join(f.dir, "out")
	data, log := filepath.Join(folder, "data"), filepath.Join(folder, "log")
	err := errors.Join(os.WriteFile(secret, []byte("key"), 0o600), os.Mkdir(folder, 0o755), os.WriteFile(data, nil, 0o644), os.WriteFile(log, nil, 0o644))
	gametest.OK(t, err)
	box := f.boxOf(f.engine, func(e *arena.EngineSpec) { e.Read, e.Write = []string{data}, []string{folder, log} })
	err = errors.Join(os.Remove(data), os.Remove(log), os.Symlink(secret, data), os.Symlink(secret, log))
	gametest.OK(t, err)
	for _, mode := range []string{"read", "append"} {
		f.fails(box, mode, secret)
	}
}

// A program that the user may start but not read is refused: the kernel would not
// count its time.
func TestHole23UnreadableProgram(t *testing.T) {
	dir := t.TempDir()
	engine, helper := filepath.Join(dir, "engine"), filepath.Join(dir, "lib", "helper")
	err := errors.Join(os.WriteFile(engine, []byte("\x7fELF"), 0o755), os.Mkdir(filepath.Dir(helper), 0o755), os.WriteFile(helper, []byte("\x7fELF"), 0o755))
	gametest.OK(t, err)
	for path, mode := range map[string]os.FileMode{dir: 0o755, helper: 0o111, engine: 0o111} {
		_ = os.Chmod(path, mode)
		_, err := sandbox.For(arena.EngineSpec{Command: []string{engine}, Dir: dir}, nil, nil)
		if mode == 0o755 && err != nil || mode == 0o111 && (err == nil || !strings.Contains(err.Error(), path)) {
			t.Errorf("%q: %v", path, err)
		}
		_ = os.Chmod(path, 0o755)
	}
}

// A file that the arena inherited is not open in an engine.
func TestHole23Inherited(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	fd, err := unix.Open(filepath.Join(f.dir, ".secret"), unix.O_RDONLY, 0) // stays open in what is started
	gametest.OK(t, err)
	defer unix.Close(fd)
	for name, box := range map[string]*sandbox.Box{"a box": f.boxOf(f.engine, nil), "no box": nil} {
		if got := f.attack(box, "inherited", strconv.Itoa(fd)); got != syscall.EBADF.Error() {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// A box that is used again has nothing of the engine before: no port of a connection that
// it closed, which the kernel keeps for a minute.
func TestPortsOfABoxUsedAgain(t *testing.T) {
	f := newField(t)
	box := f.boxOf(f.engine, nil)
	for range 3 {
		if got := f.attack(box, "listen"); !strings.HasPrefix(got, "did") {
			t.Error(got)
		}
	}
}
