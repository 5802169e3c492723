package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestSeedsKeepTheirMazesUnder386 runs TestSeedsKeepTheirMazes, and the rules'
// vectors with it, as a program of 32 bits: byte for byte the same mazes.
func TestSeedsKeepTheirMazesUnder386(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skipf("%s/%s does not run programs of linux/386; the mazes of testdata/mazes.txt bind all the same", runtime.GOOS, runtime.GOARCH)
	}
	binary := filepath.Join(t.TempDir(), "rules386.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building for 386: %v\n%s", err, out)
	}
	run := exec.CommandContext(t.Context(), binary, "-test.v", "-test.run=^(TestSeedsKeepTheirMazes|TestVectors)$")
	run.Env = append(os.Environ(), "THERA_UPDATE=")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("under 386: %v\n%s", err, out)
	}
	for _, name := range []string{"TestSeedsKeepTheirMazes", "TestVectors"} {
		if !strings.Contains(string(out), "--- PASS: "+name) {
			t.Errorf("%s did not run:\n%s", name, out)
		}
	}
}
