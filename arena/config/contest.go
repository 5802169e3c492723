package config

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
)

// Contest is a file, usually thera.yaml in an engine's repository, that says how
// versions of the engine are played against each other. It is a match file with
// one engine, without a name for the run and without a tournament; stages
// replace limit and sprt one after the other. LoadContest reads it.
type Contest struct {
	Stages int    // at least 1
	Repo   string // the folder of the engine's repository

	r    *reader // has what is wrong in it
	p    arena.Plan
	keys contestKeys
}

// Match is one run of a contest.
type Match struct {
	Name    string
	Commits []string // the engines are called by the beginning of their hashes
	Alike   []string // or: the names of engines that are all as the file has it
	Stage   int      // from 0; -1 for the limit and the test of the file itself
	Format  string
	Rounds  int         // 0 for the default of the format
	Bounds  *[2]float64 // of the sequential test; nil: the file's test
	Trial   bool        // a step of a tuning
}

// contestKeys are the keys that a contest has beside those of a match file, and those
// that it must not have.
type contestKeys struct {
	Name    struct{}   `yaml:"name" form:"none"`
	Engines struct{}   `yaml:"engines" form:"none"`
	Lines   struct{}   `yaml:"baselines" form:"none"`
	Format  struct{}   `yaml:"tournament" form:"none"`
	Engine  *yaml.Node `yaml:"engine" form:"later" required:"true"`
	Stages  []stage    `yaml:"stages"`
	Tune    arena.Tune `yaml:"tune"`
}

// stage is a part of a test with a limit and bounds.
type stage struct {
	Limit arena.Limit `yaml:"limit"`
	SPRT  *arena.SPRT `yaml:"sprt"`
}

// engineKeys are what the one engine of a contest must not have.
type engineKeys struct {
	Name struct{} `yaml:"name" form:"none"`
}

// LoadContest reads the file at path. sets are key.path=value words for the
// match files that are made of it.
func LoadContest(path string, sets []string, host Host) (*Contest, error) {
	return loadContest(newReader(path, host), sets)
}

// loadContest reads the file of r. Only what makes it no contest is an error yet: Plan
// and Tune report all that is wrong.
func loadContest(r *reader, sets []string) (*Contest, error) {
	text, err := files.Read(r.file, maxFile)
	if err != nil {
		return nil, fmt.Errorf("%w (thera.yaml in the engine's repository says how versions are played)", err)
	}
	if !r.load(text, sets) {
		return nil, r.err()
	}
	c := &Contest{r: r, p: *r.newPlan()}
	arena.SetDefaults(&c.keys.Tune)
	if i := place(r.root, "engines"); i > 0 && place(r.root, "engine") == 0 {
		r.fault(r.root.Content[i-1], "engines", "this is a match file, expected engine: with the one engine, as in a thera.yaml")
		return nil, r.err()
	}
	r.findGame()
	r.structure(r.root, "", valueOf(&c.p), valueOf(&c.keys))
	if c.keys.Engine == nil {
		return nil, r.err()
	}
	c.p.Overrides = arena.Map(sets, hideEnv)
	c.Stages = max(1, len(c.keys.Stages))
	var engine arena.EngineSpec
	r.engineOf(&c.keys, &engine)
	c.Repo = r.nextTo(cmp.Or(engine.Git, "."))
	if !r.mine {
		r.theirs(&c.p, &engine)
	}
	if r.refused {
		return nil, r.err()
	}
	r.bind(&c.p)
	return c, nil
}

// engineOf decodes the engine of a contest.
func (r *reader) engineOf(keys *contestKeys, e *arena.EngineSpec) {
	if keys.Engine != nil {
		arena.SetDefaults(e)
		r.structure(keys.Engine, "engine", valueOf(e), valueOf(&engineKeys{}))
	}
	if e.Git == "" && (e.Build != "" || e.Ref != "") {
		e.Git = "."
	}
}

// Plan is the plan of a match. The error is an Errors if the file is wrong.
func (c *Contest) Plan(m Match) (*arena.Plan, error) {
	r, p := c.match(m)
	return p, r.err()
}

// match makes the plan of a match, with a reader.
func (c *Contest) match(m Match) (*reader, *arena.Plan) {
	copied, plan := *c.r, c.p
	r, p := &copied, &plan
	r.at, r.problems = maps.Clone(r.at), slices.Clone(r.problems)
	p.Name, p.Trial = m.Name, m.Trial
	for _, commit := range m.Commits {
		e := arena.EngineSpec{Name: commit[:min(12, len(commit))], Git: "."}
		r.engineOf(&c.keys, &e)
		e.Ref = commit
		p.Engines = append(p.Engines, e)
	}
	if len(m.Commits) > 0 && r.given("engine.ref") {
		r.bad("engine.ref", "ref does not belong here: each commit has its own")
	}
	for _, name := range m.Alike {
		e := arena.EngineSpec{Name: name}
		r.engineOf(&c.keys, &e)
		p.Engines = append(p.Engines, e)
	}
	p.Format.Name, p.Format.Rounds = m.Format, m.Rounds
	if m.Stage >= 0 && m.Stage < len(c.keys.Stages) {
		s, its := c.keys.Stages[m.Stage], fmt.Sprintf("stages[%d].", m.Stage)
		for path, node := range c.r.at {
			if rest, found := strings.CutPrefix(path, its); found {
				r.at[rest] = node // where errors of the match stand
			}
		}
		if r.given(its + "limit") {
			p.Limit = s.Limit
		}
		if s.SPRT != nil {
			p.SPRT = *s.SPRT
		}
	}
	if m.Bounds != nil || m.Format != "sprt" {
		p.SPRT = arena.SPRT{}
		arena.SetDefaults(&p.SPRT)
		delete(r.at, "sprt")
	}
	if m.Bounds != nil {
		p.SPRT.Elo0, p.SPRT.Elo1 = m.Bounds[0], m.Bounds[1]
	}
	r.complete(p)
	return r, p
}

// Tune reads the part tune of the file. The error is an Errors if it is wrong.
func (c *Contest) Tune() (*arena.Tune, error) {
	r, p := c.match(Match{Name: "tune", Alike: []string{"plus", "minus"}, Stage: -1, Format: "round-robin"})
	if !r.given("tune") {
		r.bad("tune", "missing, expected {iterations: …, options: [{name: …, start: …, min: …, max: …, c_end: …}]}")
	}
	tune := c.keys.Tune
	r.tune(p, &tune)
	return &tune, r.err()
}

// tune checks how the settings of a tuning fit together.
func (r *reader) tune(p *arena.Plan, t *arena.Tune) {
	if r.given("tune.options") && len(t.Options) == 0 && r.clean("tune.options") {
		r.bad("tune.options", "no options, expected what is to be tuned")
	}
	seen := map[string]bool{}
	for i := range t.Options {
		o, path := &t.Options[i], fmt.Sprintf("tune.options[%d]", i)
		if seen[o.Name] {
			r.bad(path+".name", "%q is tuned twice", o.Name)
		}
		seen[o.Name] = true
		if !r.clean(path) {
			continue
		}
		switch low, high := math.Ceil(o.Min), math.Floor(o.Max); {
		case o.Min >= o.Max:
			r.bad(path+".max", "%v is not above min %v", o.Max, o.Min)
		case o.Start < o.Min || o.Start > o.Max:
			r.bad(path+".start", "%v is out of range, expected %v to %v", o.Start, o.Min, o.Max)
		case !o.Fractions && low >= high:
			r.bad(path+".max", "no two whole numbers from %v to %v (fractions: true allows others)", o.Min, o.Max)
		case len(p.Engines) > 0 && p.Engines[0].Builtin && r.game != nil:
			for key, x := range map[string]float64{"min": o.Min, "max": o.Max} {
				if err := r.player().CheckOption(o.Name, o.Text(x)); err != nil {
					r.bad(path+"."+key, "%v, expected an option of the built-in engine and its values", err)
				}
			}
		}
	}
}

// LoadTheirs is LoadContest for a file that comes with the commits, and so may be a
// stranger's, as that of a pull request. Such a file cannot say what its engine may
// read, change or reach on this machine; the words of sets can, since they are those
// of the person who plays. pass names the variables that ${NAME} may stand for.
func LoadTheirs(path string, sets []string, host Host, pass []string) (*Contest, error) {
	if _, ok := inside(filepath.Dir(path), path); !ok {
		return nil, fmt.Errorf("%s is a link out of its folder, and a commit may have it: expected a file", path)
	}
	r := newReader(path, host)
	r.mine, r.pass = false, pass
	return loadContest(r, sets)
}

// theirs refuses what a file of a stranger must not say. What the tag stranger of a
// setting says is refused where it is read.
func (r *reader) theirs(p *arena.Plan, e *arena.EngineSpec) {
	refuse := func(path, what, flag string) { r.refuse(r.at[path], path, what, flag) }
	if r.given("engine.sandbox") && e.Sandbox != "require" {
		refuse("engine.sandbox", "less than the whole sandbox", "--sandbox auto or --sandbox off")
	}
	if r.given("engine.git") && r.leaves(e.Git) {
		refuse("engine.git", "a repository that is not beside or below it", "--set engine.git=…")
	}
	for i, word := range e.Command {
		_, named := files.Argument(word)
		out := strings.HasPrefix(word, "$OUT/") || strings.HasPrefix(word, "${OUT}/")
		if i == 0 && !out && strings.ContainsAny(word, `/\`) || leadsOut(named) {
			const path = "engine.command"
			at := r.at[fmt.Sprintf("%s[%d]", path, i)] // nil where the command is one text
			r.refuse(cmp.Or(at, r.at[path]), path, notInOut(word), "--set engine.command=…")
		}
	}
	for _, word := range e.Env {
		if name, value, _ := strings.Cut(word, "="); leadsOut(value) {
			refuse("engine.env."+name, notInOut(value), "--set engine.env."+name+"=…")
		}
	}
	if at := r.at["rules.law"]; at != nil && at.Value != game.BothEngines {
		refuse("rules.law", "a program of this machine", "--set rules.law=PROGRAM")
	}
	if p.Openings.File != "" && r.leaves(p.Openings.File) {
		refuse("openings.file", "a file that is not beside it", "--set openings.file=FILE")
	}
}

func notInOut(word string) string { return fmt.Sprintf("%.100q, which is not in $OUT", word) }

// refuse reports a value of a stranger's file, unless it is from the command line.
func (r *reader) refuse(node *yaml.Node, path, what, flag string) {
	if !r.mine && r.origin[node] == "" {
		r.refused = true
		r.fault(node, path, fmt.Sprintf("a commit cannot ask for %s, expected %s on the command line", what, flag))
	}
}

// leaves reports whether a path leads out of the folder of the file.
func (r *reader) leaves(path string) bool {
	path = filepath.FromSlash(path)
	if !filepath.IsLocal(path) || goesHidden(path) {
		return true
	}
	return slices.ContainsFunc([]string{filepath.Dir(r.file), r.host.Dir}, func(dir string) bool {
		to, ok := inside(dir, filepath.Join(dir, path))
		return !ok || goesHidden(to) // by a link
	})
}

// goesHidden reports whether a relative path goes through a hidden folder: that of the settings of git,
// for example.
func goesHidden(path string) bool {
	return slices.ContainsFunc(strings.Split(path, string(filepath.Separator)), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "."
	})
}

// inside is where a path in dir leads to, relative to dir, "" if it leads nowhere. It is
// not ok if it is, or goes through, a link out of dir, perhaps to what is not there yet.
func inside(dir, path string) (to string, ok bool) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", true // there is nothing
	}
	if to, err = filepath.EvalSymlinks(path); err != nil {
		_, err = os.Lstat(path)
		return "", err != nil
	}
	to, err = filepath.Rel(root, to)
	return to, err == nil && filepath.IsLocal(to)
}

// leadsOut reports whether a list of paths, as words and variables have them, has one that is not
// in $OUT and not relative to it.
func leadsOut(list string) bool {
	return slices.ContainsFunc(filepath.SplitList(list), func(part string) bool {
		parts := strings.FieldsFunc(part, func(r rune) bool { return r == '/' || r == filepath.Separator })
		return filepath.IsAbs(part) || strings.HasPrefix(part, "/") || slices.Contains(parts, "..")
	})
}
