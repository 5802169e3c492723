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
	unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	unix.SYS_SETNS, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_SYNC, unix.SYS_SYNCFS,
	unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
}

// unknown are calls that programs do without: they fall back to others. The
// arguments of clone3 and openat2 are in memory, where a filter cannot look.
// Watches of files tell what others do with them. Segments and queues outlive
// their processes. Pages in pipes, rules and filters are memory that nothing
// counts, and one engine can take all asynchronous requests of the machine.
var unknown = []uint32{
	unix.SYS_CLONE3, unix.SYS_OPENAT2, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
	unix.SYS_INOTIFY_INIT1,
	unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL,
	unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
	unix.SYS_MEMFD_SECRET, unix.SYS_VMSPLICE, unix.SYS_IO_SETUP, unix.SYS_SECCOMP,
	unix.SYS_LANDLOCK_CREATE_RULESET, unix.SYS_LANDLOCK_ADD_RULE, unix.SYS_LANDLOCK_RESTRICT_SELF,
}

// lastCall is the last one that was considered here; later ones are unknown.
const lastCall = unix.SYS_FILE_SETATTR

// metadata are calls that Landlock does not look at: they change modes, owners,
// times, attributes and, before its third version, lengths of any files. They
// are refused where mounts are not read-only.
var metadata = []uint32{
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_FILE_SETATTR, unix.SYS_TRUNCATE,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
}

// attributes are calls that set attributes of files. An access list among them is a
// mode. They fail as on a file system that has none.
var attributes = []uint32{unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT}

// modes are calls that give a file a mode, with the place of the mode in their
// arguments. A set-id file of root would be of use outside the sandbox. The kernel
// stops to count the time of a program that its user may start but not read.
var modes = []place{{unix.SYS_FCHMOD, 1}, {unix.SYS_FCHMODAT, 2}, {unix.SYS_FCHMODAT2, 2}, {unix.SYS_MKNODAT, 2}}

// opens are calls that may create a file, with the place of their flags. The
// mode comes next.
var opens = []place{{unix.SYS_OPENAT, 2}}

// deferred are options of sockets by which the kernel works for an engine later.
var deferred = []uint32{
	unix.SO_ATTACH_FILTER, unix.SO_ATTACH_BPF, unix.SO_ATTACH_REUSEPORT_CBPF, unix.SO_ATTACH_REUSEPORT_EBPF, unix.SO_MAX_PACING_RATE, unix.SO_TXTIME,
}

// place is where a call has an argument, from 0.
type place struct{ call, at uint32 }

// fileTypes are the types, the second byte, of requests to file systems: of
// all, of several, of XFS, of FAT and of Btrfs. They change attributes of files
// that are open for reading.
var fileTypes = []uint32{'f', 'v', 'X', 'r', 0x94}

// The filter's verdicts.
var (
	verdictAllow   = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	verdictRefuse  = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}
	verdictUnknown = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)}
	verdictRequest = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTTY)}
	verdictNone    = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EOPNOTSUPP)}
	verdictFamily  = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EAFNOSUPPORT)}
	verdictKill    = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
)

// calls is the program that the kernel runs for each system call. UNIX sockets
// with a path lead to services of the user and of the system, which would do
// for the engine what it may not do. A pair of streams leads nowhere else;
// datagrams may be sent to a path.
func (c *confines) calls() []bpf.Instruction {
	program := []bpf.Instruction{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		verdictKill, // 32-bit programs, whose calls have other numbers
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}
	if x32Bit != 0 {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: x32Bit, SkipFalse: 1}, verdictKill)
	}
	program = append(program, bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: lastCall, SkipFalse: 1}, verdictUnknown)
	// An argument replaces the number, so each of these ends in a verdict.
	block := func(number uint32, body ...bpf.Instruction) {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: uint8(len(body))})
		program = append(program, body...)
	}
	argument := func(place uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: dataArgs + 8*place, Size: 4} }
	refuse := slices.Concat(refused, refusedHere)
	if !c.Frozen {
		refuse = slices.Concat(refuse, metadata, metadataHere)
	}
	// Memory in a file that is on its way from one process to another is nobody's:
	// who has such files sends none.
	if !c.Network {
		refuse = append(refuse, unix.SYS_SENDMSG, unix.SYS_SENDMMSG)
	}
	if c.Network || c.Measured {
		block(unix.SYS_MEMFD_CREATE, verdictUnknown)
	}
	// Of shared memory a process may map a part only, and nothing shows the rest.
	if c.Measured {
		block(unix.SYS_MMAP, argument(3), bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.MAP_SHARED | unix.MAP_ANONYMOUS},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.MAP_SHARED | unix.MAP_ANONYMOUS, SkipFalse: 1}, verdictRefuse, verdictAllow)
	}
	for _, number := range refuse {
		block(number, verdictRefuse)
	}
	for _, number := range slices.Concat(unknown, unknownHere) {
		block(number, verdictUnknown)
	}
	for _, number := range attributes {
		block(number, verdictNone)
	}
	allowMode := []bpf.Instruction{
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.S_ISUID | unix.S_ISGID, SkipTrue: 2},
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.S_IXUSR, SkipFalse: 2},
		bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.S_IRUSR, SkipTrue: 1},
		verdictRefuse, verdictAllow,
	}
	for _, mode := range slices.Concat(modes, modesHere) {
		block(mode.call, append([]bpf.Instruction{argument(mode.at)}, allowMode...)...)
	}
	block(unix.SYS_UMASK, argument(0), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.S_IRUSR, SkipFalse: 1}, verdictRefuse, verdictAllow)
	// A process that is not dumpable hides its files.
	block(unix.SYS_PRCTL, argument(0), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.PR_SET_DUMPABLE, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.PR_SET_SECCOMP, SkipFalse: 1}, verdictRefuse, verdictAllow)
	// Landlock does not look at who sets the limits of another process.
	block(unix.SYS_PRLIMIT64, argument(0), bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 5},
		argument(2), bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipFalse: 2}, // no new limit: both halves of its address
		bpf.LoadAbsolute{Off: dataArgs + 8*2 + 4, Size: 4}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 1},
		verdictRefuse, verdictAllow)
	for _, flags := range slices.Concat(opens, opensHere) {
		block(flags.call, append([]bpf.Instruction{
			argument(flags.at),
			bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.O_ACCMODE | unix.O_TRUNC}, // empties what may only be read
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.O_TRUNC, SkipFalse: 1},
			verdictRefuse,
			argument(flags.at),
			bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.O_CREAT | unix.O_TMPFILE&^unix.O_DIRECTORY, SkipTrue: 1},
			verdictAllow, argument(flags.at + 1),
		}, allowMode...)...)
	}
	// A thread with open files of its own hides what is in them.
	block(unix.SYS_CLONE, argument(0), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: newSpaces, SkipFalse: 1}, verdictRefuse,
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.CLONE_THREAD | unix.CLONE_FILES},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.CLONE_THREAD, SkipFalse: 1}, verdictRefuse, verdictAllow)
	block(unix.SYS_UNSHARE, argument(0), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: newSpaces | unix.CLONE_NEWTIME | unix.CLONE_FILES, SkipFalse: 1},
		verdictRefuse, verdictAllow)
	block(unix.SYS_CLOSE_RANGE, argument(2), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: unix.CLOSE_RANGE_UNSHARE, SkipFalse: 1}, verdictRefuse, verdictAllow)
	// Letters that are typed into the user's terminal, and requests to file systems.
	ioctl := []bpf.Instruction{
		argument(1),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCSTI, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.TIOCLINUX, SkipFalse: 1},
		verdictRefuse,
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xff00},
	}
	for _, kind := range fileTypes {
		ioctl = append(ioctl, bpf.JumpIf{Cond: bpf.JumpEqual, Val: kind << 8, SkipFalse: 1}, verdictRequest)
	}
	block(unix.SYS_IOCTL, append(ioctl, verdictAllow)...)
	// A lease holds up those who open the file, a notice is a watch.
	block(unix.SYS_FCNTL, argument(1), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_SETLEASE, SkipTrue: 1},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.F_NOTIFY, SkipFalse: 1}, verdictRefuse, verdictAllow)
	block(unix.SYS_SOCKETPAIR, argument(0), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_UNIX, SkipFalse: 3},
		argument(1), bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: 0xf},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOCK_STREAM, SkipTrue: 1}, verdictFamily, verdictAllow)
	var families []uint32
	if c.Spaces || c.Network { // without a network namespace, IP sockets are the network
		families = []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	}
	socket := []bpf.Instruction{argument(0)}
	for _, family := range families {
		socket = append(socket, bpf.JumpIf{Cond: bpf.JumpEqual, Val: family, SkipFalse: 1}, verdictAllow)
	}
	block(unix.SYS_SOCKET, append(socket, verdictFamily)...)
	// Filters of packets, and packets that a timer sends, run on the time of others.
	options := []bpf.Instruction{argument(1), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SOL_SOCKET, SkipTrue: 1}, verdictAllow, argument(2)}
	for _, option := range deferred {
		options = append(options, bpf.JumpIf{Cond: bpf.JumpEqual, Val: option, SkipFalse: 1}, verdictRefuse)
	}
	block(unix.SYS_SETSOCKOPT, append(options, verdictAllow)...)
	return append(program, verdictAllow)
}

// seccomp puts the filter on the calling thread.
func (c *confines) seccomp() error {
	raw, err := bpf.Assemble(c.calls())
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
