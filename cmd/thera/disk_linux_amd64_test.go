package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"thera/engine/gametest"
)

// disk is a folder whose files a program cannot always write to. It counts the calls that change
// them, and lets some of them fail.
type disk struct {
	dir         string
	first, last int // calls that fail, from 1; 0: none
	errno       unix.Errno

	calls  []string // with the file, below the folder
	failed []string // the files of those that failed
}

// changing are the calls that change files. A file is an open one, or a path in an open folder: which
// arguments they are.
var changing = map[int32]struct {
	name       string
	open, path int
}{
	unix.SYS_WRITE: {"write", 0, none}, unix.SYS_WRITEV: {"writev", 0, none},
	unix.SYS_PWRITE64: {"pwrite", 0, none}, unix.SYS_PWRITEV: {"pwritev", 0, none},
	unix.SYS_SENDFILE: {"sendfile", 0, none}, unix.SYS_COPY_FILE_RANGE: {"copy_file_range", 2, none},
	unix.SYS_FSYNC: {"fsync", 0, none}, unix.SYS_FDATASYNC: {"fdatasync", 0, none},
	unix.SYS_FTRUNCATE: {"ftruncate", 0, none}, unix.SYS_FALLOCATE: {"fallocate", 0, none},
	unix.SYS_FCHMOD: {"fchmod", 0, none},
	unix.SYS_OPEN:   {"open", none, 0}, unix.SYS_OPENAT: {"openat", 0, 1},
	unix.SYS_RENAME: {"rename", none, 0}, unix.SYS_RENAMEAT: {"renameat", 0, 1},
	unix.SYS_UNLINK: {"unlink", none, 0}, unix.SYS_UNLINKAT: {"unlinkat", 0, 1},
	unix.SYS_MKDIR: {"mkdir", none, 0}, unix.SYS_MKDIRAT: {"mkdirat", 0, 1},
}

const none = -1 // no argument; a path without a folder is in the working one

// notice is what the kernel says of a call that waits for an answer: struct seccomp_notif.
type notice struct {
	id         uint64
	pid, flags uint32
	call       int32
	arch       uint32
	at         uint64
	args       [6]uint64
}

// answer is struct seccomp_notif_resp.
type answer struct {
	id           uint64
	value        int64
	errno, flags uint32
}

// filter has the kernel ask about the calls of this thread, and of what it starts. Of calls that
// open files it asks about those for writing.
func filter() (asks int, err error) {
	program := []bpf.Instruction{bpf.LoadAbsolute{Off: 0, Size: 4}}
	ask := bpf.RetConstant{Val: unix.SECCOMP_RET_USER_NOTIF}
	for number, call := range changing {
		then := []bpf.Instruction{ask}
		if strings.HasPrefix(call.name, "open") {
			then = []bpf.Instruction{
				bpf.LoadAbsolute{Off: uint32(16 + 8*(call.path+1)), Size: 4},
				bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.O_ACCMODE | unix.O_CREAT | unix.O_TRUNC, SkipFalse: 1},
				ask,
				bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW},
			}
		}
		program = append(program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(number), SkipFalse: uint8(len(then))})
		program = append(program, then...)
	}
	raw, err := bpf.Assemble(append(program, bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}))
	if err != nil {
		return 0, err
	}
	var steps []unix.SockFilter
	for _, r := range raw {
		steps = append(steps, unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K})
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	prog := unix.SockFprog{Len: uint16(len(steps)), Filter: &steps[0]}
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return 0, fmt.Errorf("a listener to system calls: %w", errno)
	}
	return int(fd), nil
}

// during runs a program on the disk.
func (d *disk) during(t *testing.T, run func() error) error {
	t.Helper()
	type begun struct {
		asks int
		err  error
	}
	begins, ended := make(chan begun, 1), make(chan error, 1)
	over, end, err := os.Pipe()
	gametest.OK(t, err)
	defer over.Close()
	go func() {
		runtime.LockOSThread() // it stays locked, so that the thread with the filter runs nothing else
		defer end.Close()
		asks, err := filter()
		begins <- begun{asks, err}
		if err == nil {
			ended <- run()
		}
	}()
	is := <-begins
	if is.err != nil {
		t.Fatal(is.err)
	}
	defer unix.Close(is.asks)
	for {
		poll := []unix.PollFd{{Fd: int32(is.asks), Events: unix.POLLIN}, {Fd: int32(over.Fd())}}
		if _, err := unix.Poll(poll, -1); err != nil && !errors.Is(err, unix.EINTR) {
			t.Fatal(err)
		}
		switch {
		case poll[0].Revents&unix.POLLIN != 0:
			gametest.OK(t, d.answer(is.asks))
		case poll[1].Revents != 0:
			return <-ended
		}
	}
}

// answer lets one call go on, or fail.
func (d *disk) answer(asks int) error {
	var n notice
	errno := ioctl(asks, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n))
	switch errno {
	case 0:
	case unix.ENOENT, unix.EINTR: // who asked has ended, or a signal interrupted it and it asks again
		return nil
	default:
		return fmt.Errorf("what is asked: %w", errno)
	}
	a := answer{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	file, counts := d.file(&n)
	if counts {
		d.calls = append(d.calls, changing[n.call].name+" "+file)
		if at := len(d.calls); d.first <= at && at <= d.last {
			a.flags, a.errno = 0, uint32(-int32(d.errno))
		}
	}
	errno = ioctl(asks, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&a))
	switch {
	case errno == unix.ENOENT && counts:
		d.calls = d.calls[:len(d.calls)-1] // it asks again, or never
	case errno != 0 && errno != unix.ENOENT:
		return fmt.Errorf("the answer: %w", errno)
	case a.errno != 0:
		d.failed = append(d.failed, file)
	}
	return nil
}

func ioctl(fd int, request uintptr, what unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(what))
	return errno
}

// file is the file of a call, if it is in the folder.
func (d *disk) file(n *notice) (name string, in bool) {
	call := changing[n.call]
	at := fmt.Sprintf("/proc/%d/cwd", n.pid)
	if call.open != none && int32(n.args[call.open]) != unix.AT_FDCWD {
		at = fmt.Sprintf("/proc/%d/fd/%d", n.pid, n.args[call.open])
	}
	path, _ := os.Readlink(at) // a process that was killed has none
	if call.path != none {
		if name := text(n.pid, n.args[call.path]); filepath.IsAbs(name) {
			path = name
		} else {
			path = filepath.Join(path, name)
		}
	}
	return strings.CutPrefix(path, d.dir+"/")
}

// text is a string of a process.
func text(pid uint32, at uint64) string {
	memory, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return ""
	}
	defer memory.Close()
	page := make([]byte, unix.PathMax)
	n, _ := memory.ReadAt(page, int64(at)) // it may end before
	end := bytes.IndexByte(page[:n], 0)
	if end < 0 {
		return ""
	}
	return string(page[:end])
}
