//go:build linux && (amd64 || arm64)

package sandbox

import (
	"slices"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// canFilter is whether this package knows the architecture's system calls.
const canFilter = true

// Offsets in struct seccomp_data.
const (
	dataNumber = 0
	dataArch   = 4
	dataArgs   = 16 // eight bytes each; the low half comes first here
)

// newSpaces are the flags of clone and unshare that make namespaces.
const newSpaces = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWNET |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

// refused are calls that reach beyond the engine's own processes, or into the
// rarely used depths of the kernel.
var refused = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PERF_EVENT_OPEN, unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT, unix.SYS_SYSLOG,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOUNT_SETATTR, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	unix.SYS_SETNS, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES,
	unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
}

// unknown are calls that programs expect on new kernels only: they fall back
// to others. The arguments of clone3 are in memory, where a filter cannot look.
var unknown = []uint32{unix.SYS_CLONE3, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

// The filter's verdicts.
var (
	verdictAllow   = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	verdictRefuse  = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}
	verdictUnknown = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)}
	verdictFamily  = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)}
	verdictKill    = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
)

// filter is the program that the kernel runs for each system call. families
// are the kinds of sockets that may be made. UNIX sockets with a path lead to
// services of the user and of the system, which would do for the engine what
// it may not do; a socketpair leads nowhere else and is not restricted.
func filter(families []uint32) []bpf.Instruction {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		verdictKill, // 32-bit programs, whose calls have other numbers
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}
	if x32Bit != 0 {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: x32Bit, SkipFalse: 1}, verdictKill)
	}
	// An argument replaces the number, so each of these ends in a verdict.
	block := func(number uint32, body ...bpf.Instruction) {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: uint8(len(body))})
		program = append(program, body...)
	}
	for _, number := range slices.Concat(refused, refusedHere) {
		block(number, verdictRefuse)
	}
	for _, number := range unknown {
		block(number, verdictUnknown)
	}
	for number, flags := range map[uint32]uint32{unix.SYS_CLONE: newSpaces, unix.SYS_UNSHARE: newSpaces | unix.CLONE_NEWTIME} {
		block(number, bpf.LoadAbsolute{Off: dataArgs, Size: 4}, bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: flags, SkipFalse: 1}, verdictRefuse, verdictAllow)
	}
	// Letters that are typed into the user's terminal.
	block(unix.SYS_IOCTL, bpf.LoadAbsolute{Off: dataArgs + 8, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCLINUX, SkipFalse: 1}, verdictRefuse, verdictAllow)
	socket := []bpf.Instruction{bpf.LoadAbsolute{Off: dataArgs, Size: 4}}
	for _, family := range families {
		socket = append(socket, bpf.JumpIf{Cond: bpf.JumpEqual, Val: family, SkipFalse: 1}, verdictAllow)
	}
	block(unix.SYS_SOCKET, append(socket, verdictFamily)...)
	return append(program, verdictAllow)
}

// seccomp puts the filter on the calling thread.
func (c *confines) seccomp() error {
	var families []uint32
	if c.spaces || c.inet { // without a network namespace, IP sockets are the network
		families = []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	}
	raw, err := bpf.Assemble(filter(families))
	if err != nil {
		return err
	}
	code := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		code[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}
