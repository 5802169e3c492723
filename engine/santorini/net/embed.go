package net

import (
	_ "embed"
	"fmt"
	"sync"
)

// weightsFile is made by scripts/net; docs/net.md has the commands.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the network of this program. It is decoded when it is first used.
var Embedded = sync.OnceValue(func() *Net {
	n, _, err := Decode(weightsFile)
	if err != nil { // a test reads the file: the program was built from a damaged one
		panic(fmt.Sprintf("net: embedded weights: %v", err))
	}
	return n
})
