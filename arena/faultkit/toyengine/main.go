//go:build unix

// Command toyengine is the toy's engine with the fault that the environment
// names: small, quick to start, and built without what its test was built with.
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
