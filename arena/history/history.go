// Package history joins the runs of a database into one table for each game, rules,
// limit and openings, of all versions of all engines that played under them.
//
// A version is what a program is, not what a run calls it: its binary or build,
// command, options and limit. The games that count in their runs are folded once
// more, as those of one run, so that games that two runs have in common count once.
// The package rates nothing and draws nothing. It refuses to mix conditions: games
// under another limit are another table.
package history

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/tournament"
)

// Version is one version of an engine in a group.
type Version struct {
	Spec    arena.EngineSpec // as in the latest run; Name is unique in the group
	Names   []string         // what runs call it
	First   time.Time        // start of the first run that has it
	Stopped int              // its games in sequential tests that decided: they stopped when it was ahead, or behind
}

// Commit is the beginning of the hash of the commit that was built, or "".
func (v *Version) Commit() string {
	hash, _, _ := strings.Cut(v.Spec.Commit, " ") // a remark on a dirty tree may follow
	return hash
}

// Group is all games under the same conditions, but for engines and seed.
type Group struct {
	Conditions []arena.Condition // with game and limit; the game's own defaults are left out
	Versions   []Version         // in the order of their first runs
	Runs       []string          // the oldest first
	Self       int               // games of a version against itself, in no figure
	Summary    *arena.Summary    // of all games; its engines are Versions
}

// History collects runs.
type History struct {
	groups map[string]*group
	order  []*group

	Trials  int // runs that were passed over: steps of a tuning
	Unrated int // ... and runs whose machine was too busy
}

// group is a Group with its games.
type group struct {
	Group
	plan  arena.Plan
	at    map[string]int // versions by identity
	games []arena.Finished
	sides [][2]int // versions of each game
	pairs map[[2]int]int
}

// New returns an empty history.
func New() *History { return &History{groups: map[string]*group{}} }

// Add adds a stored run. Runs must come in the order in which they started.
func (h *History) Add(plan *arena.Plan, info arena.RunInfo, done []arena.Finished) error {
	if plan.Trial {
		h.Trials++
		return nil
	}
	var games []arena.Finished
	sum, err := tournament.Counted(plan, info, done, func(f *arena.Finished) { games = append(games, *f) })
	if err != nil {
		return err
	}
	if sum.Stop.Unrated() {
		h.Unrated++
		return nil
	}
	if len(games) == 0 {
		return nil
	}
	conditions := plan.Conditions()
	g := h.group(plan, conditions.Common)
	g.Runs = append(g.Runs, info.Name)
	places := map[string]int{}
	for i := range plan.Engines {
		places[plan.Engines[i].Name] = g.version(plan, &plan.Engines[i], conditions.Engines[i].List, info.Started)
	}
	stopped := plan.Format.Sequential() && sum.Stop != nil && sum.Stop.Kind == arena.StopDecided
	numbers := map[pairKey]int{}
	for i := range games {
		g.add(&games[i], [2]int{places[games[i].Pairing[0]], places[games[i].Pairing[1]]}, stopped, numbers)
	}
	return nil
}

// free are conditions that do not change what a rating means.
var free = []string{"seed", "openings.order"}

func (h *History) group(plan *arena.Plan, common []arena.Condition) *group {
	var list []arena.Condition
	for _, c := range common {
		if !slices.Contains(free, c.Key) {
			list = append(list, c)
		}
	}
	list = append(list, arena.Condition{Key: "limit", Value: plan.Limit.Text()})
	key := encode(list)
	g := h.groups[key]
	if g == nil {
		usual := usualSettings(plan)
		said := slices.DeleteFunc(slices.Clone(list), func(c arena.Condition) bool { return slices.Contains(usual, c) })
		g = &group{Group: Group{Conditions: said}, plan: *plan, at: map[string]int{}, pairs: map[[2]int]int{}}
		g.plan.Engines = nil
		h.groups[key] = g
		h.order = append(h.order, g)
	}
	return g
}

// usualSettings are conditions that need no words: the game's own defaults.
func usualSettings(plan *arena.Plan) []arena.Condition {
	rules, openings := plan.Game.Settings()
	usual := []arena.Condition{{Key: "rules", Value: encode(rules)}, {Key: "openings.own", Value: encode(openings)}}
	if plan.Openings.Balanced == 0 {
		judge := arena.Openings{}
		arena.SetDefaults(&judge)
		usual = append(usual, arena.Condition{Key: "openings.judge_nodes", Value: fmt.Sprint(judge.JudgeNodes)})
	}
	return usual
}

// version returns the place of an engine of a run among the versions.
func (g *group) version(plan *arena.Plan, e *arena.EngineSpec, conditions []arena.Condition, started time.Time) int {
	var own []arena.Condition
	for _, c := range conditions {
		if c.Key != "name" && !strings.HasPrefix(c.Key, "limit.") {
			own = append(own, c)
		}
	}
	limit := plan.LimitOf(e)
	key := encode([]any{own, limit.Text()})
	i, ok := g.at[key]
	if !ok {
		i = len(g.Versions)
		g.at[key] = i
		g.Versions = append(g.Versions, Version{First: started})
	}
	v := &g.Versions[i]
	anchor := v.Spec.Anchor
	v.Spec = *e
	v.Spec.Limit, v.Spec.Anchor = limit, cmp.Or(e.Anchor, anchor)
	if !slices.Contains(v.Names, e.Name) {
		v.Names = append(v.Names, e.Name)
	}
	return i
}

// pairKey is a pair of one run.
type pairKey struct {
	pairing [2]string
	number  int
}

// add adds a game. numbers are the new numbers of the run's pairs.
func (g *group) add(f *arena.Finished, sides [2]int, stopped bool, numbers map[pairKey]int) {
	if sides[0] == sides[1] {
		g.Self++
		return
	}
	line := [2]int{min(sides[0], sides[1]), max(sides[0], sides[1])}
	at := pairKey{f.Pairing, f.Pair}
	number, ok := numbers[at]
	if !ok {
		number = g.pairs[line]
		g.pairs[line]++
		numbers[at] = number
	}
	f.Pair, f.Round, f.Index = number, 1, len(g.games)
	g.games, g.sides = append(g.games, *f), append(g.sides, sides)
	if stopped {
		g.Versions[sides[0]].Stopped++
		g.Versions[sides[1]].Stopped++
	}
}

// Groups returns the tables, those with most games first. It may be called once.
func (h *History) Groups() ([]Group, error) {
	var out []Group
	for _, g := range h.order {
		if len(g.games) == 0 {
			continue
		}
		g.name()
		plan := g.plan
		plan.Name, plan.Format, plan.Earlier, plan.PastVoids = "history", arena.Format{Name: "history"}, nil, nil
		for i := range g.Versions {
			plan.Engines = append(plan.Engines, g.Versions[i].Spec)
		}
		for i := range g.games {
			for k, at := range g.sides[i] {
				g.games[i].Pairing[k] = g.Versions[at].Spec.Name
			}
		}
		info := arena.RunInfo{Name: plan.Name, Game: plan.Game.Name(), State: "finished", Games: len(g.games), Plan: plan.Settings()}
		var err error
		if g.Summary, err = tournament.Summarize(&plan, info, g.games); err != nil {
			return nil, err
		}
		out = append(out, g.Group)
	}
	slices.SortStableFunc(out, func(a, b Group) int { return b.Summary.Counted - a.Summary.Counted })
	return out, nil
}

// name gives each version a name of its own: the beginning of its commit, or what
// runs call it, and as much more as tells it from the others.
func (g *group) name() {
	choices := make([][]string, len(g.Versions))
	count := map[string]int{}
	for i := range g.Versions {
		spec := &g.Versions[i].Spec
		base := cmp.Or(g.Versions[i].Commit(), spec.Name)
		options := ""
		for _, o := range spec.Options {
			options += " " + o.Name + "=" + o.Value
		}
		binary := ""
		if spec.Commit == "" && spec.Binary != "" {
			binary = " " + spec.Binary[:min(8, len(spec.Binary))]
		}
		for _, name := range []string{base, base + options, base + binary, base + binary + options, base + " " + spec.Name} {
			if !slices.Contains(choices[i], name) {
				choices[i] = append(choices[i], name)
				count[name]++
			}
		}
	}
	for i := range g.Versions {
		name := fmt.Sprintf("%s #%d", choices[i][0], i+1)
		for _, choice := range choices[i] {
			if count[choice] == 1 {
				name = choice
				break
			}
		}
		g.Versions[i].Spec.Name = name
	}
}

// Anchor fixes the ratings of versions, by name.
func Anchor(groups []Group, anchors map[string]float64) error {
	var names []string
	for name, elo := range anchors {
		found := false
		for _, g := range groups {
			for i := range g.Summary.Engines {
				if e := &g.Summary.Engines[i]; e.Name == name {
					e.Anchor, found = &elo, true
				} else {
					names = append(names, e.Name)
				}
			}
		}
		if !found {
			return arena.Unknown("version", name, names)
		}
	}
	return nil
}

// encode is a text that is equal for equal values.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("history: conditions cannot be written: %v", err)) // plain data only
	}
	return string(text)
}
