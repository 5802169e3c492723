package sandbox

import "golang.org/x/sys/unix"

// auditArch is the architecture of this program's system calls; calls of the
// x32 kind have the same one, and a bit in their number.
const (
	auditArch = unix.AUDIT_ARCH_X86_64
	x32Bit    = 0x40000000
)

// refusedHere are calls of this architecture alone.
var refusedHere = []uint32{unix.SYS_IOPL, unix.SYS_IOPERM, unix.SYS__SYSCTL, unix.SYS_NFSSERVCTL, unix.SYS_USELIB, unix.SYS_LOOKUP_DCOOKIE}
