package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"thera/arena/files"
	"thera/engine/game"
)

// Condition is one playing condition: a setting by its key in a match file,
// and its value as text. Values of environment variables are not in it.
type Condition struct{ Key, Value string }

// storedGame is a game of which only the name is known.
type storedGame struct {
	game.Game
	name string
}

func (g storedGame) Name() string { return g.name }

// Conditions returns the playing conditions that all games of the plan share, in the order of
// declaration. A setting that is not set is left out.
func (p *Plan) Conditions() []Condition {
	at := *p
	at.Openings.Random = at.Openings.Random && !at.Format.NumberIsStart()
	if at.Openings.Balanced == 0 {
		at.Openings.JudgeNodes = 0 // there is no judge
	}
	SetDefaults(&at.Openings)
	return walk(nil, "", reflect.ValueOf(at))
}

// ConditionsOf returns those of one engine, with the limit in force. An engine that is nil has none.
func (p *Plan) ConditionsOf(spec *EngineSpec) []Condition {
	if spec == nil {
		return nil
	}
	e := *spec
	if e.Command = slices.Clone(e.Command); len(e.Command) > 0 {
		for i, word := range e.Command {
			if e.Out != "" { // the same build may be elsewhere
				e.Command[i] = strings.ReplaceAll(word, e.Out, "$OUT")
			}
		}
		if e.Command[0] = filepath.Base(e.Command[0]); e.Builtin {
			e.Command[0] = "builtin"
		}
	}
	e.Limit = p.LimitOf(spec)
	SetDefaults(&e.Limit) // runs of older versions have none of later limits
	SetDefaults(&e)
	return walk(nil, "", reflect.ValueOf(e))
}

// walk adds the playing conditions of a struct of settings.
func walk(list []Condition, at string, v reflect.Value) []Condition {
	for s := range Fields(v) {
		path := s.Key
		if at != "" {
			path = at + "." + path
		}
		switch declared := s.Tag.Get("condition"); {
		case declared == "" && s.Value.Kind() == reflect.Struct:
			list = walk(list, path, s.Value)
		case declared == "yes":
			if value := valueText(s.Value, s.Tag); value != "" {
				list = append(list, Condition{path, value})
			}
		}
	}
	return list
}

// valueText returns a value as a match file has it, "" where nothing is set. Values
// that differ have texts that differ, unless an option has "=" in its name.
func valueText(v reflect.Value, tag reflect.StructTag) string {
	if enum := tag.Get("enum"); enum != "" && v.Kind() == reflect.Bool {
		first, second, _ := strings.Cut(enum, ",")
		return map[bool]string{false: first, true: second}[v.Bool()]
	}
	if _, defaulted := tag.Lookup("default"); v.IsZero() && !defaulted {
		return ""
	}
	var words []string
	switch x := v.Interface().(type) {
	case fmt.Stringer:
		return x.String()
	case interface{ Name() string }:
		return x.Name()
	case []string:
		if words = x; tag.Get("form") == "env" {
			words = SealEnv(x)
		}
	case []game.Option:
		words = Map(x, func(o game.Option) string { return o.Name + "=" + o.Value })
	case map[string]string:
		words = Map(slices.Sorted(maps.Keys(x)), func(name string) string { return name + "=" + x[name] })
	default:
		return fmt.Sprint(x)
	}
	return shellquote.Join(words...)
}

// Differences returns the playing conditions that another plan of the run changes, one line each:
// "limit.sync: was 2s, is 5s". Engines that are new, or that left, make no difference. A limit of
// the run is named once.
func (p *Plan) Differences(is *Plan) []string {
	lines := changes(p.Conditions(), is.Conditions())
	for i := range is.Engines {
		run, its := p.differencesOf(is, &is.Engines[i])
		for _, line := range append(run, its...) {
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// differencesOf returns those of one engine: of the run's limit, and its own.
func (p *Plan) differencesOf(is *Plan, e *EngineSpec) (run, its []string) {
	was := p.Engine(e.Name)
	if was == nil {
		return nil, nil
	}
	for _, line := range changes(p.ConditionsOf(was), is.ConditionsOf(e)) {
		if strings.HasPrefix(line, "binary: ") {
			line += files.Differ(was.Hashed, e.Hashed)
		}
		if !strings.HasPrefix(line, "limit.") || was.Limit != (Limit{}) || e.Limit != (Limit{}) {
			its = append(its, "engines."+e.Name+"."+line)
		} else {
			run = append(run, line)
		}
	}
	return run, its
}

// changes compares two lists by key.
func changes(was, is []Condition) (lines []string) {
	value := func(list []Condition, key string) string {
		if at := slices.IndexFunc(list, func(c Condition) bool { return c.Key == key }); at >= 0 {
			return list[at].Value
		}
		return "not set"
	}
	for _, c := range slices.Concat(is, was) {
		before, now := value(was, c.Key), value(is, c.Key)
		if line := fmt.Sprintf("%s: was %s, is %s", c.Key, before, now); before != now && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// digest marks a value that is stored as a fingerprint only.
const digest = "sha256:"

// SealEnv is NAME=value words with fingerprints for the values: a change is
// noticed without revealing the value. Values may be passwords, and databases
// and exports are shared. 32 bits reveal little about a value; a short password
// can still be guessed by them. What is sealed stays as it is.
func SealEnv(env []string) []string {
	out := slices.Clone(env)
	for i, word := range out {
		name, value, _ := strings.Cut(word, "=")
		if !strings.HasPrefix(value, digest) || len(value) != len(digest)+8 {
			sum := sha256.Sum256([]byte(word))
			out[i] = name + "=" + digest + hex.EncodeToString(sum[:4])
		}
	}
	return out
}

// Identity makes the identities of one pairing's games. It does not depend on
// the order of the engines in the file.
type Identity struct {
	Pairing [2]string
	digest  [sha256.Size]byte
	seed    uint64
	shared  bool
}

// Identity is that of a pairing of the plan.
func (p *Plan) Identity(pairing [2]string) Identity {
	a, b := sorted(pairing)
	text := JSON([3][]Condition{p.Conditions(), p.ConditionsOf(p.Engine(a)), p.ConditionsOf(p.Engine(b))})
	return Identity{Pairing: pairing, digest: sha256.Sum256(text), seed: p.Seed, shared: p.Openings.Shared}
}

// Job is the identity of one game: the conditions, the number of its pair and
// who sits where.
func (i Identity) Job(pair, leg int) string {
	round := 0 // tells the two games of an engine against itself apart
	if i.Pairing[0] == i.Pairing[1] {
		round = leg
	}
	sum := sha256.Sum256(fmt.Appendf(i.digest[:], "\x00%d\x00%s\x00%d", pair, i.Pairing[leg%2], round))
	return hex.EncodeToString(sum[:16])
}

// Opening is the seed of a pair's opening. It depends on the run's seed, the
// pairing, unless openings are shared, and the pair alone.
func (i Identity) Opening(pair int) uint64 {
	a, b := sorted(i.Pairing)
	if i.shared {
		a, b = "", ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d", i.seed, a, b, pair))
	return binary.LittleEndian.Uint64(sum[:])
}

func sorted(pairing [2]string) (a, b string) {
	return min(pairing[0], pairing[1]), max(pairing[0], pairing[1])
}
