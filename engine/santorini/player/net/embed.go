package net

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

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

// Seen reports whether games of a god were among those that the network of this program was
// fitted to. Positions of other gods are evaluated by hand.
func Seen(god rules.God) bool { return slices.Contains(seen(), god.String()) }

// seen reads the record of the weights alone, which takes no time.
var seen = sync.OnceValue(func() []string {
	var r Record
	line, _, _ := bytes.Cut(godsFile, []byte("\n"))
	if err := json.Unmarshal(line, &r); err != nil {
		return nil
	}
	return r.Gods
})
