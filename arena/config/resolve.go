package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"time"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/engine/game"
)

// resolver makes a plan of a decoded file and checks what one key alone
// cannot say.
type resolver struct {
	*decoder
	root *yaml.Node
	file string
	host Host
	game game.Game // nil where unknown

	hashes map[string]string
}

func addressable(pointer any) reflect.Value { return reflect.ValueOf(pointer).Elem() }

// bad reports text at the place of path.
func (r *resolver) bad(path, format string, args ...any) {
	r.fault(find(r.root, path), path, fmt.Sprintf(format, args...))
}

// given tells whether the file (or a --set) has a value at path.
func (r *resolver) given(path ...string) bool {
	at := resolved(r.root)
	for _, part := range path {
		if at = below(at, part); at == nil {
			return false
		}
	}
	return true
}

// plan is complete only if nothing was reported.
func (r *resolver) plan(f *file) *arena.Plan {
	p := &arena.Plan{
		Name: f.Name, File: r.file, Seed: f.Seed,
		Concurrency: f.Concurrency.N, Auto: f.Concurrency.Auto,
		Until: arena.Until{EloError: f.Until.EloError, ScoreError: float64(f.Until.ScoreError)},
		Adjudicate: arena.Adjudication{
			MaxPlies:  f.Adjudicate.MaxPlies,
			DrawScore: f.Adjudicate.Draw.Score, DrawPlies: f.Adjudicate.Draw.Plies, DrawAfter: f.Adjudicate.Draw.After,
			WinScore: f.Adjudicate.Win.Score, WinPlies: f.Adjudicate.Win.Plies, Tables: f.Adjudicate.Tables,
		},
		SPRT: arena.SPRT{Elo0: f.SPRT.Elo0, Elo1: f.SPRT.Elo1, Alpha: f.SPRT.Alpha, Beta: f.SPRT.Beta, Model: f.SPRT.Model},
	}
	if p.Name == "" {
		p.Name = r.runName()
	}
	r.gameOf(f, p)
	p.Limit = r.limit("limit", f.Limit, true)
	p.Engines = r.engines(f)
	p.Format = r.format(f, p)
	r.formatFits(f, p)
	r.adjudication(f)
	if f.Openings.File != "" && r.game != nil {
		r.book(f.Openings.File, &p.Openings)
	}
	r.openings(f, p)
	if p.Auto {
		p.Concurrency = max(1, (r.host.Cores-1)/busy(p))
	}
	return p
}

// runName is the file's path from the working directory, where it lies below.
func (r *resolver) runName() string {
	abs := r.file
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(r.host.Dir, abs)
	}
	rel, err := filepath.Rel(r.host.Dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return filepath.ToSlash(abs)
	}
	return filepath.ToSlash(rel)
}

// gameOf finds the game and binds its rules and openings.
func (r *resolver) gameOf(f *file, p *arena.Plan) {
	if f.Game == "" {
		if r.given("game") {
			r.bad("game", "empty, %s", hint("", r.games()))
		}
		return
	}
	for _, g := range r.host.Games {
		if g.Name() == f.Game {
			r.game = g
		}
	}
	if r.game == nil {
		r.bad("game", "unknown game %q, %s", f.Game, hint(f.Game, r.games()))
		return
	}
	rules, openings := r.game.Settings()
	before := len(r.problems)
	r.settings(rules, f.Rules.Node, "rules")
	r.settings(openings, f.Openings.Rest.Node, "openings")
	if len(r.problems) > before {
		return // With may count on well formed settings
	}
	bound, problems := r.game.With(rules, openings)
	for _, problem := range problems {
		r.bad(problem.Path, "%v", problem.Err)
	}
	if len(problems) == 0 {
		r.game, p.Game = bound, bound
	}
	p.Rules = canonical(rules)
	p.Openings.Text = canonical(openings)
}

func (r *resolver) games() []string {
	var names []string
	for _, g := range r.host.Games {
		names = append(names, g.Name())
	}
	return names
}

// settings fills the game's own struct from its part of the file.
func (r *resolver) settings(target any, node *yaml.Node, path string) {
	if node == nil {
		return
	}
	if target == nil {
		if node.Kind == yaml.MappingNode && len(node.Content) > 0 {
			known := "no key here"
			if path == "openings" {
				known = "file, random_plies, balanced, judge_nodes or order"
			}
			r.fault(node.Content[0], join(path, node.Content[0].Value), "unknown key, expected "+known+" for "+r.game.Name())
		} else if node.Tag != "!!null" && node.Kind != yaml.MappingNode {
			r.fault(node, path, wrongType(node, "nothing: "+r.game.Name()+" has no settings here"))
		}
		return
	}
	targets := []reflect.Value{addressable(target)}
	if path == "openings" { // so that hints know all keys
		targets = append(targets, addressable(&commonOpenings{}))
	}
	r.structure(node, path, targets...)
}

// canonical is settings as text: equal for equal settings.
func canonical(settings any) string {
	if settings == nil {
		return ""
	}
	text, err := json.Marshal(settings)
	if err != nil {
		panic(fmt.Sprintf("config: settings of a game cannot be written: %v", err))
	}
	return string(text)
}

// The defaults of a limit.
const (
	defaultMove    = 200 * time.Millisecond
	defaultMaxMove = 60 * time.Second
	defaultGrace   = 100 * time.Millisecond
	defaultStart   = 10 * time.Second
)

// limit is that of the run, or what an engine overrides of it.
func (r *resolver) limit(path string, f limit, whole bool) arena.Limit {
	l := arena.Limit{
		Move: f.Move, Clock: f.Clock.Main, Increment: f.Clock.Increment, CPU: f.CPU,
		Depth: f.Depth, Nodes: f.Nodes, MaxMove: f.MaxMove, Grace: f.Grace, Start: f.Start, Sync: f.Sync,
	}
	if f.Depth < 0 || f.Depth > 1000 {
		r.bad(path+".depth", "%d is out of range, expected 1 to 1000", f.Depth)
	}
	if f.Nodes < 0 {
		r.bad(path+".nodes", "%d is out of range, expected 1 or more", f.Nodes)
	}
	switch kinds := l.Kinds(); {
	case len(kinds) > 1:
		r.bad(path, "%s and %s together, expected one of move, clock, cpu, depth, nodes (max_move bounds the time beside depth, nodes and cpu)", kinds[0], kinds[1])
	case len(kinds) == 1 && l.MaxMove > 0 && (kinds[0] == "move" || kinds[0] == "clock"):
		r.bad(path+".max_move", "max_move is for cpu, depth and nodes, expected no max_move beside %s", kinds[0])
	case len(kinds) == 0 && whole:
		for _, kind := range []string{"move", "clock", "cpu", "depth", "nodes"} {
			if r.given(path, kind) && len(r.problems) == 0 {
				r.bad(path+"."+kind, "0 is no limit, expected more")
			}
		}
		l.Move = defaultMove
	}
	if l.Clock == 0 && l.Increment > 0 {
		r.bad(path+".clock", "an increment without time on the clock, expected time a game before the +")
	}
	if whole {
		fill := func(d *time.Duration, value time.Duration) {
			if *d == 0 {
				*d = value
			}
		}
		if l.Move == 0 && l.Clock == 0 {
			fill(&l.MaxMove, defaultMaxMove)
		}
		fill(&l.Grace, defaultGrace)
		fill(&l.Start, defaultStart)
	}
	return l
}
