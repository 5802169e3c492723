package arena

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"thera/arena/files"
	"thera/engine/game"
)

// Condition is one playing condition: a setting by its key in a match file,
// and its value as text. Values of environment variables are not in it.
type Condition struct{ Key, Value string }

// Conditions are the playing conditions of a run: what must not change under
// its name while it goes on. A setting that is not set is left out.
type Conditions struct {
	Common  []Condition // in the order of declaration
	Engines []EngineConditions
}

// EngineConditions are those of one engine. Its limit is the one in force.
type EngineConditions struct {
	Name   string
	List   []Condition
	Hashed []files.File // of which the condition binary is the hash
	Own    bool         // it has a limit of its own
}

// Conditions are the plan's.
func (p *Plan) Conditions() Conditions {
	c := Conditions{Common: p.common()}
	for _, e := range p.Engines {
		c.Engines = append(c.Engines, EngineConditions{e.Name, p.conditionsOf(e.Name), e.Hashed, e.Limit != (Limit{})})
	}
	return c
}

// ConditionsOf are those of a stored run.
func (p Plan) ConditionsOf(gameName string, engines []EngineSpec) Conditions {
	p.Game, p.Engines = storedGame{name: gameName}, engines
	return p.Conditions()
}

// storedGame is a game of which only the name is known.
type storedGame struct {
	game.Game
	name string
}

func (g storedGame) Name() string { return g.name }

// common are the conditions that all games of the plan share.
func (p *Plan) common() []Condition {
	at := *p
	at.Openings.Random = at.Openings.Random && !at.Format.NumberIsStart()
	if at.Openings.Balanced == 0 {
		at.Openings.JudgeNodes = 0 // there is no judge
	}
	SetDefaults(&at.Openings)
	return walk(nil, "", reflect.ValueOf(at))
}

// conditionsOf are those of the engine of that name, nil if there is none.
func (p *Plan) conditionsOf(name string) []Condition {
	spec := p.Engine(name)
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

// valueText is a value as a match file has it, "" where nothing is set. Values
// that differ have texts that differ.
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
		if tag.Get("form") == "env" {
			x = SealEnv(x)
		}
		for _, w := range x {
			words = append(words, quoted(w))
		}
		return strings.Join(words, " ")
	case []game.Option:
		for _, o := range x {
			words = append(words, assigned(o.Name, o.Value))
		}
		return strings.Join(words, " ")
	case map[string]string:
		for name, value := range x {
			words = append(words, assigned(name, value))
		}
		sort.Strings(words)
		return strings.Join(words, " ")
	}
	return fmt.Sprint(v.Interface())
}

// quoted is a word that stands among others.
func quoted(word string) string {
	if q := strconv.Quote(word); word == "" || len(q) != len(word)+2 || strings.Contains(word, " ") {
		return q
	}
	return word
}

func assigned(name, value string) string {
	if strings.Contains(name, "=") {
		return strconv.Quote(name) + "=" + quoted(value)
	}
	return quoted(name) + "=" + quoted(value)
}

// Differences says what is not what it was, a setting a line: "limit.sync: was
// 2s, is 5s". Engines that are new, or that left, make no difference; a limit
// of the run is said once.
func (c Conditions) Differences(is Conditions) []string {
	lines := changes(c.Common, is.Common)
	for _, e := range is.Engines {
		at := slices.IndexFunc(c.Engines, func(was EngineConditions) bool { return was.Name == e.Name })
		if at < 0 {
			continue
		}
		was := c.Engines[at]
		for _, line := range changes(was.List, e.List) {
			if strings.HasPrefix(line, "binary: ") {
				line += files.Differ(was.Hashed, e.Hashed)
			}
			if !strings.HasPrefix(line, "limit.") || was.Own || e.Own {
				line = "engines." + e.Name + "." + line
			}
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return lines
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
