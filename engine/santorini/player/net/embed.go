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

// The weights of this program. scripts/nets makes them.
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

// Embedded returns the network of this program for the gods of p, or nil if there is none.
// One network was trained on mortals alone, the other on match-ups of all gods.
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

// Seen reports whether the networks of this program were fitted to games of a god. Positions
// of other gods are evaluated by hand.
func Seen(god rules.God) bool { return slices.Contains(seen(), god.String()) }

// seen reads only the record of the weights, which is fast.
var seen = sync.OnceValue(func() []string {
	var r Record
	line, _, _ := bytes.Cut(godsFile, []byte("\n"))
	if err := json.Unmarshal(line, &r); err != nil {
		return nil
	}
	return r.Gods
})
