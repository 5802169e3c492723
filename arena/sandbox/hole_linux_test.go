package sandbox_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"thera/arena"
	"thera/arena/proc"
	"thera/arena/sandbox"
	"thera/engine/gametest"
)

// An engine changes no mode, owner, time or attribute of a file, its own
// program included, by any way.
func TestHole01Metadata(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	elsewhere := filepath.Join(t.TempDir(), "weights")
	gametest.OK(t, os.WriteFile(elsewhere, []byte("net"), 0o600))
	weights := filepath.Join(f.dir, "weights")
	device := "/dev/null"
	if os.Geteuid() != 0 {
		device = weights // who may not change it outside either
	}
	for name, host := range hosts(t) {
		f.host, f.machine = host, name
		box := f.boxOf(f.engine, nil)
		for mode, paths := range map[string][]string{
			"chmod":                     {weights, elsewhere, f.rival, f.engine, f.dir, device},
			"chown":                     {weights, elsewhere, device},
			"lchown":                    {elsewhere},
			"utimes":                    {weights, elsewhere, f.dir, device},
			"setxattr":                  {weights, elsewhere},
			"fchmod":                    {weights, f.dir, device},
			"futimens":                  {weights, f.dir},
			"chmod by /proc":            {weights, elsewhere, device},
			"chmod the arena's program": {""},
			"attributes":                {weights},
			"lease":                     {weights},
			"notice":                    {f.dir},
			"watch":                     {weights, filepath.Dir(elsewhere)},
			"truncate":                  {weights, elsewhere},
			"empty":                     {weights, elsewhere},
		} {
			for _, path := range paths {
				f.fails(box, mode, path)
			}
		}
	}
	// Without a box they succeed, so that this means something.
	for _, mode := range []string{"chmod", "chown", "utimes", "fchmod", "futimens", "chmod by /proc", "lease", "watch"} {
		f.succeeds(nil, mode, weights)
	}
}

// What Landlock does not look at tells nothing of a hidden file: its attributes, and a descriptor that
// neither reads nor writes.
func TestHoleHiddenFile(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	secret := filepath.Join(f.dir, ".secret")
	modes := []string{"open for nothing", "getxattr", "listxattr"}
	if err := unix.Setxattr(secret, "user.thera", []byte("key"), 0); err != nil { // this file system has none
		modes = modes[:1]
	}
	for name, host := range hosts(t) {
		f.host, f.machine = host, name
		for _, mode := range modes {
			f.fails(f.boxOf(f.engine, nil), mode, secret)
		}
	}
	for _, mode := range modes {
		f.succeeds(nil, mode, secret)
	}
}

// No file of a boxed engine is set-id for the machine, also where it may write.
func TestHole01SetID(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	folder := filepath.Join(f.dir, "out")
	gametest.OK(t, os.Mkdir(folder, 0o755))
	for name, host := range hosts(t) {
		f.host, f.machine = host, name
		box := f.boxOf(f.engine, func(e *arena.EngineSpec) { e.Write = []string{folder} })
		for _, mode := range []string{"set-id by chmod", "set-id by open", "set-id by mknod", "set-id by openat2"} {
			f.fails(box, mode, folder)
			f.fails(box, mode)
		}
		if name == "no namespaces" {
			continue
		}
		for _, args := range [][]string{nil, {folder}} {
			f.succeeds(box, "chmod its file", args...)
		}
		f.succeeds(box, "use the devices")
	}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if info, wrong := e.Info(); wrong != nil || info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0 {
			t.Errorf("%v, %v", info, wrong)
		}
	}
	if err != nil {
		t.Error(err)
	}
	f.succeeds(nil, "set-id by chmod", folder)
}

// write: may name a file, a link and a folder within another one; what is
// beside them stays.
func TestHole01Write(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	log, folder := filepath.Join(f.dir, "log"), filepath.Join(t.TempDir(), "folder")
	inner, link := filepath.Join(folder, "inner"), filepath.Join(f.dir, "link")
	err := errors.Join(os.WriteFile(log, nil, 0o644), os.MkdirAll(inner, 0o755), os.Symlink(folder, link))
	gametest.OK(t, err)
	box := f.boxOf(f.engine, func(e *arena.EngineSpec) { e.Write = []string{"log", inner, "link", "missing"} })
	for path, did := range map[string]bool{
		log: true, filepath.Join(folder, "a"): true, filepath.Join(inner, "b"): true, filepath.Join(link, "c"): true,
		filepath.Join(f.dir, "weights"): false, filepath.Join(f.dir, "missing"): false, filepath.Join(filepath.Dir(folder), "d"): false,
	} {
		if got := f.attack(box, "write", path); strings.HasPrefix(got, "did") != did {
			t.Errorf("%s: %q", path, got)
		}
	}
}

// A pair of datagram sockets sends to no service of the machine.
func TestHole03Datagrams(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	path := filepath.Join(f.dir, "service")
	service, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	gametest.OK(t, err)
	defer service.Close()
	for name, host := range hosts(t) {
		f.host, f.machine = host, name
		for _, mode := range []string{"datagram", "raw datagram"} {
			if got := f.attack(f.boxOf(f.engine, nil), mode, path); got != syscall.EAFNOSUPPORT.Error() {
				t.Errorf("%s: %s: %q", name, mode, got)
			}
		}
	}
	f.succeeds(nil, "datagram", path)
}

// An engine has no memory that belongs to no process: no segments and queues of
// System V, no files on their way between processes, none of a single thread.
func TestHole07Nobodys(t *testing.T) {
	onlyWithoutBox(t, "segment", "queue", "send a file", "files of a thread", "files of a thread by close")
}

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
