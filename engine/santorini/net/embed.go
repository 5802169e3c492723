package net

import (
	_ "embed"

	"thera/engine/lanes"
)

// weightsFile is made by scripts/net; docs/net.md has the commands.
//
//go:embed weights.net
var weightsFile []byte

// Embedded is the network of this program.
var Embedded = lanes.Embedded(weightsFile, Decode)
