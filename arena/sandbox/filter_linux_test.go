//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"thera/engine/gametest"
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
		gametest.OK(t, err)
		data := make([]byte, 64)
		binary.BigEndian.PutUint32(data[dataNumber:], number)
		binary.BigEndian.PutUint32(data[dataArch:], arch)
		for i, a := range args {
			binary.BigEndian.PutUint32(data[dataArgs+8*i:], a)
		}
		verdict, err := vm.Run(data)
		gametest.OK(t, err)
		return uint32(verdict)
	}
	measured, network := &confines{Measured: true}, &confines{Policy: Policy{Network: true}}
	here, none := &confines{}, &confines{Lacks: lacks{stepSpaces: "x"}}
	for name, tt := range map[string]struct {
		got, want uint32
	}{
		"read":              {run(here, auditArch, unix.SYS_READ), pass.Val},
		"a thread":          {run(here, auditArch, unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_THREAD|unix.CLONE_SIGHAND|unix.CLONE_FILES), pass.Val},
		"a process":         {run(here, auditArch, unix.SYS_CLONE, uint32(unix.SIGCHLD)), pass.Val},
		"close all":         {run(here, auditArch, unix.SYS_CLOSE_RANGE, 3, 9, 0), pass.Val},
		"a memfd, measured": {run(measured, auditArch, unix.SYS_MEMFD_CREATE), absent.Val},
		"shared memory":     {run(here, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_SHARED|unix.MAP_ANONYMOUS), pass.Val},
		"..., measured":     {run(measured, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_SHARED_VALIDATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE), deny.Val},
		"memory":            {run(measured, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS), pass.Val},
		"a shared file":     {run(measured, auditArch, unix.SYS_MMAP, 0, 0, 0, unix.MAP_SHARED), pass.Val},
		"a memfd, network":  {run(network, auditArch, unix.SYS_MEMFD_CREATE), absent.Val},
		"network":           {run(network, auditArch, unix.SYS_SENDMSG), pass.Val},
		"another's memory":  {run(here, auditArch, unix.SYS_PROCESS_VM_READV), deny.Val},
		"..., written":      {run(here, auditArch, unix.SYS_PROCESS_VM_WRITEV), deny.Val},
		"another's file":    {run(here, auditArch, unix.SYS_PIDFD_GETFD), deny.Val},
		"a trace":           {run(here, auditArch, unix.SYS_PTRACE), deny.Val},
		"a packet filter":   {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER), deny.Val},
		"a core's limit":    {run(here, auditArch, unix.SYS_SETRLIMIT, unix.RLIMIT_CORE), deny.Val},
		"..., by process":   {run(here, auditArch, unix.SYS_PRLIMIT64, 0, unix.RLIMIT_CORE, 1), deny.Val},
		"..., read":         {run(here, auditArch, unix.SYS_PRLIMIT64, 0, unix.RLIMIT_CORE, 0, 1), pass.Val},
		"another limit":     {run(here, auditArch, unix.SYS_PRLIMIT64, 0, unix.RLIMIT_NOFILE, 1), pass.Val},
		"..., another's":    {run(here, auditArch, unix.SYS_PRLIMIT64, 7, unix.RLIMIT_NOFILE, 1), deny.Val},
		"a pace":            {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_MAX_PACING_RATE), deny.Val},
		"a packet a second": {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_KEEPALIVE), deny.Val},
		"..., network":      {run(network, auditArch, unix.SYS_SETSOCKOPT, 3, unix.SOL_SOCKET, unix.SO_KEEPALIVE), pass.Val},
		"a core of its own": {run(here, auditArch, unix.SYS_PRCTL, unix.PR_SCHED_CORE, 1), deny.Val},
		"a name":            {run(here, auditArch, unix.SYS_PRCTL, unix.PR_SET_NAME, 1), pass.Val},
		"no delay":          {run(here, auditArch, unix.SYS_SETSOCKOPT, 3, unix.IPPROTO_TCP, unix.SO_ATTACH_FILTER), pass.Val},
		"a net namespace":   {run(here, auditArch, unix.SYS_UNSHARE, unix.CLONE_NEWNET), deny.Val},
		"inet":              {run(here, auditArch, unix.SYS_SOCKET, unix.AF_INET), pass.Val},
		"vsock":             {run(here, auditArch, unix.SYS_SOCKET, unix.AF_VSOCK), foreign.Val},
		"a pair":            {run(none, auditArch, unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC), pass.Val},
		"raw pair":          {run(here, auditArch, unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_RAW), foreign.Val},
		"a TIPC pair":       {run(here, auditArch, unix.SYS_SOCKETPAIR, unix.AF_TIPC, unix.SOCK_STREAM), foreign.Val},
		"mode":              {run(here, auditArch, unix.SYS_FCHMODAT, 0, 0, 0o755), pass.Val},
		"open":              {run(here, auditArch, unix.SYS_OPENAT, 0, 0, unix.O_DIRECTORY, 0o4755), pass.Val},
		"create":            {run(here, auditArch, unix.SYS_OPENAT, 0, 0, unix.O_CREAT|unix.O_RDWR|unix.O_TRUNC, 0o666), pass.Val},
		"..., empty":        {run(here, auditArch, unix.SYS_OPENAT, 0, 0, unix.O_RDONLY|unix.O_TRUNC), deny.Val},
		"a lock":            {run(here, auditArch, unix.SYS_FCNTL, 3, unix.F_SETLK), pass.Val},
		"a new process":     {run(here, auditArch, unix.SYS_CLONE3), absent.Val},
		"requests":          {run(here, auditArch, unix.SYS_IO_URING_SETUP), absent.Val},
		"a later call":      {run(here, auditArch, lastCall+1), absent.Val},
		"typing":            {run(here, auditArch, unix.SYS_IOCTL, 0, unix.TIOCSTI), deny.Val},
		"pasting":           {run(here, auditArch, unix.SYS_IOCTL, 0, unix.TIOCLINUX), deny.Val},
		"i386":              {run(here, unix.AUDIT_ARCH_I386, 20), die.Val},
		"arm":               {run(here, unix.AUDIT_ARCH_ARM, 20), die.Val},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %#x, want %#x", name, tt.got, tt.want)
		}
	}
	if x32Bit != 0 {
		if got := run(here, auditArch, x32Bit|unix.SYS_READ); got != die.Val {
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
		missing := h.Report().Missing()
		if len(missing) != len(want) || len(want) > 0 && !strings.HasPrefix(missing[0], want[0]+" (") {
			t.Errorf("without %s: %v", step, h.Report())
		}
	}
	if os.Geteuid() == 0 && os.Getpid() != 1 { // once more as the first process of a container
		cmd := exec.Command("sh", "-c", `mount -t proc proc /proc && exec "$0" -test.run='^TestOpenWithout$'`, os.Args[0])
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWPID, Unshareflags: unix.CLONE_NEWNS}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("as process 1: %v: %s", err, out)
		}
	}
}
