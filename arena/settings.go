package arena

import (
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Setting is a field of a struct of settings.
type Setting struct {
	reflect.StructField
	Key     string // in a match file; of one that is found, not written, the field's name
	Written bool   // it has a key in a match file
	Value   reflect.Value
}

// Fields are the fields of a struct of settings with their values, in the order of
// declaration. Everything that is done for all settings walks over it.
func Fields(v reflect.Value) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			s := Setting{StructField: f, Key: name, Written: name != "", Value: v.Field(i)}
			if !s.Written {
				s.Key = strings.ToLower(f.Name)
			}
			if !yield(s) {
				return
			}
		}
	}
}

// SetDefaults gives every field of the struct that target points to its
// default, if it is zero and has one. Nested structs are not changed. It panics
// if a default does not fit its field.
func SetDefaults(target any) {
	for s := range Fields(reflect.ValueOf(target).Elem()) {
		if text, declared := s.Tag.Lookup("default"); declared && s.Value.IsZero() {
			if err := s.SetText(text); err != nil {
				panic(fmt.Sprintf("arena: default of %s: %v", s.Name, err))
			}
		}
	}
}

// SetText sets a setting of a plain type from its text.
func (s Setting) SetText(text string) (err error) {
	if _, ok := s.Value.Interface().(time.Duration); ok {
		d, err := time.ParseDuration(text)
		s.Value.SetInt(int64(d))
		return err
	}
	number := strings.ReplaceAll(text, "_", "")
	switch s.Value.Kind() {
	case reflect.String:
		s.Value.SetString(text)
	case reflect.Bool:
		var b bool
		if _, second, closed := strings.Cut(s.Tag.Get("enum"), ","); closed {
			b = text == second
		} else {
			b, err = strconv.ParseBool(text)
		}
		s.Value.SetBool(b)
	case reflect.Float64:
		var f float64
		if f, err = strconv.ParseFloat(text, 64); math.IsInf(f, 0) || math.IsNaN(f) {
			err = strconv.ErrRange
		}
		s.Value.SetFloat(f)
	case reflect.Int, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(number, 0, s.Type.Bits())
		s.Value.SetInt(n)
	case reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(number, 0, 64)
		s.Value.SetUint(n)
	default:
		err = fmt.Errorf("a %s has no text", s.Type)
	}
	return err
}

// LimitKinds returns the keys of the kinds of limits, of which a side has one.
func LimitKinds() (keys []string) {
	for s := range Fields(reflect.ValueOf(Limit{})) {
		if s.Tag.Get("kind") != "" {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

// LimitUsage says how a command line gives a limit.
func LimitUsage() string {
	var words []string
	for s := range Fields(reflect.ValueOf(Limit{})) {
		if usage := s.Tag.Get("usage"); usage != "" {
			words = append(words, usage)
		}
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// set returns the kinds of limits that are set.
func (l Limit) set() (kinds []Setting) {
	for s := range Fields(reflect.ValueOf(l)) {
		if s.Tag.Get("kind") != "" && !s.Value.IsZero() {
			kinds = append(kinds, s)
		}
	}
	return kinds
}

// Kinds returns the keys of the kinds of limits that are set. A checked limit has
// exactly one.
func (l Limit) Kinds() []string { return Map(l.set(), func(s Setting) string { return s.Key }) }

// Timed reports whether wall time is limited.
func (l Limit) Timed() bool { return l.has("wall") }

// Exact reports whether work is limited, so that games repeat.
func (l Limit) Exact() bool { return l.has("work") }

func (l Limit) has(kind string) bool {
	return slices.ContainsFunc(l.set(), func(s Setting) bool { return s.Tag.Get("kind") == kind })
}

// Longest is the most wall time of a move that no clock bounds.
func (l Limit) Longest() time.Duration {
	if l.MaxMove > 0 {
		return l.MaxMove
	}
	return 60 * time.Second
}

// Text returns the kinds of limits that are set with their values: "clock 1m0s+600ms".
func (l Limit) Text() string {
	return strings.Join(Map(l.set(), func(s Setting) string { return s.Key + " " + valueText(s.Value, s.Tag) }), ", ")
}

// With is l with what over sets. A kind of limit replaces the other kinds: an
// engine with depth 3 in a run of 200ms moves has no move time.
func (l Limit) With(over Limit) Limit {
	replaced := len(over.Kinds()) > 0
	to := reflect.ValueOf(&l).Elem()
	for s := range Fields(reflect.ValueOf(over)) {
		if !s.Value.IsZero() || replaced && s.Tag.Get("kind") != "" {
			to.FieldByIndex(s.Index).Set(s.Value)
		}
	}
	return l
}

// LimitOf is the limit of one engine of the plan.
func (p *Plan) LimitOf(spec *EngineSpec) Limit { return p.Limit.With(spec.Limit) }

// Engine is the engine of that name, nil if the plan has none.
func (p *Plan) Engine(name string) *EngineSpec {
	for i := range p.Engines {
		if p.Engines[i].Name == name {
			return &p.Engines[i]
		}
	}
	return nil
}
