package sandbox_test

import (
	"errors"
	"net"
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

// tries are more of what a hostile engine does, by its mode.
var tries = map[string]func(args []string) (string, error){
	"chmod":    onPath(func(path string) error { return unix.Chmod(path, modeOf(path)) }),
	"chown":    onPath(func(path string) error { return unix.Chown(path, os.Geteuid(), os.Getegid()) }),
	"lchown":   onPath(func(path string) error { return unix.Lchown(path, os.Geteuid(), os.Getegid()) }),
	"utimes":   onPath(func(path string) error { return unix.Utimes(path, make([]unix.Timeval, 2)) }),
	"setxattr": onPath(func(path string) error { return unix.Setxattr(path, "user.thera", []byte("x"), 0) }),
	"getxattr": onPath(func(path string) error {
		_, err := unix.Getxattr(path, "user.thera", make([]byte, 9))
		return err
	}),
	"listxattr": onPath(func(path string) error {
		n, err := unix.Llistxattr(path, make([]byte, 99))
		return errors.Join(err, nothing(n == 0))
	}),
	"open for nothing": onPath(func(path string) error { _, err := unix.Open(path, unix.O_ACCMODE, 0); return err }),
	"fchmod":           onFile(func(fd int) error { return unix.Fchmod(fd, modeOf("/proc/self/fd/"+strconv.Itoa(fd))) }),
	"futimens":         onFile(func(fd int) error { return errnoOf(unix.RawSyscall6(unix.SYS_UTIMENSAT, uintptr(fd), 0, 0, 0, 0, 0)) }),
	"empty": func(args []string) (string, error) { // opened for reading
		fd, err := unix.Open(args[0], unix.O_RDONLY|unix.O_TRUNC, 0)
		_ = unix.Close(fd)
		return "", err
	},
	"lease": onFile(func(fd int) error {
		return errnoOf(unix.RawSyscall(unix.SYS_FCNTL, uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK))
	}),
	"notice": onFile(func(fd int) error {
		return errnoOf(unix.RawSyscall(unix.SYS_FCNTL, uintptr(fd), unix.F_NOTIFY, 2))
	}),
	"attributes": onFile(func(fd int) error { return unix.IoctlSetPointerInt(fd, unix.FS_IOC_SETFLAGS, 0x40) }), // no dump
	"chmod by /proc": onPath(func(path string) error {
		fd, err := unix.Open(path, unix.O_PATH, 0)
		if err != nil {
			return err
		}
		path = "/proc/self/fd/" + strconv.Itoa(fd)
		return unix.Chmod(path, modeOf(path))
	}),
	"chmod the arena's program": func([]string) (string, error) {
		// The threads of an init have the program as the machine sees it.
		all, err := filepath.Glob("/proc/1/task/*/exe")
		for _, path := range all {
			if err = unix.Chmod(path, 0o755); err == nil {
				break
			}
		}
		return "", errors.Join(err, nothing(len(all) == 0))
	},
	"watch": onPath(func(path string) error {
		fd, err := unix.InotifyInit1(0)
		if err == nil {
			_, err = unix.InotifyAddWatch(fd, path, unix.IN_OPEN)
		}
		return err
	}),
	"set-id by chmod": inFolder(func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o755), unix.Chmod(path, 0o4755))
	}),
	"set-id by open": inFolder(func(path string) error {
		fd, err := unix.Open(path, unix.O_CREAT|unix.O_WRONLY, 0o2755)
		_ = unix.Close(fd)
		return err
	}),
	"set-id by mknod": inFolder(func(path string) error { return unix.Mknod(path, unix.S_IFREG|0o4755, 0) }),
	"set-id by openat2": inFolder(func(path string) error {
		fd, err := unix.Openat2(unix.AT_FDCWD, path, &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o4755})
		_ = unix.Close(fd)
		return err
	}),
	"unreadable by chmod": inFolder(func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o755), unix.Chmod(path, 0o111))
	}),
	"unreadable by open": inFolder(func(path string) error {
		fd, err := unix.Open(path, unix.O_CREAT|unix.O_WRONLY, 0o311)
		_ = unix.Close(fd)
		return err
	}),
	"unreadable by mknod": inFolder(func(path string) error { return unix.Mknod(path, unix.S_IFREG|0o111, 0) }),
	"unreadable by umask": func([]string) (string, error) { return "", errnoOf(unix.RawSyscall(unix.SYS_UMASK, 0o400, 0, 0)) },
	"unreadable by list": inFolder(func(path string) error {
		list := "\x02\x00\x00\x00" + "\x01\x00\x01\x00\xff\xff\xff\xff" + "\x04\x00\x00\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"
		return errors.Join(os.WriteFile(path, nil, 0o755), unix.Setxattr(path, "system.posix_acl_access", []byte(list), 0))
	}),
	"unreadable in memory": func([]string) (string, error) {
		fd, err := unix.MemfdCreate("program", 0)
		return "", errors.Join(err, unix.Fchmod(fd, 0o111))
	},
	"chmod its file": inFolder(func(path string) error {
		return errors.Join(os.WriteFile(path, nil, 0o600), unix.Chmod(path, 0o755), unix.Utimes(path, make([]unix.Timeval, 2)))
	}),
	"segment": func([]string) (string, error) {
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 1<<20, unix.IPC_CREAT|0o600)
		if err == nil {
			_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
		}
		return "", err
	},
	"queue": func([]string) (string, error) {
		id, _, errno := unix.RawSyscall(unix.SYS_MSGGET, unix.IPC_PRIVATE, unix.IPC_CREAT|0o600, 0)
		if errno == 0 {
			_, _, errno = unix.RawSyscall(unix.SYS_MSGCTL, id, unix.IPC_RMID, 0)
		}
		return "", errnoOf(0, 0, errno)
	},
	"send a file": func([]string) (string, error) {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err == nil {
			err = unix.Sendmsg(pair[0], []byte("x"), unix.UnixRights(0), nil, 0)
		}
		return "", err
	},
	"files of a thread":          func([]string) (string, error) { return "", unix.Unshare(unix.CLONE_FILES) },
	"files of a thread by close": func([]string) (string, error) { return "", unix.CloseRange(1000, 1001, unix.CLOSE_RANGE_UNSHARE) },
	"datagram":                   func(args []string) (string, error) { return "", pairTo(unix.SOCK_DGRAM, args[0]) },
	"raw datagram":               func(args []string) (string, error) { return "", pairTo(unix.SOCK_RAW, args[0]) },
	"inherited": func(args []string) (string, error) {
		fd, err := strconv.Atoi(args[0])
		if err == nil {
			_, err = unix.Pread(fd, make([]byte, 1), 0)
		}
		return "", err
	},
	"listen":          func([]string) (string, error) { return "", ownPort() },
	"use the devices": func([]string) (string, error) { return "", useDevices() },
}

func nothing(failed bool) error {
	if failed {
		return errors.New("nothing to try")
	}
	return nil
}

func onPath(do func(path string) error) func([]string) (string, error) {
	return func(args []string) (string, error) { return "", do(args[0]) }
}

func onFile(do func(fd int) error) func([]string) (string, error) {
	return onPath(func(path string) error {
		fd, err := unix.Open(path, unix.O_RDONLY, 0)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		return do(fd)
	})
}

// modeOf is the mode of a file: what succeeds does no harm to this machine.
func modeOf(path string) uint32 {
	var stat unix.Stat_t
	_ = unix.Stat(path, &stat)
	return stat.Mode & 0o7777
}

// inFolder tries something with a new file in a folder, by default the
// temporary one.
func inFolder(do func(path string) error) func([]string) (string, error) {
	return func(args []string) (string, error) {
		unix.Umask(0)
		return "", do(filepath.Join(append(args, os.Getenv("TMPDIR"))[0], "new"+strconv.Itoa(os.Getpid())))
	}
}

// pairTo sends to a service from a pair of sockets.
func pairTo(kind int, path string) error {
	pair, err := unix.Socketpair(unix.AF_UNIX, kind, 0)
	if err != nil {
		return err
	}
	return unix.Sendto(pair[0], []byte("order"), 0, &unix.SockaddrUnix{Name: path})
}

func useDevices() error {
	buf := make([]byte, 1)
	for _, path := range []string{"/dev/zero", "/dev/random", "/dev/urandom"} {
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		if _, err := file.Read(buf); err != nil {
			return err
		}
	}
	if err := os.WriteFile("/dev/full", buf, 0); !errors.Is(err, unix.ENOSPC) {
		return err
	}
	return os.WriteFile("/dev/null", buf, 0)
}

// boxless are the machines on which an attack is tried: as this one is, and
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

// onlyWithoutBox holds an engine to not doing things in a box, on all machines, which it can do
// without.
func onlyWithoutBox(t *testing.T, modes ...string) {
	t.Helper()
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	for name, host := range hosts(t) {
		f.host, f.machine = host, name
		for _, mode := range modes {
			f.fails(f.boxOf(f.engine, nil), mode)
		}
	}
	for _, mode := range modes {
		if mode != "rules" { // which a kernel may lack
			f.succeeds(nil, mode)
		}
	}
}

// An engine changes no mode, owner, time or attribute of a file, its own
// program included, by any way.
func TestHole01Metadata(t *testing.T) {
	gametest.Sequential(t) // what runs in the box is another process
	f := newField(t)
	elsewhere := filepath.Join(t.TempDir(), "weights")
	if err := os.WriteFile(elsewhere, []byte("net"), 0o600); err != nil {
		t.Fatal(err)
	}
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
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
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
