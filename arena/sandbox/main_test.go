//go:build linux

package sandbox_test

import (
	"os"
	"testing"

	"thera/arena/sandbox"
)

// TestMain lets this test binary be an init, and a hostile engine.
func TestMain(m *testing.M) {
	sandbox.Main()
	if len(os.Args) > 2 && os.Args[1] == "hostile" {
		hostile(os.Args[2], os.Args[3:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}
