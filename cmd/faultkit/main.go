// Command faultkit is an engine with a god that the built-in engine does not know:
// newgod as it should be, newgod-climb with a bug of its rules.
package main

import (
	"fmt"
	"os"
	"strings"

	"thera/cmd/faultkit/hopper"
)

func main() {
	faults := map[string]string{"newgod": hopper.FaultNone, "newgod-climb": hopper.FaultClimb}
	fault, known := faults[strings.Join(os.Args[1:], " ")]
	err := fmt.Errorf("name newgod or newgod-climb")
	if known {
		err = hopper.Serve(fault, os.Stdin, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "faultkit: %v\n", err)
		os.Exit(1)
	}
}
