package config

import (
	"strings"

	"thera/arena"
	"thera/engine/game"
)

// rulesEngine finds the program whose list of moves decides: an engine of the file, or a
// command.
func (r *reader) rulesEngine(p *arena.Plan) {
	catalog, ok := r.game.(game.RoleCatalog)
	if !ok || p.Game == nil {
		return
	}
	if p.Openings.Balanced > 0 {
		if pos := game.ForeignStart(p.Game); pos != nil {
			r.bad("openings.balanced", "the rules of %s are not known to the judge, expected random_plies alone", pos)
		}
	}
	name := catalog.Law()
	if name == game.LawBoth {
		return
	}
	if spec := p.Engine(name); spec != nil {
		if spec.Git != "" {
			r.bad("rules.law", "%q is built from a commit, expected an engine that is there, or a program", name)
		}
		p.Law.Binary = spec.Binary
		return
	}
	words, err := SplitWords(name)
	if err != nil {
		r.bad("rules.law", "%v", err)
		return
	}
	program, err := r.look(words[0])
	switch {
	case err != nil && len(words) == 1 && !strings.ContainsRune(name, '/'):
		near := hint(name, append(engineNames(p), game.LawBoth))
		r.bad("rules.law", "%q is neither an engine of this file nor a program, %s", name, near)
		return
	case err != nil:
		r.bad("rules.law", "%v", err)
		return
	}
	words[0] = program
	p.Law.Command = words
	spec := arena.EngineSpec{Command: words}
	r.hash("rules.law", &spec, words, nil)
	p.Law.Binary, p.Law.Hashed = spec.Binary, spec.Hashed
}
