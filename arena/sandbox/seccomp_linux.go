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

// refused are calls that reach beyond the processes of the engine, or into the
// rarely used depths of the kernel.
var refused = []uint32{
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	unix.SYS_PROCESS_MADVISE,
	unix.SYS_PERF_EVENT_OPEN, unix.SYS_BPF, unix.SYS_USERFAULTFD, unix.SYS_FANOTIFY_INIT, unix.SYS_SYSLOG,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOUNT_SETATTR, unix.SYS_MOVE_MOUNT,
	unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
	unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	unix.SYS_SETNS, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP,
	unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
	unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
	unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES, unix.SYS_SYNC, unix.SYS_SYNCFS,
	unix.SYS_REBOOT, unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE,
	unix.SYS_DELETE_MODULE,
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
	unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT,
	unix.SYS_UTIMENSAT, unix.SYS_FILE_SETATTR, unix.SYS_TRUNCATE,
	unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT,
}

// attributes are calls that set attributes of files, of which an access list is a mode, and
// that read them, of any file. They fail as on a file system that has none.
var attributes = []uint32{
	unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_GETXATTRAT,
	unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR, unix.SYS_LISTXATTRAT,
}

// modes are calls that give a file a mode, with the place of the mode in their
// arguments. A set-id file of root would be of use outside the sandbox. The kernel
// stops to count the time of a program that its user may start but not read.
var modes = []place{{unix.SYS_FCHMOD, 1}, {unix.SYS_FCHMODAT, 2}, {unix.SYS_FCHMODAT2, 2}, {unix.SYS_MKNODAT, 2}}

// opens are calls that may create a file, with the place of their flags. The
// mode comes next.
var opens = []place{{unix.SYS_OPENAT, 2}}

// deferred are options of sockets by which the kernel works for an engine later.
var deferred = []uint32{
	unix.SO_ATTACH_FILTER, unix.SO_ATTACH_BPF, unix.SO_ATTACH_REUSEPORT_CBPF, unix.SO_ATTACH_REUSEPORT_EBPF,
	unix.SO_MAX_PACING_RATE, unix.SO_TXTIME,
}

// place is where a call has an argument, from 0.
type place struct{ call, at uint32 }

// fileTypes are the types, the second byte, of requests to file systems: of
// all, of several, of XFS, of FAT and of Btrfs. They change attributes of files
// that are open for reading.
var fileTypes = []uint32{'f' << 8, 'v' << 8, 'X' << 8, 'r' << 8, 0x94 << 8}

// verdict ends the filter with an error of the call.
func verdict(err unix.Errno) bpf.RetConstant {
	return bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(err)}
}

// The filter's verdicts.
var (
	pass    = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	die     = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
	deny    = verdict(unix.EPERM)
	absent  = verdict(unix.ENOSYS)
	foreign = verdict(unix.EAFNOSUPPORT)
)

// code is a part of the program.
type code = []bpf.Instruction

// when runs the code if some bits of an argument, of its low half, are one of the values.
func when(argument, bits uint32, values []uint32, then ...bpf.Instruction) code {
	all := code{
		bpf.LoadAbsolute{Off: dataArgs + 8*argument, Size: 4},
		bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: bits},
	}
	for i, value := range values {
		all = append(all, bpf.JumpIf{Cond: bpf.JumpEqual, Val: value, SkipTrue: uint8(len(values) - i)})
	}
	return append(append(all, bpf.Jump{Skip: uint32(len(then))}), then...)
}

// unless runs the code if the bits are none of the values.
func unless(argument, bits uint32, values []uint32, then ...bpf.Instruction) code {
	return append(when(argument, bits, values, bpf.Jump{Skip: uint32(len(then))}), then...)
}

// anyBit runs the code if one of the bits is set.
func anyBit(argument, bits uint32, then ...bpf.Instruction) code {
	return unless(argument, bits, []uint32{0}, then...)
}

const whole = ^uint32(0) // all bits

// calls is the program that the kernel runs for each system call. UNIX sockets
// with a path lead to services of the user and of the system, which would do
// for the engine what it may not do. A pair of streams leads nowhere else;
// datagrams may be sent to a path.
func (c *confines) calls() code {
	program := code{
		bpf.LoadAbsolute{Off: dataArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: auditArch, SkipTrue: 1},
		die, // 32-bit programs, whose calls have other numbers
		bpf.LoadAbsolute{Off: dataNumber, Size: 4},
	}
	if x32Bit != 0 {
		program = append(program, bpf.JumpIf{Cond: bpf.JumpGreaterOrEqual, Val: x32Bit, SkipFalse: 1}, die)
	}
	program = append(program, bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: lastCall, SkipFalse: 1}, absent)
	// An argument replaces the number, so what looks at one ends in a verdict.
	block := func(number uint32, verdict bpf.Instruction, checks ...code) {
		body := append(slices.Concat(checks...), verdict)
		program = append(program, bpf.JumpIf{Cond: bpf.JumpEqual, Val: number, SkipFalse: uint8(len(body))})
		program = append(program, body...)
	}
	all := func(verdict bpf.Instruction, lists ...[]uint32) {
		for _, number := range slices.Concat(lists...) {
			block(number, verdict)
		}
	}
	// Memory in a file that is on its way from one process to another is nobody's:
	// who has such files sends none.
	if !c.Network {
		all(deny, []uint32{unix.SYS_SENDMSG, unix.SYS_SENDMMSG})
	}
	if c.Network || c.Measured {
		all(absent, []uint32{unix.SYS_MEMFD_CREATE})
	}
	// Of shared memory a process may map a part only, and nothing shows the rest.
	if c.Measured {
		const nobodys = unix.MAP_SHARED | unix.MAP_ANONYMOUS
		block(unix.SYS_MMAP, pass, when(3, nobodys, []uint32{nobodys}, deny))
	}
	all(deny, refused, refusedHere)
	if !c.has(stepMounts) {
		all(deny, metadata, metadataHere)
	}
	all(absent, unknown, unknownHere)
	all(verdict(unix.EOPNOTSUPP), attributes)
	mode := func(argument uint32) code {
		return append(anyBit(argument, unix.S_ISUID|unix.S_ISGID, deny),
			when(argument, unix.S_IXUSR|unix.S_IRUSR, []uint32{unix.S_IXUSR}, deny)...)
	}
	for _, m := range slices.Concat(modes, modesHere) {
		block(m.call, pass, mode(m.at))
	}
	for _, o := range slices.Concat(opens, opensHere) {
		block(o.call, pass,
			// Neither reads nor writes: Landlock lets it pass.
			when(o.at, unix.O_ACCMODE, []uint32{unix.O_ACCMODE}, deny),
			when(o.at, unix.O_ACCMODE|unix.O_TRUNC, []uint32{unix.O_TRUNC}, deny), // empties what may only be read
			anyBit(o.at, unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY, mode(o.at+1)...))
	}
	block(unix.SYS_UMASK, pass, anyBit(0, unix.S_IRUSR, deny))
	// A process that is not dumpable hides its files. One that shares no core with others keeps them
	// from its sibling, which is not the time of anybody.
	block(unix.SYS_PRCTL, pass, when(0, whole, []uint32{unix.PR_SET_DUMPABLE, unix.PR_SET_SECCOMP, unix.PR_SCHED_CORE}, deny))
	// Landlock does not look at who sets the limits of another process. No new ones is a null pointer.
	// Where a program gets the memory of those that crash, a limit of 0 would not keep it from them.
	high := bpf.LoadAbsolute{Off: dataArgs + 8*2 + 4, Size: 4}
	anew := append(anyBit(2, whole, deny), high, bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 1}, deny)
	core := []uint32{unix.RLIMIT_CORE}
	block(unix.SYS_PRLIMIT64, pass, anyBit(0, whole, anew...), when(1, whole, core, anew...))
	block(unix.SYS_SETRLIMIT, pass, when(0, whole, core, deny))
	// A thread that shares no open files hides what is in its own.
	block(unix.SYS_CLONE, pass, anyBit(0, newSpaces, deny),
		when(0, unix.CLONE_THREAD|unix.CLONE_FILES, []uint32{unix.CLONE_THREAD}, deny))
	block(unix.SYS_UNSHARE, pass, anyBit(0, newSpaces|unix.CLONE_NEWTIME|unix.CLONE_FILES, deny))
	block(unix.SYS_CLOSE_RANGE, pass, anyBit(2, unix.CLOSE_RANGE_UNSHARE, deny))
	// Letters that are typed into the user's terminal, and requests to file systems.
	block(unix.SYS_IOCTL, pass, when(1, whole, []uint32{unix.TIOCSTI, unix.TIOCLINUX}, deny),
		when(1, 0xff00, fileTypes, verdict(unix.ENOTTY)))
	// A lease holds up those who open the file, a notice is a watch.
	block(unix.SYS_FCNTL, pass, when(1, whole, []uint32{unix.F_SETLEASE, unix.F_NOTIFY}, deny))
	block(unix.SYS_SOCKETPAIR, foreign, when(0, whole, []uint32{unix.AF_UNIX}, when(1, 0xf, []uint32{unix.SOCK_STREAM}, pass)...))
	families := code{}
	if c.has(stepSpaces) || c.Network { // without a network namespace, IP sockets are the network
		families = when(0, whole, []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}, pass)
	}
	block(unix.SYS_SOCKET, foreign, families)
	// Filters of packets, and packets that a timer sends, run on the time of others.
	later := deferred
	if !c.Network { // nobody but the engine itself is to be kept alive
		later = append(slices.Clone(deferred), unix.SO_KEEPALIVE)
	}
	block(unix.SYS_SETSOCKOPT, pass, when(1, whole, []uint32{unix.SOL_SOCKET}, when(2, whole, later, deny)...))
	return append(program, pass)
}

// seccomp puts the filter on the calling thread.
func (c *confines) seccomp() error {
	raw, err := bpf.Assemble(c.calls())
	if err != nil {
		return err
	}
	filters := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filters[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	program := unix.SockFprog{Len: uint16(len(filters)), Filter: &filters[0]}
	return succeeds(unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))))
}
