//go:build unix

package files

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"thera/engine/gametest"
)

// An engine that may write where its files are does not hold up the arena with a pipe
// that nobody fills, nor with a device that has no end.
func TestHole11SumEnds(t *testing.T) {
	pipe, endless := filepath.Join(t.TempDir(), "net"), filepath.Join(t.TempDir(), "net")
	gametest.OK(t, syscall.Mkfifo(pipe, 0o644))
	gametest.OK(t, os.Symlink("/dev/zero", endless))
	for _, path := range []string{pipe, endless} {
		if sum, err := Sum(path); err == nil {
			t.Errorf("%s: %s", path, sum)
		}
	}
}

// An engine can make its files as long as it likes, and link to those of the kernel, which do not
// end.
func TestHoleEndlessFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net")
	gametest.OK(t, os.WriteFile(path, []byte("weights"), 0o600))
	sum, err := Sum(path)
	gametest.OK(t, err)
	if err := Unchanged("a", []File{{Name: "net", Sum: sum, Path: path}}); err != nil {
		t.Error(err)
	}
	gametest.OK(t, os.Truncate(path, 1<<43))
	if err := Unchanged("a", []File{{Name: "net", Sum: sum, Path: path}}); err == nil || !strings.Contains(err.Error(), "is of another size") {
		t.Error(err)
	}
	if _, err := Sum(path); err == nil || !strings.Contains(err.Error(), "it has 8192 GiB") {
		t.Error(err)
	}
	if runtime.GOOS == "linux" {
		const nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
		if sum, err := Sum("/proc/self/status"); sum != nothing {
			t.Errorf("%s, %v", sum, err)
		}
	}
}
