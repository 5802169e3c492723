package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"thera/arena"
	"thera/engine/game"
)

// defaultIdle is what an engine may use on its opponent's time in a game.
const defaultIdle = 50 * time.Millisecond

func (r *resolver) engines(f *file) []arena.EngineSpec {
	var specs []arena.EngineSpec
	lines := map[string]string{}
	for i := range f.Engines {
		e := &f.Engines[i]
		path := fmt.Sprintf("engines[%d]", i)
		specs = append(specs, r.engine(path, e))
		if e.Name == "" {
			if r.given("engines", strconv.Itoa(i), "name") {
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
	for i, name := range f.Tournament.Seeds {
		path := fmt.Sprintf("tournament.seeds[%d]", i)
		at := slices.IndexFunc(specs, func(s arena.EngineSpec) bool { return s.Name == name })
		if at < 0 {
			names := make([]string, len(specs))
			for i, s := range specs {
				names[i] = s.Name
			}
			r.bad(path, "no engine %q, %s", name, hint(name, names))
			continue
		}
		specs[at].Seed = true
	}
	return specs
}

func (r *resolver) engine(path string, e *engine) arena.EngineSpec {
	spec := arena.EngineSpec{
		Name: e.Name, Protocol: e.Protocol, Dialect: e.Dialect, Options: e.Options, Memory: int64(e.Memory), Fresh: e.Fresh,
		Limit: r.limit(path+".limit", e.Limit, false), CPUs: e.CPUs, OnFault: arena.FaultPolicy(e.OnFault), MaxFault: e.MaxFault,
		IdleCPU: e.IdleCPU, IdleLoss: e.IdleLoss, Anchor: e.Anchor, Seed: e.Seed,
	}
	if spec.OnFault == "" {
		spec.OnFault = arena.FaultForfeit
	}
	if spec.IdleCPU == 0 {
		spec.IdleCPU = defaultIdle
	}
	if spec.Protocol == "" {
		spec.Protocol = "auto"
	}
	for name, value := range e.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			r.bad(path+".env", "%q cannot be an environment variable, expected NAME: value", name)
		}
		spec.Env = append(spec.Env, name+"="+value)
	}
	slices.Sort(spec.Env)
	r.protocol(path, e)
	switch {
	case spec.OnFault == arena.FaultDrop && e.MaxFault < 1:
		r.bad(path, "on_fault: drop without max_faults, expected how many faults are too many")
	case spec.OnFault != arena.FaultDrop && e.MaxFault != 0:
		r.bad(path+".max_faults", "max_faults counts only with on_fault: drop, expected that beside it")
	}
	for i, cpu := range e.CPUs {
		if cpu < 0 || cpu > 4095 {
			r.bad(fmt.Sprintf("%s.cpus[%d]", path, i), "%d is no processor, expected a number from 0", cpu)
		}
	}
	if e.Dir != "" {
		spec.Dir = r.beside(e.Dir)
		if info, err := os.Stat(spec.Dir); err != nil || !info.IsDir() {
			r.bad(path+".dir", "no folder %s, expected one beside the match file", e.Dir)
		}
	}
	r.program(path, e, &spec)
	return spec
}

func (r *resolver) protocol(path string, e *engine) {
	if r.game == nil || e.Protocol == "" || e.Protocol == "auto" {
		return
	}
	names := []string{"auto"}
	for _, d := range r.game.Dialects() {
		names = append(names, d.Name())
	}
	if !slices.Contains(names, e.Protocol) {
		r.bad(path+".protocol", "%s has no protocol %q, %s", r.game.Name(), e.Protocol, hint(e.Protocol, names))
	}
}

// program finds what is to be started and takes its hash.
func (r *resolver) program(path string, e *engine, spec *arena.EngineSpec) {
	switch {
	case e.Builtin && len(e.Command) > 0:
		r.bad(path+".command", "a command beside builtin: true, expected one of them")
		return
	case e.Builtin:
		spec.Builtin = e.Binary == ""
		r.builtin(path, e, spec)
		return
	case e.Binary != "":
		r.bad(path+".binary", "a binary without builtin: true, expected that, or command")
		return
	case len(e.Command) == 0:
		if e.Name != "" || r.given("engines") {
			r.bad(path, "nothing to start, expected command or builtin: true")
		}
		return
	}
	program, err := r.look(e.Command[0])
	if err != nil {
		r.bad(path+".command", "%v", err)
		return
	}
	spec.Command = append([]string{program}, e.Command[1:]...)
	if spec.Binary, err = r.hash(program, r.named(spec)); err != nil {
		r.bad(path+".command", "%v", err)
	}
}

func (r *resolver) builtin(path string, e *engine, spec *arena.EngineSpec) {
	if r.game == nil {
		return
	}
	if _, ok := r.game.(game.Server); !ok {
		r.bad(path+".builtin", "%s has no built-in engine, expected a command", r.game.Name())
		return
	}
	binary, key := r.host.Self, "builtin"
	if e.Binary != "" {
		key = "binary"
		var err error
		if binary, err = r.look(e.Binary); err != nil {
			r.bad(path+"."+key, "%v", err)
			return
		}
	}
	spec.Command = []string{binary, "engine", r.game.Name()}
	var err error
	if spec.Binary, err = r.hash(binary, nil); err != nil {
		r.bad(path+"."+key, "%v", err)
	}
}

// beside is a path seen from the match file.
func (r *resolver) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	dir := filepath.Dir(r.file)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.host.Dir, dir)
	}
	return filepath.Join(dir, path)
}

// look finds a program: a path beside the match file, then in the working
// directory, a bare word in PATH.
func (r *resolver) look(word string) (string, error) {
	if !strings.ContainsRune(filepath.ToSlash(word), '/') {
		found, err := exec.LookPath(word)
		if err != nil {
			return "", fmt.Errorf("no program %q in PATH, expected one (a path starts with ./ or /)", word)
		}
		return filepath.Abs(found)
	}
	var refused error
	for _, path := range []string{r.beside(word), filepath.Join(r.host.Dir, word)} {
		if filepath.IsAbs(word) {
			path = word
		}
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", fmt.Errorf("program %s: %w", word, err)
		case info.IsDir():
			refused = fmt.Errorf("%s is a folder, expected a program", word)
			continue
		}
		found, err := exec.LookPath(path)
		if err != nil {
			refused = fmt.Errorf("%s cannot be executed, expected a program (chmod +x?)", word)
			continue
		}
		return found, nil
	}
	if refused != nil {
		return "", refused
	}
	return "", fmt.Errorf("no file %s, expected a program beside the match file or in the working directory", word)
}

// named are the files that further words of the command name.
func (r *resolver) named(spec *arena.EngineSpec) []string {
	base := spec.Dir
	if base == "" {
		base = r.host.Dir
	}
	var files []string
	for _, word := range spec.Command[1:] {
		if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
			word = value
		}
		path := word
		if !filepath.IsAbs(path) {
			path = filepath.Join(base, path)
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, path)
		}
	}
	return files
}
