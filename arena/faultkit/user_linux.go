package faultkit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody is an ordinary user.
const nobody = 65534

// AsNobody runs tests of this program once more as an ordinary user, in a folder
// of its own, and returns what they print. Root must call it.
func AsNobody(t *testing.T, tests string) string {
	t.Helper()
	dir := t.TempDir()
	home, program := filepath.Join(dir, "home"), filepath.Join(dir, "program.test")
	err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(filepath.Dir(dir), 0o755), os.Mkdir(home, 0o755), os.Chown(home, nobody, nobody))
	// A process that starts now must not have inherited a file that writes the program.
	self := fmt.Sprintf("/proc/%d/exe", os.Getpid())
	if err = errors.Join(err, exec.Command("cp", "--", self, program).Run(), os.Chmod(program, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-test.run="+tests, "-test.v")
	cmd.Dir, cmd.Env = home, append(os.Environ(), "HOME="+home, "TMPDIR="+home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("as an ordinary user: %v: %s", err, out)
	}
	return string(out)
}
