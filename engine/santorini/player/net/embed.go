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
	//go:embed twelve.net
	twelveFile []byte
	//go:embed gods.net
	godsFile []byte
)

// embedded is a family of this program.
type embedded struct {
	gods   func() []string // it was trained on
	family func() *Family
}

var mortals, twelve, all = embed(mortalsFile), embed(twelveFile), embed(godsFile)

func embed(file []byte) embedded {
	return embedded{
		gods: sync.OnceValue(func() []string { // reads only the record, which is fast
			var r Record
			line, _, _ := bytes.Cut(file, []byte("\n"))
			if err := json.Unmarshal(line, &r); err != nil {
				return nil
			}
			return r.Gods
		}),
		family: train.Embedded(file, Decode),
	}
}

// knows reports whether the family was trained on a god.
func (e embedded) knows(god rules.God) bool { return slices.Contains(e.gods(), god.String()) }

// Embedded returns the networks of this program for two gods, or nil if there are none. Some
// were trained on mortals alone, some on match-ups of the twelve gods that engines play most,
// some on match-ups of all gods.
func Embedded(gods rules.Matchup) *Family {
	for _, e := range []embedded{mortals, twelve, all} {
		if e.knows(gods[0]) && e.knows(gods[1]) {
			return e.family()
		}
	}
	return nil
}

// Judge returns the networks that judge openings of two gods, or nil if there are none. They are
// those of all gods, even where there are better ones: openings change with them.
func Judge(gods rules.Matchup) *Family {
	if gods[0]|gods[1] == rules.Mortal || !Seen(gods[0]) || !Seen(gods[1]) {
		return nil
	}
	return all.family()
}

// Seen reports whether the networks of this program were fitted to games of a god. Positions
// of other gods are evaluated by hand.
func Seen(god rules.God) bool { return all.knows(god) }
