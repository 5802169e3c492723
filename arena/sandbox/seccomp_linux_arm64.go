package sandbox

import "golang.org/x/sys/unix"

// auditArch is the architecture of this program's system calls.
const (
	auditArch = unix.AUDIT_ARCH_AARCH64
	x32Bit    = 0
)

// refusedHere are calls of this architecture alone.
var refusedHere = []uint32{unix.SYS_NFSSERVCTL, unix.SYS_LOOKUP_DCOOKIE}

var (
	unknownHere, metadataHere []uint32
	modesHere, opensHere      []place
)
