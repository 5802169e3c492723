package arena

import (
	"reflect"
	"slices"
	"strings"
)

// LimitKinds are the keys of the kinds of limits, of which a side has one.
func LimitKinds() []string {
	var kinds []string
	for f := range fields(reflect.ValueOf(Limit{})) {
		if f.Tag.Get("kind") != "" {
			kinds = append(kinds, key(f))
		}
	}
	return slices.Compact(kinds)
}

// Kinds are the keys of the kinds of limits that are set. A checked limit has
// exactly one.
func (l Limit) Kinds() []string {
	var kinds []string
	for f, v := range fields(reflect.ValueOf(l)) {
		if f.Tag.Get("kind") != "" && !v.IsZero() {
			kinds = append(kinds, key(f))
		}
	}
	return slices.Compact(kinds)
}

// Text is the kinds of limits that are set with their values: "clock 1m0s+600ms".
func (l Limit) Text() string {
	var words []string
	kinds := l.Kinds()
	for _, c := range walk(nil, "", reflect.ValueOf(l)) {
		if slices.Contains(kinds, c.Key) {
			words = append(words, c.Key+" "+c.Value)
		}
	}
	return strings.Join(words, ", ")
}

// With is l with what over sets. A kind of limit replaces the other kinds: an
// engine with depth 3 in a run of 200ms moves has no move time.
func (l Limit) With(over Limit) Limit {
	replaced := len(over.Kinds()) > 0
	to := reflect.ValueOf(&l).Elem()
	for f, v := range fields(reflect.ValueOf(over)) {
		if !v.IsZero() || replaced && f.Tag.Get("kind") != "" {
			to.FieldByIndex(f.Index).Set(v)
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
