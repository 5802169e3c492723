package gametest

import (
	"os"
	"testing"
)

// Long reports whether tests run in their long form, with THERA_LONG=1 in the
// environment. A test with a long form has a short one, and the word Long in
// its name.
func Long(t testing.TB) bool { return flag(t, "THERA_LONG") }

// Sequential skips a test under the race detector, which takes ten times as
// long and finds nothing where one goroutine works at a time.
func Sequential(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine at a time: not for the race detector")
	}
}

// Update reports whether tests write their golden files instead of comparing
// with them, with THERA_UPDATE=1 in the environment.
func Update(t testing.TB) bool { return flag(t, "THERA_UPDATE") }

func flag(t testing.TB, name string) bool {
	t.Helper()
	switch value := os.Getenv(name); value {
	case "", "0":
		return false
	case "1":
		return true
	default:
		t.Fatalf("%s is %q, want 1 or nothing", name, value)
		return false
	}
}
