package arena

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

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
