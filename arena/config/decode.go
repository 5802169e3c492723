package config

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/engine/game"
)

func valueOf(pointer any) reflect.Value { return reflect.ValueOf(pointer).Elem() }

// decode fills target from node as the tags of its declaration say, and reports every
// mismatch.
func (r *reader) decode(node *yaml.Node, target reflect.Value, path string, tag reflect.StructTag) {
	node = resolved(node)
	r.at[path] = node
	before := len(r.problems)
	r.value(node, target, path, tag)
	if low, high, limited := bounds(tag); limited && len(r.problems) == before {
		number, is := low, reflect.Indirect(target) // of a list the entries are in range
		switch {
		case is.CanInt():
			number = float64(is.Int())
		case is.CanFloat():
			number = is.Float()
		}
		if number < low || number > high {
			r.fault(node, path, fmt.Sprintf("%v is out of range, expected %s", is.Interface(), tag.Get("range")))
		}
	}
}

// bounds are the ends of a range: "1 to 1000", "1 or more" or "more than 0".
func bounds(tag reflect.StructTag) (low, high float64, limited bool) {
	text := tag.Get("range")
	high = math.Inf(1)
	if n, _ := fmt.Sscanf(text, "more than %g", &low); n == 1 {
		return math.Nextafter(low, high), high, true
	}
	n, _ := fmt.Sscanf(text, "%g to %g", &low, &high)
	return low, high, n > 0
}

func (r *reader) value(node *yaml.Node, target reflect.Value, path string, tag reflect.StructTag) {
	f, named := forms[tag.Get("form")]
	if !named {
		f, named = typed[target.Type()]
	}
	if named && f.read != nil {
		f.read(r, node, target, path)
		return
	}
	if named { // the game's rules
		if r.game != nil {
			r.structure(node, path, valueOf(cmp.Or[any](r.ownRules, &struct{}{})))
		}
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		withDefaults(target.Elem())
		r.value(node, target.Elem(), path, tag)
	case reflect.Struct:
		if path == "openings" && r.ownOpenings != nil {
			r.structure(node, path, target, valueOf(r.ownOpenings))
		} else {
			r.structure(node, path, target)
		}
	case reflect.Slice:
		r.slice(node, target, path, tag)
	default:
		r.scalar(node, target, path, tag)
	}
}

// withDefaults gives a struct that is made here its defaults.
func withDefaults(v reflect.Value) {
	if v.Kind() == reflect.Struct {
		arena.SetDefaults(v.Addr().Interface())
	}
}

// plain are the types that are written as scalars, with the tags of YAML that they take
// and their schemas; a number, date or boolean may stand for its text.
var plain = map[reflect.Kind]struct {
	words  string
	tags   []string
	schema string
}{
	reflect.Bool:    {"true or false", []string{"!!bool"}, `{"type": "boolean"}`},
	reflect.String:  {"a text", nil, anyText},
	reflect.Int:     {"a whole number", []string{"!!int"}, `{"type": "integer"}`},
	reflect.Int64:   {"a whole number", []string{"!!int"}, `{"type": "integer"}`},
	reflect.Uint64:  {"a whole number from 0", []string{"!!int"}, `{"type": "integer", "minimum": 0}`},
	reflect.Float64: {"a number", []string{"!!int", "!!float"}, `{"type": "number"}`},
}

func (r *reader) scalar(node *yaml.Node, target reflect.Value, path string, tag reflect.StructTag) {
	kind := plain[target.Kind()]
	words, closed := strings.Split(tag.Get("enum"), ","), tag.Get("enum") != ""
	if closed {
		kind.words, kind.tags = "one of "+strings.Join(words, ", "), nil
	}
	fits := node.Kind == yaml.ScalarNode && node.Tag != null
	fits = fits && (kind.tags == nil || slices.Contains(kind.tags, node.Tag))
	set := arena.Setting{StructField: reflect.StructField{Type: target.Type(), Tag: tag}, Value: target}
	switch {
	case fits && closed && !slices.Contains(words, node.Value):
		r.fault(node, path, fmt.Sprintf("unknown %s %q, %s", path[strings.LastIndex(path, ".")+1:], node.Value, hint(node.Value, words)))
	case !fits || set.SetText(node.Value) != nil:
		r.fault(node, path, wrongType(node, kind.words))
	}
}

func (r *reader) slice(node *yaml.Node, target reflect.Value, path string, tag reflect.StructTag) {
	if node.Kind != yaml.SequenceNode {
		r.fault(node, path, wrongType(node, "a list"))
		return
	}
	list := reflect.MakeSlice(target.Type(), len(node.Content), len(node.Content))
	for i, item := range node.Content {
		withDefaults(list.Index(i))
		r.decode(item, list.Index(i), fmt.Sprintf("%s[%d]", path, i), tag)
	}
	target.Set(list)
}

// misplaced says to which of the known settings a key belongs, "" if to none.
func misplaced(key string, fields map[string]arena.Setting, known []string) string {
	for _, name := range known {
		value := fields[name].Value
		if value.Kind() == reflect.Pointer {
			value = reflect.New(value.Type().Elem()).Elem()
		}
		if value.Kind() != reflect.Struct {
			continue
		}
		for s := range arena.Fields(value) {
			if s.Written && s.Key == key {
				return fmt.Sprintf("it belongs to %s: %s.%s", name, name, key)
			}
		}
	}
	return ""
}

// structure fills in several structs from one mapping, because the general openings and
// those of the game share one. Of a key that several have, the last one counts.
func (r *reader) structure(node *yaml.Node, path string, targets ...reflect.Value) {
	fields := map[string]arena.Setting{}
	var all, known []string
	anybody := path == "openings" && r.game == nil // they may be those of the game
	for _, target := range targets {
		for s := range arena.Fields(target) {
			if !s.Written {
				continue
			}
			if _, twice := fields[s.Key]; !twice {
				all = append(all, s.Key)
			}
			fields[s.Key] = s
		}
	}
	for _, key := range all {
		if fields[key].Tag.Get("form") != "none" {
			known = append(known, key)
		}
	}
	seen := map[string]bool{}
	ok := r.eachKey(node, path, "a mapping with "+strings.Join(known, ", "), func(key, value *yaml.Node, path string) {
		seen[key.Value] = true
		s, is := fields[key.Value]
		switch {
		case is:
			r.decode(value, s.Value, path, s.Tag)
			if s.Tag.Get("stranger") == "no" {
				r.refuse(value, path, "what is outside its build", "--set "+path+"=…")
			}
		case anybody:
		case known == nil:
			r.fault(key, path, "unknown key, expected none for "+r.game.Name())
		default:
			r.fault(key, path, unknownKey+cmp.Or(misplaced(key.Value, fields, known), hint(key.Value, known)))
			seen[game.Nearest(key.Value, known)] = true // one error is enough
		}
	})
	for _, name := range known {
		if ok && !seen[name] && fields[name].Tag.Get("required") != "" {
			r.fault(node, join(path, name), "missing")
		}
	}
}

// eachKey calls visit for every key of a mapping, without repeated keys, which it
// reports as errors. It returns whether node is a mapping.
func (r *reader) eachKey(node *yaml.Node, path, want string, visit func(key, value *yaml.Node, path string)) bool {
	if node.Kind == yaml.ScalarNode && node.Tag == null && node.Value == "" {
		return true // `rules:` without a value
	}
	if node.Kind != yaml.MappingNode {
		r.fault(node, path, wrongType(node, want))
		return false
	}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], resolved(node.Content[i+1])
		at := join(path, key.Value)
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			r.fault(key, at, "unusable key, expected a plain word")
			continue
		}
		if before, twice := first[key.Value]; twice {
			r.fault(key, at, fmt.Sprintf("double key, first given in line %d", before.Line))
			continue
		}
		first[key.Value] = key
		r.at[at] = value
		visit(key, value, at)
	}
	return true
}

// scalars visits the entries of a mapping whose values are scalars.
func (r *reader) scalars(node *yaml.Node, path, want string, visit func(name, value string, at *yaml.Node)) {
	r.eachKey(node, path, want, func(key, value *yaml.Node, path string) {
		if text, ok := scalarOf(value); ok {
			visit(key.Value, text, value)
		} else {
			r.fault(value, path, wrongType(value, "one value"))
		}
	})
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// wrongType says what node is and what was expected.
func wrongType(node *yaml.Node, want string) string {
	is := "nothing"
	switch {
	case node.Kind == yaml.MappingNode:
		is = "a mapping"
	case node.Kind == yaml.SequenceNode:
		is = "a list"
	case node.Tag != null:
		is = strconv.Quote(node.Value)
	}
	return fmt.Sprintf("%s is given, expected %s", is, want)
}
