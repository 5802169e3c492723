//go:build unix

package main

import (
	"fmt"
	"io"
	"os"

	"thera/cmd/faultkit/hopper"
)

// newGods are engines with a god that the built-in engine does not know, by their
// fault.
var newGods = map[string]string{
	"newgod": hopper.FaultNone, "newgod-climb": hopper.FaultClimb,
}

func isNewGod(kind string) bool {
	_, ok := newGods[kind]
	return ok
}

// serveNewGod runs the engine on stdin and returns the exit status.
func serveNewGod(kind string, out, errOut io.Writer) int {
	if err := hopper.Serve(newGods[kind], os.Stdin, out, errOut); err != nil {
		fmt.Fprintf(errOut, "faultkit: %v\n", err)
		return 1
	}
	return 0
}
