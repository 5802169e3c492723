package sandbox_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"thera/arena/sandbox"
	"thera/engine/gametest"
)

func init() {
	for name, try := range map[string]func([]string) (string, error){
		"limits of another": func(args []string) (string, error) {
			pid, _ := strconv.Atoi(args[0])
			var same unix.Rlimit
			err := unix.Prlimit(pid, unix.RLIMIT_CPU, nil, &same)
			if pid > 0 && err != nil { // a namespace does not have it
				pid = os.Getppid()
			}
			return "", unix.Prlimit(pid, unix.RLIMIT_CPU, &same, nil)
		},
		"not dumpable": func([]string) (string, error) { return "", unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) },
		"gift of pages": func([]string) (string, error) {
			var ends [2]int
			err := unix.Pipe(ends[:])
			page := make([]byte, 1)
			if err == nil {
				_, err = unix.Vmsplice(ends[1], []unix.Iovec{{Base: &page[0], Len: 1}}, 0)
			}
			return "", err
		},
		"rules": func([]string) (string, error) {
			attr := unix.LandlockRulesetAttr{Handled_access_fs: 1}
			return "", errnoOf(unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), 8, 0))
		},
		"filters": func([]string) (string, error) {
			action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
			return "", errnoOf(unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action))))
		},
		"requests": func([]string) (string, error) {
			var context uintptr
			return "", errnoOf(unix.RawSyscall(unix.SYS_IO_SETUP, 1, uintptr(unsafe.Pointer(&context)), 0))
		},
		"memory for a program of the machine": func([]string) (string, error) {
			var limit unix.Rlimit
			err := unix.Getrlimit(unix.RLIMIT_CORE, &limit)
			if err == nil && limit.Cur == 1 {
				err = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Max: limit.Max})
			}
			return "", err
		},
		"pending signals": func([]string) (string, error) {
			var limit unix.Rlimit
			err := unix.Getrlimit(unix.RLIMIT_SIGPENDING, &limit)
			return strconv.FormatUint(limit.Max, 10), err
		},
	} {
		tries[name] = try
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

// ownPort has a connection to itself on a port, which the listening side closes first.
func ownPort() error {
	at := &unix.SockaddrInet4{Port: 4321, Addr: [4]byte{127, 0, 0, 1}}
	from, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	to, wrong := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	if err = errors.Join(err, wrong, unix.Bind(to, at), unix.Listen(to, 1), unix.Connect(from, at)); err != nil {
		return err
	}
	end, _, err := unix.Accept(to)
	return errors.Join(err, unix.Close(end), unix.Close(from), unix.Close(to))
}
