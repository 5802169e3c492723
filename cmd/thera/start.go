//go:build !man

package main

import (
	"os"

	"thera/arena/sandbox"
)

func main() {
	sandbox.Main()
	os.Exit(mainExit(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
