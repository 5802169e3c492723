// Package tournament makes every decision about a run: which pairs of games it has and in which
// order, which games count, which engines leave, the state of a sequential test, when the run is
// over, and why.
//
// It counts games in job order. The result depends on the plan and the set of games, but not on the
// order in which they arrive. So a resumed run ends like an uninterrupted one, and a summary of a
// stored run gives the same result. The package plays, stores and prints nothing, and knows no game.
package tournament

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"thera/arena"
)

// Pair is the unit of every format: one opening, played once from each seat, or only once if Single is
// set.
type Pair struct {
	A, B   int // engines by place in the plan, A <= B; equal if one plays itself
	Round  int // from 1
	Number int // within the pairing, from 0; determines the opening
	Single int // 0 for both legs, otherwise only leg Single-1

	nth int // number of earlier pairs of its pairing or cell
}

var legs = [2]int{0, 1}

// Legs returns the legs of the pair. Do not change the slice.
func (p *Pair) Legs() []int {
	if p.Single > 0 {
		return legs[p.Single-1 : p.Single]
	}
	return legs[:]
}

// key identifies a pair of the plan: two engines by place, a <= b, and the
// number of the pair within their pairing.
type key struct{ a, b, number int }

func (p *Pair) key() key { return key{p.A, p.B, p.Number} }

// passed says whether a pair was skipped, and why.
type passed int

const (
	played     passed = iota
	passedLeft        // one of its engines left the run
	passedUsed        // it could only repeat earlier games
	passedMet         // the format needs no more pairs like it
)

// Readiness says whether a Director or a format has a next pair.
type Readiness int

// The values of Readiness.
const (
	Ready Readiness = iota // there is a next pair
	Wait                   // only after further games are added
	Over                   // there are no more pairs
)

// format decides the pairs of one kind of tournament. It may also be a skipper, a rounder or a ranker.
type format interface {
	// next returns the pair at place. It is called for all earlier places first. It does not
	// return Wait if add was called for all of them.
	next(place int) (Pair, Readiness)
	// add adds the next pair of the prefix. A stop ends the run.
	add(s *series) *arena.Stop
	// has reports whether the plan can have a game, as far as is known.
	has(k key, leg int) bool
	// total returns the number of games, as far as is known.
	total() int
	// end returns why the run is over after next returned Over.
	end() *arena.Stop
}

// skipper is a format that skips pairs that it no longer needs.
type skipper interface{ skips(p *Pair) bool }

// rounder is a format that knows whether a pair belongs to the current round.
type rounder interface{ playing(k key) bool }

// ranker is a format with a special order of the engines.
type ranker interface {
	standings(f *figures) []arena.Standing
}

// ending returns the stop of a run that has reached its end.
func ending(kind arena.StopKind, text string, args ...any) *arena.Stop {
	return &arena.Stop{Kind: kind, Text: fmt.Sprintf(text, args...)}
}

func games(n int) string { return arena.Plural(n, "game") }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byKey has values by key. It makes a value when it is first asked for.
type byKey[K comparable, V any] map[K]*V

func (m byKey[K, V]) of(k K) *V {
	if m[k] == nil {
		m[k] = new(V)
	}
	return m[k]
}

func (m byKey[K, V]) clone() byKey[K, V] {
	out := byKey[K, V]{}
	for k, v := range m {
		*out.of(k) = *v
	}
	return out
}

// kind declares one format: its settings in a match file and how it is played. A new format is a file
// with its kind, and a line in kinds.
type kind struct {
	name    string
	doc     string                // which games are played
	takes   []string              // paths in a match file that not all formats take
	rounds  func(engines int) int // the default of tournament.rounds; nil means 1
	alone   bool                  // one engine may play against itself
	singles bool                  // "pairs: false" is allowed
	check   func(plan *arena.Plan, bad report)
	begin   func(*Director) format
}

// kinds are all formats, in the order in which messages list them.
var kinds = []*kind{&roundRobinKind, &gauntletKind, &sprtKind, &swissKind, &knockoutKind, &cellsKind}

// report reports an error in a plan at a path of the match file, such as "tournament.rounds".
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

// Complete fills in the defaults of the plan's format and reports what the format does not allow.
// given reports whether the match file has a value at a path. Complete does not change a plan with an
// unknown format.
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
