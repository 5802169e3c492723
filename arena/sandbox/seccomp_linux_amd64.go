package sandbox

import "golang.org/x/sys/unix"

// auditArch is the architecture of this program's system calls; calls of the
// x32 kind have the same one, and a bit in their number.
const (
	auditArch = unix.AUDIT_ARCH_X86_64
	x32Bit    = 0x40000000
)

// refusedHere are calls of this architecture alone.
var refusedHere = []uint32{
	unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS__SYSCTL, unix.SYS_NFSSERVCTL, unix.SYS_USELIB, unix.SYS_LOOKUP_DCOOKIE,
}

var (
	unknownHere  = []uint32{unix.SYS_INOTIFY_INIT}
	metadataHere = []uint32{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
	modesHere    = []place{{unix.SYS_CHMOD, 1}, {unix.SYS_MKNOD, 1}, {unix.SYS_CREAT, 1}}
	opensHere    = []place{{unix.SYS_OPEN, 1}}
)
