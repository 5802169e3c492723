package config

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
)

// complete finds what the decoded plan of a bound game names, gives it the defaults that
// follow from other settings, and checks how they fit together. The plan is usable only
// if there are no errors.
func (r *reader) complete(p *arena.Plan) {
	auto := p.Concurrency == 0
	if auto {
		p.Concurrency = 1
	}
	if p.Name == "" {
		p.Name = r.runName()
	}
	r.limit("limit", &p.Limit, true)
	r.engines(p)
	r.rulesEngine(p)
	tournament.Complete(p, r.given, r.bad)
	if _, ok := r.game.(game.Prover); p.Adjudicate.Tables && r.game != nil && !ok {
		r.bad("adjudicate.tables", "%s has no tables, expected false", r.game.Name())
	}
	r.openings(p)
	if auto {
		p.Concurrency = max(1, (r.host.Cores-1)/busy(p))
	}
}

// fits checks the settings of a struct that need others beside them, or exclude them.
func (r *reader) fits(path string, v reflect.Value) bool {
	set := map[string]bool{}
	for s := range arena.Fields(v) {
		set[s.Key] = set[s.Key] || !s.Value.IsZero()
	}
	before := len(r.problems)
	for s := range arena.Fields(v) {
		for _, other := range strings.Fields(s.Tag.Get("needs")) {
			if set[s.Key] && !set[other] {
				r.bad(join(path, s.Key), "%s without %s, expected both", s.Key, other)
			}
		}
		for _, other := range strings.Fields(s.Tag.Get("not")) {
			if set[s.Key] && set[other] {
				r.bad(join(path, s.Key), "%s with %s, expected one of them", s.Key, other)
			}
		}
	}
	return len(r.problems) == before
}

// runName returns the path of the file, relative to the working directory if the
// file is below it.
func (r *reader) runName() string {
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

// findGame finds the game that the file names: its rules and openings are read into its
// own settings. What is wrong with the name is reported where it is read.
func (r *reader) findGame() {
	name := below(r.root, "game")
	for _, g := range r.host.Games {
		if name != nil && name.Value == g.Name() {
			r.play(g)
		}
	}
}

// player is the built-in engine of the game.
func (r *reader) player() game.Player {
	if r.host.Players == nil {
		return nil
	}
	return r.host.Players(r.game.Name())
}

func (r *reader) play(g game.Game) {
	r.game = g
	r.ownRules, r.ownOpenings = g.Settings()
}

// bind binds the game to its settings.
func (r *reader) bind(p *arena.Plan) {
	if r.game == nil || !r.clean("game") || !r.clean("rules") || !r.clean("openings") {
		return // With needs valid settings
	}
	bound, problems := r.game.With(r.ownRules, r.ownOpenings)
	for _, problem := range problems {
		r.bad(problem.Path, "%v", problem.Err)
	}
	if len(problems) == 0 {
		r.game, p.Game = bound, bound
		p.Player = r.player()
	}
	p.Rules, p.Openings.Own = canonical(r.ownRules), canonical(r.ownOpenings)
}

// canonical returns settings as text, which is equal for equal settings.
func canonical(settings any) string {
	if settings == nil {
		return ""
	}
	text := string(arena.JSON(settings))
	if text == "{}" {
		return "" // nothing is set
	}
	return text
}

// Bind is a game with rules, which are key=value words as after rules. in --set.
func Bind(g game.Game, rules []string) (game.Game, error) {
	r := newReader("", Host{})
	r.root = mapping()
	r.play(g)
	for _, word := range rules {
		r.set(word, "rules."+word)
	}
	if given := below(r.root, "rules"); given != nil {
		r.decode(given, reflect.Value{}, "rules", `form:"own"`)
	}
	var p arena.Plan
	r.bind(&p)
	return p.Game, r.err()
}

// defaultMove is the time for each move in a run without a limit.
const defaultMove = 200 * time.Millisecond

// limit checks the limit of the run (whole) or of an engine, which overrides a
// part of it.
func (r *reader) limit(path string, l *arena.Limit, whole bool) {
	switch kinds := l.Kinds(); {
	case len(kinds) > 1:
		r.bad(path, "%s and %s together, expected one of %s (max_move bounds the wall time of limits without one)",
			kinds[0], kinds[1], strings.Join(arena.LimitKinds(), ", "))
	case len(kinds) == 1 && l.MaxMove > 0 && l.Timed():
		r.bad(path+".max_move", "max_move is for limits without wall time, expected no max_move with %s", kinds[0])
	case len(kinds) == 0 && whole:
		l.Move = defaultMove
	}
	if whole {
		longest := l.MaxMove
		if arena.SetDefaults(l); l.Timed() {
			l.MaxMove = longest
		}
	}
}

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
	const key = "rules.law"
	name := catalog.RulesEngine()
	if name == game.BothEngines {
		return
	}
	if spec := p.Engine(name); spec != nil {
		if spec.Git != "" {
			r.bad(key, "%q is built from a commit, expected an engine that is there, or a program", name)
		}
		p.Law.Binary = spec.Binary
		return
	}
	words, err := SplitWords(name)
	if err != nil {
		r.bad(key, "%v", err)
		return
	}
	program, err := r.look(words[0])
	switch {
	case err != nil && len(words) == 1 && !strings.ContainsRune(name, '/'):
		near := hint(name, append(engineNames(p), game.BothEngines))
		r.bad(key, "%q is neither an engine of this file nor a program, %s", name, near)
		return
	case err != nil:
		r.bad(key, "%v", err)
		return
	}
	words[0] = program
	p.Law.Command = words
	spec := arena.EngineSpec{Command: words}
	r.hash(key, &spec, words, nil)
	p.Law.Binary, p.Law.Hashed = spec.Binary, spec.Hashed
}

// busy returns the number of cores that a game uses: the most threads set for an engine,
// or twice as many in games with simultaneous moves.
func busy(p *arena.Plan) int {
	threads := 1
	for _, e := range p.Engines {
		for _, o := range e.Options {
			if n, err := strconv.Atoi(o.Value); err == nil && strings.EqualFold(o.Name, "threads") {
				threads = max(threads, n)
			}
		}
	}
	if p.Game == nil {
		return threads
	}
	if pos, err := p.Game.Start(0, p.Seed); err == nil && pos.ToMove() == game.Both {
		return 2 * threads
	}
	return threads
}

// Overload returns a warning if the run needs more than the given number of
// cores, and "" otherwise.
func Overload(p *arena.Plan, cores int) string {
	needed := busy(p)
	if p.Concurrency*needed <= cores {
		return ""
	}
	return fmt.Sprintf("concurrency %d x %s a game are more than the %d cores allowed here: "+
		"engines will slow each other down (hint: concurrency: auto)", p.Concurrency, arena.Plural(needed, "thread"), cores)
}
