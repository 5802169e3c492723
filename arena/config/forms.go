package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"
	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/arena/tournament"
	"thera/engine/game"
)

// form is the notation of a setting that is not written as its Go type. The form
// tag names it.
type form struct {
	read   func(r *reader, node *yaml.Node, target reflect.Value, path string)
	schema string // "" is that of the type
}

// forms are all forms, for the decoder and the schema.
var forms = map[string]form{
	"clock": scalarForm(
		"time a game, with an increment after + and moves a period before /, as 60s+0.6s or 40/60s+0.6s",
		`{"type": ["string", "number"], "examples": ["60s+0.6s", "40/60s", "10+0.1"]}`, parseClock,
	),
	"count": scalarForm("a whole number from 1 to 4096, or auto",
		`{"oneOf": [{"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": 4096}]}`, parseCount),
	"size":    scalarForm("a size such as 512MiB or 2GiB", `{"type": ["integer", "string"], "examples": ["2GiB"]}`, parseSize),
	"percent": scalarForm("a fraction such as 5% or 0.05", `{"type": ["number", "string"], "examples": ["5%", 0.05]}`, parsePercent),
	"command": {readCommand, `{"oneOf": [` + anyText + `, {"type": "array", "items": ` + anyText + `, "minItems": 1}]}`},
	"format": {func(r *reader, node *yaml.Node, target reflect.Value, path string) {
		r.scalar(node, target, path, oneOf(tournament.Names()))
	}, `{}`}, // see fieldSchema
	"later": {read: func(_ *reader, node *yaml.Node, target reflect.Value, _ string) {
		target.Set(reflect.ValueOf(node))
	}},
	"none": {read: func(r *reader, node *yaml.Node, _ reflect.Value, path string) {
		r.fault(node, path, path[strings.LastIndex(path, ".")+1:]+" does not belong here")
	}},
	"env": {readEnv, scalarsSchema},
	"game": {func(r *reader, node *yaml.Node, _ reflect.Value, path string) {
		var name string
		r.scalar(node, valueOf(&name), path, oneOf(arena.Map(r.host.Games, game.Game.Name)))
	}, anyText},
	"own": {nil, `{"type": ["object", "null"]}`}, // see value
}

// typed are the forms of settings that have none, by their types.
var typed = map[reflect.Type]form{
	reflect.TypeFor[time.Duration](): scalarForm("a duration such as 200ms",
		`{"type": "string", "pattern": "^([0-9]+(\\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$|^0$|^\\$\\{", "examples": ["200ms"]}`, parseDuration),
	reflect.TypeFor[[]game.Option]():     {readOptions, scalarsSchema},
	reflect.TypeFor[map[string]string](): {readWords, scalarsSchema},
}

const scalarsSchema = `{"type": ["object", "null"], "additionalProperties": {"type": ["string", "number", "boolean", "null"]}}`

// anyText is the schema of a text, which can look like a number or a boolean.
const anyText = `{"type": ["string", "number", "boolean"]}`

// schema reads the schema of a form, nil of "".
func schema(text string) (s map[string]any) {
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		panic(err)
	}
	return s
}

// scalarForm returns the form of a scalar.
func scalarForm[T any](expected, schema string, parse func(string) (T, error)) form {
	return form{func(r *reader, node *yaml.Node, target reflect.Value, path string) {
		if node.Kind != yaml.ScalarNode || node.Tag == null {
			r.fault(node, path, wrongType(node, expected))
		} else if value, err := parse(node.Value); err != nil {
			r.fault(node, path, fmt.Sprintf("%v, expected %s", err, expected))
		} else {
			target.Set(reflect.ValueOf(value))
		}
	}, schema}
}

// parseClock parses [MOVES/]TIME[+INCREMENT].
func parseClock(text string) (c arena.Control, err error) {
	before, after, period := strings.Cut(text, "/")
	if period {
		if c.Period, err = strconv.Atoi(strings.TrimSpace(before)); err != nil || c.Period < 1 || c.Period > 1000 {
			return c, fmt.Errorf("%q is not a number of moves from 1 to 1000", before)
		}
		text = after
	}
	first, second, plus := strings.Cut(text, "+")
	if c.Clock, err = parseClockTime(first); err == nil && plus {
		c.Increment, err = parseClockTime(second)
	}
	if err == nil && c.Clock <= 0 {
		err = fmt.Errorf("%s is out of range", c.Clock)
	}
	return c, err
}

// parseClockTime also reads times as other arenas write them: seconds without a
// unit, and minutes:seconds.
func parseClockTime(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	minutes, seconds := 0.0, text
	var err error
	if before, after, colon := strings.Cut(text, ":"); colon {
		minutes, err = strconv.ParseFloat(before, 64)
		seconds = after
	}
	s, bad := strconv.ParseFloat(seconds, 64)
	if err != nil || bad != nil {
		return parseDuration(text)
	}
	if total := minutes*60 + s; s >= 0 && minutes >= 0 && total < 1e7 { // not NaN either
		return time.Duration(math.Round(total*1e6)) * time.Microsecond, nil
	}
	return 0, fmt.Errorf("%q is out of range", text)
}

// parseDuration is time.ParseDuration, but refuses negative values.
func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		if _, number := strconv.ParseFloat(text, 64); number == nil {
			return 0, fmt.Errorf("%q has no unit", text)
		}
		return 0, fmt.Errorf("%q is not a duration", text)
	}
	if d < 0 {
		return 0, fmt.Errorf("%q is negative", text)
	}
	return d, nil
}

// parseSize parses a number of bytes, as "2GiB", "512MB" or a plain number.
func parseSize(text string) (int64, error) {
	number := strings.TrimRight(text, "kKMGTiB ")
	unit := strings.TrimSpace(text[len(number):])
	factor, known := map[string]float64{
		"": 1, "B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
		"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !known {
		return 0, fmt.Errorf("%q is not a size", text)
	}
	if n < 0 || math.IsNaN(n) || n*factor >= math.MaxInt64 {
		return 0, fmt.Errorf("%q is out of range", text)
	}
	return int64(n * factor), nil
}

// parsePercent parses a fraction, as "5%" or "0.05".
func parsePercent(text string) (float64, error) {
	number, hundred := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%q is not a fraction", text)
	}
	if hundred {
		f /= 100
	}
	if f < 0 || f > 1 {
		return 0, fmt.Errorf("%q is not between 0 and 1", text)
	}
	return f, nil
}

// parseCount parses a count. It returns 0 for auto.
func parseCount(text string) (int, error) {
	if text == "auto" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", text)
	}
	if n < 1 || n > 4096 {
		return 0, fmt.Errorf("%d is out of range", n)
	}
	return n, nil
}

// oneOf is the tag of a setting that is one of some words.
func oneOf(words []string) reflect.StructTag {
	return reflect.StructTag(fmt.Sprintf("enum:%q", strings.Join(words, ",")))
}

// readCommand reads a list of words, or one text, which it splits as a shell
// does.
func readCommand(r *reader, node *yaml.Node, target reflect.Value, path string) {
	var words []string
	switch {
	case node.Kind == yaml.ScalarNode && node.Tag == "!!str":
		var err error
		if words, err = SplitWords(node.Value); err != nil {
			r.fault(node, path, err.Error())
		}
	case node.Kind == yaml.SequenceNode:
		for i, item := range node.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			r.at[at] = resolved(item)
			text, ok := scalarOf(r.at[at])
			if !ok {
				r.fault(item, at, wrongType(item, "a word"))
				continue
			}
			words = append(words, text)
		}
	default:
		r.fault(node, path, wrongType(node, "a list of words, program first"))
	}
	target.Set(reflect.ValueOf(words))
}

// readEnv reads a mapping as sorted NAME=value words.
func readEnv(r *reader, node *yaml.Node, target reflect.Value, path string) {
	var words []string
	r.scalars(node, path, "a mapping of names to values", func(name, value string, _ *yaml.Node) {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			r.fault(node, path, fmt.Sprintf("%q cannot be an environment variable, expected NAME: value", name))
		}
		words = append(words, name+"="+value)
	})
	slices.Sort(words)
	target.Set(reflect.ValueOf(words))
}

// readOptions reads engine options in their order, without those that a variable left
// empty.
func readOptions(r *reader, node *yaml.Node, target reflect.Value, path string) {
	var options []game.Option
	r.scalars(node, path, "a mapping of option names to values", func(name, value string, at *yaml.Node) {
		if !r.emptied[at] {
			options = append(options, game.Option{Name: name, Value: value})
		}
	})
	target.Set(reflect.ValueOf(options))
}

// readWords reads a mapping of names to texts.
func readWords(r *reader, node *yaml.Node, target reflect.Value, path string) {
	words := map[string]string{}
	r.scalars(node, path, "a mapping of names to values", func(name, value string, _ *yaml.Node) {
		words[name] = value
	})
	target.Set(reflect.ValueOf(words))
}

// SplitWords splits a command line as a POSIX shell does, but expands nothing.
func SplitWords(text string) ([]string, error) {
	words, err := shellquote.Split(text)
	if err == nil && len(words) == 0 {
		err = errors.New("the command is empty")
	}
	return words, err
}
