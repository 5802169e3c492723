//go:build unix

// Command nimengine is the engine of package nim with the fault that the environment
// names. It is small and starts fast, and the build flags of the test do not
// apply to it.
package main

import (
	"fmt"
	"os"

	"thera/arena/faultkit"
)

func main() {
	code, ours := faultkit.Main(faultkit.ForNim())
	if !ours {
		fmt.Fprintf(os.Stderr, "nimengine: %s names no fault\n", faultkit.Env)
		code = 2
	}
	os.Exit(code)
}
