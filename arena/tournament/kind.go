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
	name  string
	alias string // a second name, "" for none
	doc   string // which games are played
	// settings are the paths in a match file that this format takes and others
	// may not, with a text for the schema if they are in the section tournament.
	settings map[string]string
	rounds   func(engines int) int // the default of tournament.rounds; nil: 1
	extra    int                   // the default of tournament.extra
	alone    bool                  // one engine may play against itself
	singles  bool                  // pairs: false is allowed
	check    func(plan *arena.Plan, bad report)
	begin    func(*Fold) format
}

// kinds are all formats, in the order in which messages list them.
var kinds = []*kind{&roundRobinKind, &gauntletKind, &sprtKind, &swissKind, &knockoutKind, &cellsKind}

// report reports an error in a plan at a path of the match file, such as
// "tournament.rounds".
type report = func(path, format string, args ...any)

// Names returns the names of all formats, then their aliases.
func Names() []string {
	var names, aliases []string
	for _, k := range kinds {
		names = append(names, k.name)
		if k.alias != "" {
			aliases = append(aliases, k.alias)
		}
	}
	return append(names, aliases...)
}

// Doc describes a key of the section tournament whose meaning depends on the
// format. It is "" for other keys.
func Doc(key string) string {
	var texts []string
	users := map[string][]string{}
	for _, k := range kinds {
		text, used := k.settings["tournament."+key]
		if key == "format" {
			text, used = k.doc, true
		}
		if !used {
			continue
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		name := k.name
		if key == "format" && k.alias != "" {
			name += " (alias " + k.alias + ")"
		}
		users[text] = append(users[text], name)
	}
	for i, text := range texts {
		texts[i] = list(users[text], "and") + ": " + text
	}
	return strings.Join(texts, "; ")
}

func kindOf(name string) *kind {
	for _, k := range kinds {
		if name == k.name || name == k.alias && name != "" {
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
	f.Name = k.name
	k.refuse(plan, given, bad)
	if f.Rounds == 0 {
		f.Rounds = 1
		if k.rounds != nil {
			f.Rounds = k.rounds(len(plan.Engines))
		}
	}
	if k.takes("tournament.pairs_per_match") {
		f.PairsPerMatch = max(f.PairsPerMatch, 1)
	}
	if k.takes("tournament.extra") && !given("tournament.extra") {
		f.Extra = k.extra
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
	refuse := func(path, setting string) {
		if !k.takes(setting) {
			bad(path, "not a setting of format %s (it is for format %s)", k.name, list(takers(setting), "or"))
		}
	}
	settings := map[string]bool{}
	for _, other := range kinds {
		for setting := range other.settings {
			settings[setting] = given(setting)
		}
	}
	for _, setting := range slices.Sorted(maps.Keys(settings)) {
		if settings[setting] {
			refuse(setting, setting)
		}
	}
	for i, e := range plan.Engines {
		if e.Seed && !slices.Contains(plan.Format.Seeds, e.Name) {
			refuse(fmt.Sprintf("engines[%d].seed", i), "tournament.seeds")
		}
	}
}

func (k *kind) takes(setting string) bool {
	_, ok := k.settings[setting]
	return ok
}

// takers returns the formats that take a setting.
func takers(setting string) []string {
	var names []string
	for _, k := range kinds {
		if k.takes(setting) {
			names = append(names, k.name)
		}
	}
	return names
}

// list joins words as "a, b and c", where last is "and".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	n := len(words) - 1
	return strings.Join(words[:n], ", ") + " " + last + " " + words[n]
}
