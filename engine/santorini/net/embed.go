package net

import (
	_ "embed"

	"thera/engine/santorini/rules"
	"thera/engine/train"
)

// The weights of this program; docs/net.md has the commands that make them.
var (
	//go:embed mortals.net
	mortalsFile []byte
	//go:embed gods.net
	godsFile []byte
)

var (
	embeddedMortals = train.Embedded(mortalsFile, Decode)
	embeddedGods    = train.Embedded(godsFile, Decode)
)

// Embedded is the network of this program for the gods of p: one was trained on mortals
// alone, the other on match-ups of all gods. It is nil if none knows them.
func Embedded(p *rules.State) *Net {
	n := embeddedGods
	if p.Gods[0]|p.Gods[1] == rules.Mortal {
		n = embeddedMortals
	}
	if !n().Knows(p) {
		return nil
	}
	return n()
}
