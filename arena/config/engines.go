package config

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/files"
	"thera/engine/game"
)

func (r *reader) engines(p *arena.Plan) {
	if len(p.Engines) == 0 && r.given("engines") {
		r.bad("engines", "no engines, expected at least two")
	}
	lines := map[string]string{}
	for i := range p.Engines {
		e, path := &p.Engines[i], "engine" // all engines of a contest stand there
		if r.given("engines") {
			path = fmt.Sprintf("engines[%d]", i)
		}
		r.engine(path, e)
		if e.Name == "" {
			if r.given(path + ".name") {
				r.bad(path+".name", "empty, expected a name")
			}
			continue
		}
		if strings.ContainsFunc(e.Name, unicode.IsControl) || len(e.Name) > 100 {
			r.bad(path+".name", "%.40q cannot be a name, expected up to 100 printable letters", e.Name)
		}
		if other, twice := lines[e.Name]; twice {
			r.bad(path+".name", "%q is also the name of %s, expected names that differ", e.Name, other)
		}
		lines[e.Name] = path
	}
	r.leaveOut(p)
	for i, name := range p.Format.Seeds {
		if spec := p.Engine(name); spec != nil {
			spec.Seed = true
			continue
		}
		r.bad(fmt.Sprintf("tournament.seeds[%d]", i), "no engine %q, %s", name, hint(name, engineNames(p)))
	}
}

func engineNames(p *arena.Plan) []string {
	return arena.Map(p.Engines, func(e arena.EngineSpec) string { return e.Name })
}

// engine checks an engine and finds its program.
func (r *reader) engine(path string, e *arena.EngineSpec) {
	if e.Baseline != "" {
		r.baseline(path, e)
		return
	}
	r.limit(path+".limit", &e.Limit, false)
	known := r.unpack(path, e)
	r.protocol(path, e)
	switch {
	case e.OnFault == arena.FaultDrop && e.MaxFault < 1:
		r.bad(path, "on_fault: drop without max_faults, expected a number of faults")
	case e.OnFault != arena.FaultDrop && e.MaxFault != 0:
		r.bad(path+".max_faults", "max_faults needs on_fault: drop")
	}
	r.folder(path+".dir", &e.Dir)
	r.folder(path+".git", &e.Git)
	for key, list := range map[string][]string{"read": e.Read, "write": e.Write} {
		for i, word := range list {
			list[i] = r.nextTo(word)
			if _, err := os.Stat(list[i]); err != nil {
				at := fmt.Sprintf("%s.%s[%d]", path, key, i)
				r.bad(at, "no file or folder %s, expected one next to the match file", word)
			}
		}
	}
	for i, pattern := range e.Files {
		e.Files[i] = r.nextTo(pattern)
	}
	if known {
		r.program(path, e)
	}
}

// folder finds a folder, if one is named.
func (r *reader) folder(path string, name *string) {
	if *name == "" {
		return
	}
	dir := r.nextTo(*name)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		r.bad(path, "no folder %s, expected one next to the match file", *name)
	}
	*name = dir
}

func (r *reader) protocol(path string, e *arena.EngineSpec) {
	if r.game == nil || e.Protocol == "auto" {
		return
	}
	names := slices.Compact(append([]string{"auto"}, arena.Map(r.game.Dialects(), game.Dialect.Name)...))
	if !slices.Contains(names, e.Protocol) {
		r.bad(path+".protocol", "%s has no protocol %q, %s", r.game.Name(), e.Protocol, hint(e.Protocol, names))
		return
	}
	if e.Adapt(r.game, r.host.Self); e.Builtin && len(e.Through) > 0 {
		r.bad(path+".protocol", "the built-in engine does not speak %s, expected no protocol", e.Protocol)
	}
}

// unpack reads how an engine starts from the file that came with it, if its command is that file, or
// the folder with it, and the game has such files. Commits bring none. It is false if that is wrong.
func (r *reader) unpack(path string, e *arena.EngineSpec) bool {
	packager, ok := r.game.(game.Archiver)
	if !ok || !r.mine || e.Git != "" || len(e.Command) != 1 {
		return true
	}
	file := r.find(e.Command[0])
	if in := filepath.Join(file, packager.Manifest()); files.IsRegular(in) {
		file = in
	}
	if filepath.Base(file) != packager.Manifest() {
		return true
	}
	var p game.Package
	dir := filepath.Dir(file)
	text, err := files.Read(file, maxFile)
	if err == nil {
		p, err = packager.ReadManifest(text)
	}
	if err == nil {
		err = inFolder(dir, p.Command)
	}
	if err != nil {
		r.bad(path+".command", "%s: %v", file, err)
		return false
	}
	e.Command, e.Dir = p.Command, cmp.Or(e.Dir, dir)
	if e.Protocol == "auto" {
		e.Protocol = p.Protocol
	}
	return true
}

// program finds the program to start and computes its hash.
func (r *reader) program(path string, e *arena.EngineSpec) {
	if !r.fits(path, valueOf(e)) {
		return
	}
	other := e.Binary // with builtin: the path of another version
	e.Binary = ""
	switch {
	case e.Git != "": // the program is known after the build
		return
	case e.Builtin:
		r.builtin(path, other, e)
		return
	case len(e.Command) == 0:
		if !r.mistyped(path) {
			r.bad(path, "nothing to start, expected command or builtin: true")
		}
		return
	}
	program, err := r.look(e.Command[0])
	if err != nil {
		r.bad(path+".command", "%v", err)
		return
	}
	e.Command[0] = program
	r.hash(path+".command", e, e.Command, e.Files)
}

// hash finds the files of an engine that starts with words, and computes its hash from
// them.
func (r *reader) hash(path string, e *arena.EngineSpec, words, patterns []string) {
	dir := cmp.Or(e.Dir, r.host.Dir)
	key := fmt.Sprintf("%q %q %q", words, dir, patterns)
	list, known := r.hashed[key]
	if !known {
		var err error
		if list, err = files.Of(words, dir, patterns); err != nil {
			r.bad(path, "%v", err)
			return
		}
		r.hashed[key] = list
	}
	e.Hashed = slices.Clone(list)
	e.Binary = files.Digest(list)
}

// builtin sets up the game's engine, from this binary or from another one.
func (r *reader) builtin(path, other string, e *arena.EngineSpec) {
	if r.game == nil {
		return
	}
	binary, key := r.host.Self, "builtin"
	var err error
	if other != "" {
		key = "binary"
		if binary, err = r.look(other); err != nil {
			r.bad(path+"."+key, "%v", err)
			return
		}
	}
	e.Builtin = other == ""
	e.Command = []string{binary, "engine", r.game.Name()}
	var player game.Player
	var version game.Version
	if e.Builtin { // another version may have other options
		if player = r.player(); player != nil {
			version = player.Version()
		}
	}
	if version.Signature == 0 {
		r.hash(path+"."+key, e, e.Command[:1], []string{}) // no other file is the engine's
	} else { // its identity, rather than the program's
		program, err := files.Program(binary)
		if err != nil {
			r.bad(path+"."+key, "%v", err)
			return
		}
		const text = "%s: signature %d, weights %s, revision %d"
		e.Hashed = []files.File{program}
		e.Binary = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, text, r.game.Name(), version.Signature, version.Weights, version.Revision)))
	}
	if player == nil {
		return
	}
	for _, o := range e.Options {
		if err := player.CheckOption(o.Name, o.Value); err != nil {
			r.bad(path+".options."+o.Name, "%v", err)
		}
	}
}

// nextTo resolves a path relative to the match file.
func (r *reader) nextTo(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	dir := filepath.Dir(r.file)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.host.Dir, dir)
	}
	return filepath.Join(dir, path)
}

// find is the path of a file, relative to the match file or, if it is not there, to the
// working directory.
func (r *reader) find(name string) string {
	path := r.nextTo(name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && !filepath.IsAbs(name) {
		return filepath.Join(r.host.Dir, name)
	}
	return path
}

// look finds a program. A bare word is looked up in PATH.
func (r *reader) look(word string) (string, error) {
	if !strings.ContainsRune(filepath.ToSlash(word), '/') {
		found, err := exec.LookPath(word)
		if err != nil {
			return "", fmt.Errorf("no program %q in PATH, expected one (a path starts with ./ or /)", word)
		}
		return filepath.Abs(found)
	}
	found, err := exec.LookPath(r.find(word))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("no file %s, expected a program next to the match file or in the working directory", word)
	case err != nil:
		return "", fmt.Errorf("%s cannot be executed, expected a program (chmod +x?)", word)
	}
	return found, nil
}

// baselines adds an engine for each baseline of the game.
func (r *reader) baselines() {
	on, list := below(r.root, "baselines"), below(r.root, "engines")
	switch {
	case on == nil || on.Value != "true" || r.game == nil || r.player() == nil:
		return
	case list == nil || list.Kind != yaml.SequenceNode:
		return // which is an error elsewhere
	}
	for _, b := range r.player().Baselines() {
		engine := mapping()
		engine.Line, engine.Column = on.Line, on.Column
		put(engine, "name", scalar("baseline "+b.Name))
		put(engine, "baseline", scalar(b.Name))
		list.Content = append(list.Content, engine)
	}
}

// baseline sets up an engine that is a baseline. Its identity is what it plays, so that it
// remains the same engine in a program with a better player.
func (r *reader) baseline(path string, e *arena.EngineSpec) {
	if !r.fits(path, valueOf(e)) || r.game == nil || r.player() == nil {
		return
	}
	var names []string
	for _, b := range r.player().Baselines() {
		if names = append(names, b.Name); b.Name != e.Baseline {
			continue
		}
		r.limit(path+".limit", &e.Limit, false)
		r.protocol(path, e)
		e.Options, e.Limit.Nodes = b.Options, b.Nodes
		r.builtin(path, "", e)
		e.Binary = fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s baseline: %s", r.game.Name(), b.Plays)))
		return
	}
	r.bad(path+".baseline", "%s has no baseline %q, %s", r.game.Name(), e.Baseline, hint(e.Baseline, names))
}
