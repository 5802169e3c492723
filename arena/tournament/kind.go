package tournament

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"thera/arena"
)

// kind declares one format: its settings in a match file and how it is played. A
// new format is one file with its kind, and one line in kinds.
type kind struct {
	name    string
	doc     string                // which games are played
	takes   []string              // the paths in a match file that this format takes and others may not
	rounds  func(engines int) int // the default of tournament.rounds; nil: 1
	alone   bool                  // one engine may play against itself
	singles bool                  // pairs: false is allowed
	check   func(plan *arena.Plan, bad report)
	begin   func(*Director) format
}

// kinds are all formats, in the order in which messages list them.
var kinds = []*kind{&roundRobinKind, &gauntletKind, &sprtKind, &swissKind, &knockoutKind, &cellsKind}

// report reports an error in a plan at a path of the match file, such as
// "tournament.rounds".
type report = func(path, format string, args ...any)

// Names returns the names of all formats.
func Names() []string { return arena.Map(kinds, func(k *kind) string { return k.name }) }

// Doc describes all formats.
func Doc() string {
	return strings.Join(arena.Map(kinds, func(k *kind) string { return k.name + ": " + k.doc }), "; ")
}

func kindOf(name string) *kind {
	for _, k := range kinds {
		if name == k.name {
			return k
		}
	}
	return nil
}

// Complete fills in the defaults of the plan's format and reports what the format
// does not allow. given reports whether the match file has a value at a path. It
// leaves a plan with an unknown format unchanged.
func Complete(plan *arena.Plan, given func(path string) bool, bad report) {
	k, f := kindOf(plan.Format.Name), &plan.Format
	if k == nil {
		return
	}
	k.refuse(plan, given, bad)
	if f.Rounds == 0 {
		f.Rounds = 1
		if k.rounds != nil {
			f.Rounds = k.rounds(len(plan.Engines))
		}
	}
	if slices.Contains(k.takes, "tournament.pairs_per_match") {
		f.PairsPerMatch = max(f.PairsPerMatch, 1)
	}
	switch n := len(plan.Engines); {
	case n == 0:
		return
	case n == 1 && !k.alone:
		bad("engines", "one engine, expected at least two (format cells plays one against itself)")
		return
	}
	if !f.Pairs && !k.singles {
		bad("tournament.pairs", "%s counts pairs of games from one opening, expected pairs: true", k.name)
	}
	if k.check != nil {
		k.check(plan, bad)
	}
}

// refuse reports the settings that this format does not take.
func (k *kind) refuse(plan *arena.Plan, given func(path string) bool, bad report) {
	takers := map[string][]string{}
	for _, other := range kinds {
		for _, setting := range other.takes {
			takers[setting] = append(takers[setting], other.name)
		}
	}
	refuse := func(path, setting string) {
		if !slices.Contains(k.takes, setting) {
			bad(path, "not a setting of format %s (it is for format %s)", k.name, strings.Join(takers[setting], ", "))
		}
	}
	for _, setting := range slices.Sorted(maps.Keys(takers)) {
		if given(setting) {
			refuse(setting, setting)
		}
	}
	for i, e := range plan.Engines {
		if e.Seed && !slices.Contains(plan.Format.Seeds, e.Name) {
			refuse(fmt.Sprintf("engines[%d].seed", i), "tournament.seeds")
		}
	}
}
