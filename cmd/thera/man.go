//go:build man

package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"
)

// main writes the man pages to a folder. It is another program (scripts/release), because what
// formats them has no place in thera.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "want a folder")
		os.Exit(exitBadInput)
	}
	root := newRoot(nil)
	root.DisableAutoGenTag = true
	if err := doc.GenManTree(root, &doc.GenManHeader{Source: "thera " + release, Manual: "Thera"}, os.Args[1]); err != nil {
		complain(os.Stderr, err)
		os.Exit(exitFindings)
	}
}
