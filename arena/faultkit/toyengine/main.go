//go:build unix

// Command toyengine is the toy engine with the fault that the environment
// names. It is small and starts fast, and the build flags of the test do not
// apply to it.
package main

import (
	"fmt"
	"os"

	"thera/arena/faultkit"
)

func main() {
	code, ours := faultkit.Main(faultkit.ForToy())
	if !ours {
		fmt.Fprintf(os.Stderr, "toyengine: %s names no fault\n", faultkit.Env)
		code = 2
	}
	os.Exit(code)
}
