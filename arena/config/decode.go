package config

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"thera/arena"
	"thera/engine/game"
)

// decoder decodes YAML nodes into the types of package arena as their tags say,
// and reports every mismatch.
type decoder struct {
	*collector
	rest *yaml.Node // keys of openings that belong to the game
}

var durationType = reflect.TypeFor[time.Duration]()

// decode fills target from node.
func (d *decoder) decode(node *yaml.Node, target reflect.Value, path string, tag reflect.StructTag) {
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if name := tag.Get("form"); name != "" {
		forms[name].read(d, node, target, path)
		return
	}
	if options, ok := target.Addr().Interface().(*[]game.Option); ok {
		d.options(node, options, path)
		return
	}
	if target.Type() == durationType {
		d.duration(node, target, path)
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		d.decode(node, target.Elem(), path, tag)
	case reflect.Struct:
		d.structure(node, path, target)
	case reflect.Slice:
		d.slice(node, target, path, tag)
	case reflect.Map:
		d.mapping(node, target, path)
	default:
		d.scalar(node, target, path, tag.Get("enum"))
		if text := tag.Get("range"); text != "" {
			d.ranged(node, target.Int(), path, text)
		}
	}
}

// ranged reports a number out of its range, "1 to 1000" or "1 or more". 0 is
// not set.
func (d *decoder) ranged(node *yaml.Node, n int64, path, text string) {
	var low, most int64
	if read, _ := fmt.Sscanf(text, "%d to %d", &low, &most); read < 2 {
		most = math.MaxInt64
	}
	if n != 0 && (n < low || n > most) {
		d.fault(node, path, fmt.Sprintf("%d is out of range, expected %s", n, text))
	}
}

func (d *decoder) duration(node *yaml.Node, target reflect.Value, path string) {
	const want = "a duration such as 200ms"
	if node.Kind != yaml.ScalarNode || node.Tag == "!!null" {
		d.fault(node, path, wrongType(node, want))
		return
	}
	value, err := parseDuration(node.Value)
	if err != nil {
		d.fault(node, path, fmt.Sprintf("%v, expected %s", err, want))
		return
	}
	target.SetInt(int64(value))
}

func (d *decoder) scalar(node *yaml.Node, target reflect.Value, path, enum string) {
	want := map[reflect.Kind]string{
		reflect.Bool: "true or false", reflect.String: "a text", reflect.Int: "a whole number",
		reflect.Int64: "a whole number", reflect.Uint64: "a whole number from 0", reflect.Float64: "a number",
	}[target.Kind()]
	if enum != "" {
		want = "one of " + strings.ReplaceAll(enum, ",", ", ")
	}
	if node.Kind != yaml.ScalarNode {
		d.fault(node, path, wrongType(node, want))
		return
	}
	ok := false
	switch kind := target.Kind(); {
	case kind == reflect.Bool && enum != "": // true is the second word
		if ok = node.Tag != "!!null"; ok {
			target.SetBool(strings.HasSuffix(enum, ","+node.Value))
		}
	case kind == reflect.Bool:
		var b bool
		if ok = node.Tag == "!!bool" && node.Decode(&b) == nil; ok {
			target.SetBool(b)
		}
	case kind == reflect.String:
		// A number, date or truth value may stand for its own text.
		if ok = node.Tag != "!!null"; ok {
			target.SetString(node.Value)
		}
	case kind == reflect.Int || kind == reflect.Int64:
		n, err := strconv.ParseInt(strings.ReplaceAll(node.Value, "_", ""), 0, target.Type().Bits())
		if ok = err == nil && node.Tag == "!!int"; ok {
			target.SetInt(n)
		}
	case kind == reflect.Uint64:
		n, err := strconv.ParseUint(strings.ReplaceAll(node.Value, "_", ""), 0, 64)
		if ok = err == nil && node.Tag == "!!int"; ok {
			target.SetUint(n)
		}
	case kind == reflect.Float64:
		f, err := strconv.ParseFloat(node.Value, 64)
		ok = err == nil && (node.Tag == "!!int" || node.Tag == "!!float") && !math.IsInf(f, 0) && !math.IsNaN(f)
		if ok {
			target.SetFloat(f)
		}
	default:
		panic("config: no decoder for " + target.Type().String())
	}
	if !ok {
		d.fault(node, path, wrongType(node, want))
		return
	}
	if enum != "" {
		if words := strings.Split(enum, ","); !slices.Contains(words, node.Value) {
			near := ""
			if word := arena.Nearest(node.Value, words); word != "" {
				near = fmt.Sprintf(", did you mean %q?", word)
			}
			d.fault(node, path, fmt.Sprintf("unknown word %q, expected %s%s", node.Value, want, near))
		}
	}
}

func (d *decoder) slice(node *yaml.Node, target reflect.Value, path string, tag reflect.StructTag) {
	if node.Kind != yaml.SequenceNode {
		d.fault(node, path, wrongType(node, "a list"))
		return
	}
	list := reflect.MakeSlice(target.Type(), len(node.Content), len(node.Content))
	for i, item := range node.Content {
		d.decode(item, list.Index(i), fmt.Sprintf("%s[%d]", path, i), tag)
	}
	target.Set(list)
}

func (d *decoder) mapping(node *yaml.Node, target reflect.Value, path string) {
	target.Set(reflect.MakeMap(target.Type()))
	d.scalars(node, path, "a mapping of names to values", func(name, value string, _ *yaml.Node) {
		target.SetMapIndex(reflect.ValueOf(name), reflect.ValueOf(value))
	})
}

// structure fills in several structs from one mapping, because the general
// openings and those of the game share one.
func (d *decoder) structure(node *yaml.Node, path string, targets ...reflect.Value) {
	type slot struct {
		field reflect.Value
		tag   reflect.StructTag
	}
	slots := map[string][]slot{}
	var known, required []string
	var rest bool
	for _, target := range targets {
		for i := range target.NumField() {
			field := target.Type().Field(i)
			name, flag, _ := strings.Cut(field.Tag.Get("yaml"), ",")
			if flag == "rest" {
				if len(targets) > 1 {
					continue // the game's keys are among the targets
				}
				rest = true
				continue
			}
			if name == "" || name == "-" {
				continue
			}
			if slots[name] == nil {
				known = append(known, name)
			}
			slots[name] = append(slots[name], slot{target.Field(i), field.Tag})
			if field.Tag.Get("required") != "" {
				required = append(required, name)
			}
		}
	}
	seen := map[string]bool{}
	ok := d.eachKey(node, path, "a mapping with "+strings.Join(known, ", "), func(key, value *yaml.Node, path string) {
		seen[key.Value] = true
		for _, s := range slots[key.Value] {
			d.decode(value, s.field, path, s.tag)
		}
		switch {
		case slots[key.Value] != nil:
		case rest:
			if d.rest == nil {
				d.rest = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: node.Line, Column: node.Column}
			}
			d.rest.Content = append(d.rest.Content, key, value)
		default:
			d.fault(key, path, "unknown key, "+hint(key.Value, known))
		}
	})
	for _, name := range required {
		if ok && !seen[name] {
			d.fault(node, join(path, name), "missing")
		}
	}
}

// eachKey calls visit for every key of a mapping, without repeated keys, which it
// reports as errors. It returns whether node is a mapping.
func (d *decoder) eachKey(node *yaml.Node, path, want string, visit func(key, value *yaml.Node, path string)) bool {
	if node.Kind == yaml.ScalarNode && node.Tag == "!!null" && node.Value == "" {
		return true // `rules:` without a value
	}
	if node.Kind != yaml.MappingNode {
		d.fault(node, path, wrongType(node, want))
		return false
	}
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		at := join(path, key.Value)
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			d.fault(key, at, "unusable key, expected a plain word")
			continue
		}
		if before, twice := first[key.Value]; twice {
			d.fault(key, at, fmt.Sprintf("double key, first given in line %d", before.Line))
			continue
		}
		first[key.Value] = key
		visit(key, value, at)
	}
	return true
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
	case node.Tag != "!!null":
		is = strconv.Quote(node.Value)
	}
	return fmt.Sprintf("%s is given, expected %s", is, want)
}
