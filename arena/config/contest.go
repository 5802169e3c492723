package config

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
)

// Contest is a file, usually thera.yaml in an engine's repository, that says how
// versions of the engine are played against each other. It is a match file with
// one engine, without a name for the run and without a tournament; stages
// replace limit and sprt one after the other. LoadContest reads it.
type Contest struct {
	Stages int // at least 1

	file string
	text []byte
	sets []string
	host Host
	mine bool     // else it came with the commits
	pass []string // variables that a stranger's file may use
	git  string
}

// Match is one run of a contest.
type Match struct {
	Name    string
	Commits []string // the engines are called by the beginning of their hashes
	Alike   []string // or: the names of engines that are all as the file has it
	Stage   int      // from 0; -1 for the limit and the test of the file itself
	Format  string
	Rounds  int    // 0 for the default of the format
	SPRT    string // "elo0=0,elo1=10"; "" for the file's own
	Trial   bool   // a step of a tuning
}

// contestKeys are the keys that a contest has beside those of a match file, and those
// that it must not have.
type contestKeys struct {
	Name    struct{}   `yaml:"name" form:"none"`
	Engines struct{}   `yaml:"engines" form:"none"`
	Format  struct{}   `yaml:"tournament" form:"none"`
	Engine  *yaml.Node `yaml:"engine" form:"later" required:"true"`
	Stages  []stage    `yaml:"stages"`
	Tune    arena.Tune `yaml:"tune"`
}

// stage is a part of a test with its own limit and bounds.
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
	return loadContest(&Contest{file: path, sets: sets, host: host, mine: true})
}

func loadContest(c *Contest) (_ *Contest, err error) {
	if c.text, err = files.Read(c.file, maxFile); err != nil {
		return nil, fmt.Errorf("%w (such a file, as thera.yaml in the engine's repository, says how versions are played)", err)
	}
	r, p, keys := c.read()
	if p == nil {
		return nil, r.err()
	}
	var engine arena.EngineSpec
	r.engineOf(keys, &engine)
	c.Stages, c.git = max(1, len(keys.Stages)), cmp.Or(engine.Git, ".")
	if !r.mine {
		r.gameOf(p)
		r.theirs(p, &engine)
	}
	if r.refused {
		return nil, r.err()
	}
	return c, nil // Plan and Tune report what else is wrong, all of it
}

// read decodes the file. The plan is nil if it is no YAML.
func (c *Contest) read() (r *reader, p *arena.Plan, keys *contestKeys) {
	r = newReader(c.file, c.host)
	r.mine, r.pass = c.mine, c.pass
	if !r.load(c.text, c.sets) {
		return r, nil, nil
	}
	p, keys = r.newPlan(), &contestKeys{}
	arena.SetDefaults(&keys.Tune)
	r.structure(r.root, "", valueOf(p), valueOf(keys))
	return r, p, keys
}

// engineOf decodes the engine of a contest once more.
func (r *reader) engineOf(keys *contestKeys, e *arena.EngineSpec) {
	if keys.Engine != nil {
		arena.SetDefaults(e)
		r.structure(keys.Engine, "engine", valueOf(e), valueOf(&engineKeys{}))
	}
	if e.Git == "" && (e.Build != "" || e.Ref != "") {
		e.Git = "."
	}
}

// Repo is the folder of the engine's repository.
func (c *Contest) Repo() string {
	return newReader(c.file, c.host).nextTo(c.git)
}

// Plan is the plan of a match. The error is an Errors if the file is wrong.
func (c *Contest) Plan(m Match) (*arena.Plan, error) {
	r, p, keys := c.read()
	if p != nil {
		r.match(p, keys, &m)
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	record(p, c.text, c.sets)
	return p, nil
}

// match completes the plan of a match.
func (r *reader) match(p *arena.Plan, keys *contestKeys, m *Match) {
	p.Name, p.Trial = m.Name, m.Trial
	for _, commit := range m.Commits {
		e := arena.EngineSpec{Name: commit[:min(12, len(commit))], Git: "."}
		r.engineOf(keys, &e)
		e.Ref = commit
		p.Engines = append(p.Engines, e)
	}
	if len(m.Commits) > 0 && r.given("engine.ref") {
		r.bad("engine.ref", "ref does not belong here: each commit has its own")
	}
	for _, name := range m.Alike {
		e := arena.EngineSpec{Name: name}
		r.engineOf(keys, &e)
		p.Engines = append(p.Engines, e)
	}
	p.Format.Name, p.Format.Rounds = m.Format, m.Rounds
	if m.Stage >= 0 && m.Stage < len(keys.Stages) {
		s, path := keys.Stages[m.Stage], fmt.Sprintf("stages[%d].", m.Stage)
		if r.given(path + "limit") {
			p.Limit = s.Limit
			r.stands("limit", path+"limit")
		}
		if s.SPRT != nil {
			p.SPRT = *s.SPRT
			r.stands("sprt", path+"sprt")
		}
	}
	if m.SPRT != "" || m.Format != "sprt" {
		p.SPRT = arena.SPRT{}
		arena.SetDefaults(&p.SPRT)
		delete(r.at, "sprt")
	}
	if node, err := short("sprt", m.SPRT); err != nil {
		r.bad("sprt", "%v", err)
	} else if node != nil {
		r.decode(node, valueOf(&p.SPRT), "sprt", "")
	}
	r.gameOf(p)
	r.complete(p)
}

// stands says that a setting stands at another path.
func (r *reader) stands(path, at string) {
	maps.DeleteFunc(r.at, func(given string, _ *yaml.Node) bool { return strings.HasPrefix(given+".", path+".") })
	for given, node := range maps.Clone(r.at) {
		if rest, below := strings.CutPrefix(given, at); below {
			r.at[path+rest] = node
		}
	}
}
