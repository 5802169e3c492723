package report

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
)

// History is the strength of all versions in a database.
type History struct {
	Groups   []Group  `json:"groups"` // those with most games first
	Warnings []string `json:"warnings"`

	Width int `json:"-"` // columns of a line of the terminal form; 0: no limit
}

// marks are what makes the figures of a version less than they seem.
func marks(v *Version) string {
	var words []string
	if v.Biased {
		words = append(words, "biased")
	}
	if v.Opponents < 2 {
		words = append(words, "one opponent")
	}
	return strings.Join(words, ", ")
}

// HistoryTitle says what a group is.
func HistoryTitle(g *Group) string {
	said := arena.Map(g.Said, func(c arena.Condition) string { return c.Key + " " + c.Value })
	return Printable(strings.Join(append([]string{g.Game, g.Limit}, said...), ", "))
}

func historyTable(g *Group) *Table {
	return tableOf(HistoryTitle(g), g.Versions, func(l *line, v *Version) {
		l.word("Version", "name", v.Name)
		l.elo(&v.Score, ratedBar)
		l.score(&v.Score)
		l.count("Against", "opponents", v.Opponents).Drop = 1
		first := Cell{v.First.Local().Format("2006-01-02 15:04"), v.First.Format(time.RFC3339)}
		l.add(Heading{Head: "First played", Name: "first_run", Left: true, Drop: 3}, first)
		l.long("Subject", "subject", v.Subject).only(v.Subject != "")
		l.long("Mark", "marks", marks(v)).only(marks(v) != "")
	})
}

// Write writes all groups. CSV has the first one alone.
func (h *History) Write(w io.Writer, form Format) error {
	if form == CSV && len(h.Groups) > 0 {
		return historyTable(&h.Groups[0]).Write(w, form)
	}
	p := &prose{w: w, form: form, width: h.Width}
	for _, g := range h.Groups {
		t := historyTable(&g)
		t.Notes = append(t.Notes, fmt.Sprintf("%s of %s", games(g.Games), arena.Plural(len(g.Runs), "run")))
		if slices.ContainsFunc(g.Versions, func(v Version) bool { return v.Biased }) {
			t.Notes = append(t.Notes, "biased: games of sequential tests, which stop when a version is ahead or behind, show it too far ahead or behind")
		}
		t.Notes = append(t.Notes, marked("warning: ", g.Warnings)...)
		p.table(t)
	}
	p.list(h.Warnings)
	return p.err
}

// A history joins the runs of a database into one table for each game, rules,
// limit and openings, of all versions of all engines that played under them.
//
// A version is what a program is, not what a run calls it: its binary or build,
// command, options and limit. The games that count in their runs are counted once
// more, as those of one run, so that games that two runs have in common count once.
// It refuses to mix conditions: games
// under another limit are another table.

// Version is one version of an engine in a group. Its Name is unique there.
type Version struct {
	Engines []string  `json:"engines"`           // what runs call it
	Commit  string    `json:"commit,omitempty"`  // the beginning of its hash
	Subject string    `json:"subject,omitempty"` // of the commit, if its repository is there
	First   time.Time `json:"first_run"`         // start of the first run that has it
	arena.EngineRow
	Opponents int  `json:"opponents"`
	Stopped   int  `json:"stopped_games"` // in sequential tests that decided
	Biased    bool `json:"biased"`        // it has such games: they stopped when it was ahead, or behind

	Spec arena.EngineSpec `json:"-"` // as in the latest run
}

// Group is all games under the same conditions, but for engines and seed: one fit.
type Group struct {
	Game       string            `json:"game"`
	Limit      string            `json:"limit"`
	Conditions map[string]string `json:"conditions"` // the others, by key of a match file, without defaults of the game
	Runs       []string          `json:"runs"`       // the oldest first
	Games      int               `json:"games"`      // in the figures
	Versions   []Version         `json:"versions"`   // that met others, in the order of their first runs
	Warnings   []string          `json:"warnings"`

	Said []arena.Condition `json:"-"` // Conditions in their order

	plan  arena.Plan
	at    map[string]int // versions by identity
	pairs map[pair]int   // their new numbers
	games []arena.Game
	sides [][2]int // versions of each game
	self  int      // games of a version against itself, in no figure
}

// pair is a pair of one run.
type pair struct {
	run     int
	pairing [2]string
	number  int
}

// Versions collects runs.
type Versions struct {
	groups map[string]*Group
	order  []*Group

	Trials  int // runs that were passed over: steps of a tuning
	Unrated int // ... and runs that say nothing about their engines
}

// NewVersions returns an empty history.
func NewVersions() *Versions { return &Versions{groups: map[string]*Group{}} }

// Add adds a stored run. Runs must come in the order in which they started.
func (h *Versions) Add(plan *arena.Plan, info arena.RunInfo, done iter.Seq[*arena.Game]) error {
	if plan.Trial {
		h.Trials++
		return nil
	}
	var games []arena.Game
	sum, err := tournament.Summarize(plan, info, done, func(pair []*arena.Game, half bool) {
		for _, g := range pair {
			if !half {
				games = append(games, *g)
			}
		}
	})
	if err != nil {
		return err
	}
	if sum.Doubt != nil {
		h.Unrated++
		return nil
	}
	if len(games) == 0 {
		return nil
	}
	g := h.group(plan)
	g.Runs = append(g.Runs, info.Name)
	places := map[string]int{}
	for i := range plan.Engines {
		places[plan.Engines[i].Name] = g.version(plan, &plan.Engines[i], plan.ConditionsOf(&plan.Engines[i]), info.Started)
	}
	stopped := plan.Format.Sequential() && sum.Stop != nil && sum.Stop.Kind == arena.StopDecided
	for i := range games {
		g.add(&games[i], [2]int{places[games[i].Pairing[0]], places[games[i].Pairing[1]]}, stopped)
	}
	return nil
}

// free are conditions that do not change what a rating means.
var free = []string{"seed", "openings.order"}

func (h *Versions) group(plan *arena.Plan) *Group {
	list := slices.DeleteFunc(plan.Conditions(), func(c arena.Condition) bool { return slices.Contains(free, c.Key) })
	list = append(list, arena.Condition{Key: "limit", Value: plan.Limit.Text()})
	key := string(arena.JSON(list))
	g := h.groups[key]
	if g == nil {
		usual := usualSettings(plan)
		g = &Group{
			Game: plan.Game.Name(), Limit: plan.Limit.Text(), Conditions: map[string]string{},
			plan: *plan, at: map[string]int{}, pairs: map[pair]int{},
		}
		for _, c := range list {
			if c.Key != "game" && c.Key != "limit" && !slices.Contains(usual, c) {
				g.Conditions[c.Key], g.Said = c.Value, append(g.Said, c)
			}
		}
		g.plan.Engines = nil
		h.groups[key] = g
		h.order = append(h.order, g)
	}
	return g
}

// usualSettings are conditions that need no words: the game's defaults.
func usualSettings(plan *arena.Plan) []arena.Condition {
	rules, openings := plan.Game.Settings()
	usual := []arena.Condition{{Key: "rules", Value: string(arena.JSON(rules))}, {Key: "openings.own", Value: string(arena.JSON(openings))}}
	if plan.Openings.Balanced == 0 {
		judge := arena.Openings{}
		arena.SetDefaults(&judge)
		usual = append(usual, arena.Condition{Key: "openings.judge_nodes", Value: fmt.Sprint(judge.JudgeNodes)})
	}
	return usual
}

// version returns the place of an engine of a run among the versions.
func (g *Group) version(plan *arena.Plan, e *arena.EngineSpec, conditions []arena.Condition, started time.Time) int {
	var special []arena.Condition
	for _, c := range conditions {
		if c.Key != "name" && !strings.HasPrefix(c.Key, "limit.") {
			special = append(special, c)
		}
	}
	limit := plan.LimitOf(e)
	key := string(arena.JSON([]any{special, limit.Text()}))
	i, ok := g.at[key]
	if !ok {
		i = len(g.Versions)
		g.at[key] = i
		g.Versions = append(g.Versions, Version{First: started.UTC()})
	}
	v := &g.Versions[i]
	anchor := v.Spec.Anchor
	v.Spec = *e
	v.Spec.Limit, v.Spec.Anchor = limit, cmp.Or(e.Anchor, anchor)
	if !slices.Contains(v.Engines, e.Name) {
		v.Engines = append(v.Engines, e.Name)
	}
	return i
}

// add adds a game of the latest run.
func (g *Group) add(f *arena.Game, sides [2]int, stopped bool) {
	if sides[0] == sides[1] {
		g.self++
		return
	}
	at := pair{len(g.Runs), f.Pairing, f.Pair}
	number, ok := g.pairs[at]
	if !ok {
		number = len(g.pairs)
		g.pairs[at] = number
	}
	f.Pair, f.Round, f.Index = number, 1, len(g.games)
	g.games, g.sides = append(g.games, *f), append(g.sides, sides)
	if stopped {
		g.Versions[sides[0]].Stopped++
		g.Versions[sides[1]].Stopped++
	}
}

// Groups rates the versions of each group, those with most games first. anchors fixes the
// ratings of versions by their names. It may be called once.
func (h *Versions) Groups(anchors map[string]float64) ([]Group, error) {
	var names []string
	groups := slices.DeleteFunc(slices.Clone(h.order), func(g *Group) bool { return len(g.games) == 0 })
	for _, g := range groups {
		g.name()
		names = append(names, arena.Map(g.Versions, func(v Version) string { return v.Name })...)
	}
	for name := range anchors {
		if !slices.Contains(names, name) {
			return nil, game.Unknown("version", name, names)
		}
	}
	out := []Group{}
	for _, g := range groups {
		if err := g.rate(anchors); err != nil {
			return nil, err
		}
		out = append(out, *g)
	}
	slices.SortStableFunc(out, func(a, b Group) int { return b.Games - a.Games })
	return out, nil
}

// rate fills in the figures of a group.
func (g *Group) rate(anchors map[string]float64) error {
	plan := g.plan
	plan.Name, plan.Format = "history", arena.Format{Name: "history"}
	for i := range g.Versions {
		spec := g.Versions[i].Spec
		spec.Name = g.Versions[i].Name
		if elo, ok := anchors[spec.Name]; ok {
			spec.Anchor = &elo
		}
		plan.Engines = append(plan.Engines, spec)
	}
	for i := range g.games {
		for k, at := range g.sides[i] {
			g.games[i].Pairing[k] = g.Versions[at].Name
		}
	}
	info := arena.RunInfo{Name: plan.Name, Game: g.Game, State: "finished", Games: len(g.games)}
	sum, err := tournament.Summarize(&plan, info, tournament.Stored(g.games), nil)
	if err != nil {
		return err
	}
	g.take(sum)
	return nil
}

// take takes the figures of a summary.
func (g *Group) take(sum *arena.Summary) {
	g.Games, g.Warnings = sum.Counted, arena.Map(sum.Warnings, arena.Warning.String)
	if g.self > 0 {
		g.Warnings = append(g.Warnings, fmt.Sprintf("%s of a version against itself: in no figure", arena.Plural(g.self, "game")))
	}
	for i := range g.Versions {
		v := &g.Versions[i]
		for _, e := range sum.Figures.Engines {
			if e.Name == v.Name {
				v.EngineRow = e
			}
		}
		v.Commit, v.Biased = v.commit(), v.Stopped > 0
		for _, p := range sum.Figures.Pairings {
			if slices.Contains(p.Engines[:], v.Name) {
				v.Opponents++
			}
		}
	}
	g.Versions = slices.DeleteFunc(g.Versions, func(v Version) bool { return v.Games == 0 })
}

// commit is the beginning of the hash of the commit that was built, or "".
func (v *Version) commit() string {
	hash, _, _ := strings.Cut(v.Spec.Commit, " ") // a remark on a dirty tree may follow
	return hash
}

// name gives each version a name: the beginning of its commit, or what runs call
// it, with its options or its number where that is that of others too.
func (g *Group) name() {
	choices, count := make([][]string, len(g.Versions)), map[string]int{}
	for i := range g.Versions {
		spec := &g.Versions[i].Spec
		base := cmp.Or(g.Versions[i].commit(), spec.Name)
		full := base
		if spec.Commit == "" && spec.Binary != "" {
			full += " " + spec.Binary[:min(8, len(spec.Binary))]
		}
		for _, o := range spec.Options {
			full += " " + o.Name + "=" + o.Value
		}
		choices[i] = slices.Compact([]string{base, full, fmt.Sprintf("%s #%d", base, i+1)})
		for _, name := range choices[i] {
			count[name]++
		}
	}
	for i, names := range choices {
		at := slices.IndexFunc(names, func(name string) bool { return count[name] == 1 })
		g.Versions[i].Name = names[max(at, 0)]
	}
}
