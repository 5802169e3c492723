package gametest

import (
	"flag"
	"os"
	"strconv"
	"testing"
)

// Long reports whether tests run in their long form, with THERA_LONG=1 in the
// environment. A test with a long form has a short one, and the word Long in
// its name.
func Long(t testing.TB) bool { return variable(t, "THERA_LONG") }

// Sequential skips a test under the race detector, which takes ten times as
// long and finds nothing where one goroutine works at a time.
func Sequential(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine at a time: not for the race detector")
	}
}

// Parallel lets n parallel tests of a package run at once, unless the command line
// sets a number. TestMain calls it where tests mostly wait for other processes: by
// default only as many run as there are cores.
func Parallel(n int) {
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil { // before the command line is read
		panic(err)
	}
}

// OK ends a test that needs what has failed.
func OK(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Update reports whether tests write their golden files instead of comparing
// with them, with THERA_UPDATE=1 in the environment.
func Update(t testing.TB) bool { return variable(t, "THERA_UPDATE") }

func variable(t testing.TB, name string) bool {
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
