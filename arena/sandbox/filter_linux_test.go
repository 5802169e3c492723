//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"os"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// The filter's verdicts on what the attacks do not try, and on what programs need. The virtual machine reads big-endian
// words, as of a packet.
func TestFilter(t *testing.T) {
	run := func(c *confines, arch, number uint32, args ...uint32) uint32 {
		t.Helper()
		program := c.calls()
		if _, err := bpf.Assemble(program); err != nil {
			t.Fatal(err)
		}
		vm, err := bpf.NewVM(program)
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, 64)
		binary.BigEndian.PutUint32(data[dataNumber:], number)
		binary.BigEndian.PutUint32(data[dataArch:], arch)
		for i, a := range args {
			binary.BigEndian.PutUint32(data[dataArgs+8*i:], a)
		}
		verdict, err := vm.Run(data)
		if err != nil {
			t.Fatal(err)
		}
		return uint32(verdict)
	}
	can := abilities{Spaces: true, Frozen: true}
	measured := &confines{abilities: can, Measured: true}
	here, none, network := &confines{abilities: can}, &confines{}, &confines{abilities: can, Policy: Policy{Network: true}}
	const allow = unix.SECCOMP_RET_ALLOW & 0xffffffff
	for name, tt := range map[string]struct {
		got, want uint32
	}{
		"read":              {run(here, auditArch, unix.SYS_READ), allow},
		"a thread":          {run(here, auditArch, unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_THREAD|unix.CLONE_SIGHAND|unix.CLONE_FILES), allow},
		"a process":         {run(here, auditArch, unix.SYS_CLONE, uint32(unix.SIGCHLD)), allow},
		"close all":         {run(here, auditArch, unix.SYS_CLOSE_RANGE, 3, 9, 0), allow},
		"a memfd, measured": {run(measured, auditArch, unix.SYS_MEMFD_CREATE), verdictUnknown.Val},
		"shared memory":     {run(here, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_SHARED|unix.MAP_ANONYMOUS), allow},
		"..., measured":     {run(measured, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_SHARED_VALIDATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE), verdictRefuse.Val},
		"memory":            {run(measured, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS), allow},
		"a shared file":     {run(measured, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_SHARED), allow},
		"a memfd, network":  {run(network, auditArch, unix.SYS_MEMFD_CREATE), verdictUnknown.Val},
		"network":           {run(network, auditArch, unix.SYS_SENDMSG), allow},
		"another's memory":  {run(here, auditArch, unix.SYS_PROCESS_VM_READV), verdictRefuse.Val},
		"..., written":      {run(here, auditArch, unix.SYS_PROCESS_VM_WRITEV), verdictRefuse.Val},
		"another's file":    {run(here, auditArch, unix.SYS_PIDFD_GETFD), verdictRefuse.Val},
		"a trace":           {run(here, auditArch, unix.SYS_PTRACE), verdictRefuse.Val},
		"a packet filter":   {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER), verdictRefuse.Val},
		"a pace":            {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_MAX_PACING_RATE), verdictRefuse.Val},
		"a buffer":          {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_RCVBUF), allow},
		"no delay":          {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.IPPROTO_TCP, unix.SO_ATTACH_FILTER), allow},
		"a net namespace":   {run(here, auditArch, unix.SYS_UNSHARE, unix.CLONE_NEWNET), verdictRefuse.Val},
		"inet":              {run(here, auditArch, unix.SYS_SOCKET, unix.AF_INET), allow},
		"vsock":             {run(here, auditArch, unix.SYS_SOCKET, unix.AF_VSOCK), verdictFamily.Val},
		"a pair":            {run(none, auditArch, unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC), allow},
		"raw pair":          {run(here, auditArch, unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_RAW), verdictFamily.Val},
		"a TIPC pair":       {run(here, auditArch, unix.SYS_SOCKETPAIR, unix.AF_TIPC, unix.SOCK_STREAM), verdictFamily.Val},
		"mode":              {run(here, auditArch, unix.SYS_FCHMODAT, 0, 0, 0o755), allow},
		"open":              {run(here, auditArch, unix.SYS_OPENAT, 0, 0, unix.O_DIRECTORY, 0o4755), allow},
		"create":            {run(here, auditArch, unix.SYS_OPENAT, 0, 0, unix.O_CREAT|unix.O_RDWR|unix.O_TRUNC, 0o666), allow},
		"a lock":            {run(here, auditArch, unix.SYS_FCNTL, 3, unix.F_SETLK), allow},
		"a later call":      {run(here, auditArch, lastCall+1), verdictUnknown.Val},
		"typing":            {run(here, auditArch, unix.SYS_IOCTL, 0, unix.TIOCSTI), verdictRefuse.Val},
		"pasting":           {run(here, auditArch, unix.SYS_IOCTL, 0, unix.TIOCLINUX), verdictRefuse.Val},
		"asking":            {run(here, auditArch, unix.SYS_IOCTL, 0, unix.TCGETS), allow},
		"i386":              {run(here, unix.AUDIT_ARCH_I386, 20), verdictKill.Val},
		"arm":               {run(here, unix.AUDIT_ARCH_ARM, 20), verdictKill.Val},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %#x, want %#x", name, tt.got, tt.want)
		}
	}
	if x32Bit != 0 {
		if got := run(here, auditArch, x32Bit|unix.SYS_READ); got != verdictKill.Val {
			t.Errorf("x32: %#x", got)
		}
	}
}

// Each part that a machine lacks is named, and nothing else; the parts that
// remain hold.
func TestOpenWithout(t *testing.T) {
	for step, want := range map[string][]string{
		stepSpaces: {holdsTmp, holdsCount}, // Landlock and seccomp do without namespaces what they can
		stepProc:   nil,
		stepMounts: nil, // the filter refuses what they would
		stepTmp:    {holdsTmp},
		stepCalls:  {holdsCalls},
		stepLimits: {holdsCount},
		stepFiles:  {holdsFiles},
	} {
		h, err := openWithout(step)
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if step == stepSpaces && os.Geteuid() == 0 {
			want = want[:1] // root has a group
		}
		var names []string
		for _, p := range h.Report().Protections {
			if p.Miss != "" {
				names = append(names, p.Name)
			}
		}
		if len(names) != len(want) || len(want) > 0 && names[0] != want[0] {
			t.Errorf("without %s: %v", step, h.Report())
		}
	}
}
