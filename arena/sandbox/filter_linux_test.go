//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"os"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"thera/arena/cgroup"
)

// The filter's verdicts, call by call. The virtual machine reads big-endian
// words, as of a packet.
func TestFilter(t *testing.T) {
	run := func(families []uint32, arch, number uint32, args ...uint32) uint32 {
		t.Helper()
		program := filter(families)
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
	inet := []uint32{unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK}
	const allow = unix.SECCOMP_RET_ALLOW & 0xffffffff
	for name, tt := range map[string]struct {
		got, want uint32
	}{
		"read":             {run(inet, auditArch, unix.SYS_READ), allow},
		"a thread":         {run(inet, auditArch, unix.SYS_CLONE, unix.CLONE_VM|unix.CLONE_THREAD|unix.CLONE_SIGHAND), allow},
		"a user namespace": {run(inet, auditArch, unix.SYS_CLONE, unix.CLONE_NEWUSER), verdictRefuse.Val},
		"a net namespace":  {run(inet, auditArch, unix.SYS_UNSHARE, unix.CLONE_NEWNET), verdictRefuse.Val},
		"own files":        {run(inet, auditArch, unix.SYS_UNSHARE, unix.CLONE_FILES), allow},
		"clone3":           {run(inet, auditArch, unix.SYS_CLONE3), verdictUnknown.Val},
		"ptrace":           {run(inet, auditArch, unix.SYS_PTRACE), verdictRefuse.Val},
		"bpf":              {run(inet, auditArch, unix.SYS_BPF), verdictRefuse.Val},
		"inet":             {run(inet, auditArch, unix.SYS_SOCKET, unix.AF_INET), allow},
		"no inet":          {run(nil, auditArch, unix.SYS_SOCKET, unix.AF_INET), verdictFamily.Val},
		"unix":             {run(inet, auditArch, unix.SYS_SOCKET, unix.AF_UNIX), verdictFamily.Val},
		"vsock":            {run(inet, auditArch, unix.SYS_SOCKET, unix.AF_VSOCK), verdictFamily.Val},
		"a pair":           {run(nil, auditArch, unix.SYS_SOCKETPAIR, unix.AF_UNIX), allow},
		"typing":           {run(inet, auditArch, unix.SYS_IOCTL, 0, unix.TIOCSTI), verdictRefuse.Val},
		"pasting":          {run(inet, auditArch, unix.SYS_IOCTL, 0, unix.TIOCLINUX), verdictRefuse.Val},
		"asking":           {run(inet, auditArch, unix.SYS_IOCTL, 0, unix.TCGETS), allow},
		"i386":             {run(inet, unix.AUDIT_ARCH_I386, 20), verdictKill.Val},
		"arm":              {run(inet, unix.AUDIT_ARCH_ARM, 20), verdictKill.Val},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %#x, want %#x", name, tt.got, tt.want)
		}
	}
	if x32Bit != 0 {
		if got := run(inet, auditArch, x32Bit|unix.SYS_READ); got != verdictKill.Val {
			t.Errorf("x32: %#x", got)
		}
	}
}

func TestCountParent(t *testing.T) {
	const v1 = "29 24 0:26 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
	const v2 = "30 24 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	passes := func(dir string) bool { return dir == "/sys/fs/cgroup/user.slice" }
	for _, tt := range []struct{ groups, mounts, want string }{
		{"4:pids:/a/b\n0::/x\n", v1 + v2, "/sys/fs/cgroup/pids/a/b"},
		{"0::/user.slice/session\n", v2, "/sys/fs/cgroup/user.slice"},
		{"0::/other\n", v2, ""},
		{"4:pids:/a\n", `29 24 0:26 / /mnt/a\040b rw - cgroup cgroup rw,pids` + "\n", "/mnt/a b/a"},
		{"4:memory:/\n", v1, ""},
		{"", "", ""},
	} {
		v2, v1 := cgroup.Find(tt.groups, tt.mounts, "pids")
		if got := countParent(v2, v1, "", passes); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.groups, got, tt.want)
		}
	}
}

func TestMissing(t *testing.T) {
	r := protections(abilities{}, map[string]string{stepFiles: "this kernel has none"}, map[string]string{holdsFiles: "any file can be read", holdsCalls: "ptrace: <nil>"})
	if got := r.Missing(); len(got) != 2 || got[0] != holdsFiles+" (Landlock: this kernel has none)" || got[1] != holdsCalls+" (ptrace: <nil>)" {
		t.Errorf("%q", got)
	}
}

// openWithout is Open on a machine that lacks some steps.
func openWithout(steps ...string) (*Host, error) {
	return open(func(can *abilities, missing map[string]string) {
		for _, step := range steps {
			can.without(step)
			missing[step] = "switched off by a test"
		}
	})
}

// OpenWithoutSpaces is for tests outside this package.
var OpenWithoutSpaces = func() (*Host, error) { return openWithout(stepSpaces) }

// Each part that a machine lacks is named, and nothing else; the parts that
// remain hold.
func TestOpenWithout(t *testing.T) {
	for step, want := range map[string][]string{
		stepSpaces: {holdsTmp, holdsCount}, // Landlock and seccomp do without namespaces what they can
		stepProc:   nil,
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
