package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/engine/game"
)

// resolver completes the plan of a decoded file and checks how its settings fit
// together.
type resolver struct {
	*decoder
	root *yaml.Node
	file string
	host Host
	game game.Game // nil if unknown

	hashes map[string]string
}

func addressable(pointer any) reflect.Value { return reflect.ValueOf(pointer).Elem() }

// bad reports an error at the place of path.
func (r *resolver) bad(path, format string, args ...any) {
	r.fault(find(r.root, path), path, fmt.Sprintf(format, args...))
}

// given reports whether the file (or a --set) has a value at path.
func (r *resolver) given(path ...string) bool {
	at := resolved(r.root)
	for _, part := range path {
		if at = below(at, part); at == nil {
			return false
		}
	}
	return true
}

// plan completes the plan. It is usable only if there are no errors.
func (r *resolver) plan(p *arena.Plan) {
	if p.Auto {
		p.Concurrency = 1
	}
	if p.Name == "" {
		p.Name = r.runName()
	}
	r.gameOf(p)
	r.limit("limit", &p.Limit, true)
	r.engines(p)
	r.law(p)
	r.format(p)
	r.adjudication(p)
	if p.Openings.File != "" && r.game != nil {
		r.book(&p.Openings)
	}
	r.openings(p)
	if p.Auto {
		p.Concurrency = max(1, (r.host.Cores-1)/busy(p))
	}
}

// runName returns the path of the file, relative to the working directory if the
// file is below it.
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
func (r *resolver) gameOf(p *arena.Plan) {
	if !r.given("game") || !r.clean("game") {
		return
	}
	name, _ := scalarOf(find(r.root, "game"))
	if name == "" {
		r.bad("game", "empty, %s", hint("", r.games()))
		return
	}
	for _, g := range r.host.Games {
		if g.Name() == name {
			r.game = g
		}
	}
	if r.game == nil {
		r.bad("game", "unknown game %q, %s", name, hint(name, r.games()))
		return
	}
	rules, openings := r.game.Settings()
	before := len(r.problems)
	if r.given("rules") {
		r.settings(rules, find(r.root, "rules"), "rules")
	}
	r.settings(openings, r.rest, "openings")
	if len(r.problems) > before {
		return // With needs valid settings
	}
	bound, problems := r.game.With(rules, openings)
	for _, problem := range problems {
		r.bad(problem.Path, "%v", problem.Err)
	}
	if len(problems) == 0 {
		r.game, p.Game = bound, bound
	}
	p.Rules = canonical(rules)
	p.Openings.Own = canonical(openings)
}

func (r *resolver) games() []string {
	var names []string
	for _, g := range r.host.Games {
		names = append(names, g.Name())
	}
	return names
}

// settings fills in the game's own struct from its part of the file.
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
		targets = append(targets, addressable(&arena.Openings{}))
	}
	r.structure(node, path, targets...)
}

// canonical returns settings as text, which is equal for equal settings.
func canonical(settings any) string {
	if settings == nil {
		return ""
	}
	text, err := json.Marshal(settings)
	if err != nil {
		panic(fmt.Sprintf("config: settings of a game cannot be written: %v", err))
	}
	if string(text) == "{}" {
		return "" // nothing is set
	}
	return string(text)
}

// defaultMove is the time for each move in a run without a limit.
const defaultMove = 200 * time.Millisecond

// limit checks the limit of the run (whole) or of an engine, which overrides a
// part of it.
func (r *resolver) limit(path string, l *arena.Limit, whole bool) {
	switch kinds := l.Kinds(); {
	case len(kinds) > 1:
		r.bad(path, "%s and %s together, expected one of %s (max_move bounds the wall time of limits without one)", kinds[0], kinds[1], strings.Join(arena.LimitKinds(), ", "))
	case len(kinds) == 1 && l.MaxMove > 0 && l.Timed():
		r.bad(path+".max_move", "max_move is for limits without wall time, expected no max_move with %s", kinds[0])
	case len(kinds) == 0 && whole:
		for _, kind := range arena.LimitKinds() {
			if r.given(path, kind) && len(r.problems) == 0 {
				r.bad(path+"."+kind, "0 is no limit, expected more")
			}
		}
		l.Move = defaultMove
	}
	if l.Clock == 0 && (l.Increment > 0 || l.Period > 0) {
		r.bad(path+".clock", "no time on the clock, expected some before the +")
	}
	if whole {
		longest := l.MaxMove
		if arena.SetDefaults(l); l.Timed() {
			l.MaxMove = longest
		}
	}
}
