//go:build unix

package match

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"thera/arena/faultkit"
	"thera/engine/gametest"
)

// TestMain lets this test binary be the engines that its tests play with.
func TestMain(m *testing.M) {
	if code, ours := faultkit.Main(); ours {
		os.Exit(code)
	}
	gametest.Parallel(8)
	goleak.VerifyTestMain(gametest.PlainEngines(m, faultkit.ProgramVar))
}
