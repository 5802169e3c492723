package arena

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
)

// fullPlan is a plan in which every setting counts.
func fullPlan() *Plan {
	plan := samplePlan()
	plan.Openings = Openings{Balanced: 0.1, JudgeNodes: 500}
	plan.Engines[0].Env = []string{"TOKEN=hunter2"}
	return plan
}

// setting is one field of the plan's structs, by the way to it.
type setting struct {
	key   string // as differences name it
	tag   reflect.StructTag
	value func(*Plan) reflect.Value
}

// settingsOf are all fields of a struct and of the structs below it.
func settingsOf(at string, typ reflect.Type, value func(*Plan) reflect.Value) []setting {
	var all []setting
	for f := range Fields(reflect.New(typ).Elem()) {
		path := strings.TrimPrefix(at+"."+f.Key, ".")
		field := func(p *Plan) reflect.Value { return value(p).FieldByIndex(f.Index) }
		switch {
		case f.Type == reflect.TypeFor[[]EngineSpec]():
			all = append(all, settingsOf("engines.a", f.Type.Elem(), func(p *Plan) reflect.Value { return field(p).Index(0) })...)
		case f.Tag.Get("condition") == "yes" && f.Type.Kind() == reflect.Struct: // one setting
			for _, part := range settingsOf("", f.Type, field) {
				all = append(all, setting{path, f.Tag, part.value})
			}
		case f.Type.Kind() == reflect.Struct:
			all = append(all, settingsOf(path, f.Type, field)...)
		default:
			all = append(all, setting{path, f.Tag, field})
		}
	}
	return all
}

// change gives a field another value.
func change(t *testing.T, key string, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case []string:
		v.Set(reflect.Append(v, reflect.ValueOf("NEW=1")))
		return
	case []game.Option:
		v.Set(reflect.Append(v, reflect.ValueOf(game.Option{Name: "new", Value: "1"})))
		return
	case map[string]string:
		v.Set(reflect.ValueOf(map[string]string{"new": "1"}))
		return
	case *float64:
		v.Set(reflect.ValueOf(new(float64)))
		return
	case *Roster:
		v.Set(reflect.ValueOf(&Roster{}))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "new")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.25)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[game.Player]() {
			return // no condition, and with another one the engine has another hash
		}
		v.Set(reflect.ValueOf(storedGame{name: "other"}))
	default:
		t.Fatalf("%s: this test cannot change a %s", key, v.Type())
	}
}

// stored is the plan's run as it is read back from a database.
func stored(t *testing.T, p *Plan) *RunInfo {
	t.Helper()
	run := RunInfo{Game: p.Game.Name()}
	engines := slices.Clone(p.Engines)
	for i := range engines {
		engines[i].Env = SealEnv(engines[i].Env)
	}
	var back []EngineSpec
	for to, from := range map[any]any{&run.Plan: p, &back: engines} {
		text, err := json.Marshal(from)
		gametest.OK(t, err)
		gametest.OK(t, json.Unmarshal(text, to))
	}
	run.Plan.Engines = back
	return &run
}

func runOf(p *Plan) *RunInfo { return &RunInfo{Game: p.Game.Name(), Plan: *p} }

// Every setting says whether it is a playing condition. One that is changes
// the identity of games, and a resume with another value is refused by its
// name; one that is not changes neither.
func TestEverySettingIsDeclared(t *testing.T) {
	was := stored(t, fullPlan())
	if same := was.Differences(runOf(fullPlan())); len(same) > 0 {
		t.Fatalf("a plan differs from itself as stored: %q", same)
	}
	before := fullPlan().Identity([2]string{"a", "b"}).Job(0, 0)
	seen := 0
	for _, s := range settingsOf("", reflect.TypeFor[Plan](), func(p *Plan) reflect.Value { return reflect.ValueOf(p).Elem() }) {
		declared := s.tag.Get("condition")
		if declared != "yes" && declared != "no" {
			t.Errorf("%s does not say whether it is a playing condition", s.key)
			continue
		}
		seen++
		plan := fullPlan()
		change(t, s.key, s.value(plan))
		differs := was.Differences(runOf(plan))
		changed := plan.Identity([2]string{plan.Engines[0].Name, "b"}).Job(0, 0) != before
		switch {
		case changed != (declared == "yes"):
			t.Errorf("%s: condition %s, identity changed: %v", s.key, declared, changed)
		case s.key == "engines.a.name": // another engine, not a changed one
		case declared == "no" && len(differs) > 0:
			t.Errorf("%s is no condition and is refused: %q", s.key, differs)
		case declared == "yes" && !slices.ContainsFunc(differs, func(d string) bool { return strings.HasPrefix(d, s.key+": was ") }):
			t.Errorf("%s is changed and not named: %q", s.key, differs)
		}
		if text := fmt.Sprint(differs); strings.Contains(text, "hunter") || strings.Contains(text, "NEW=1 ") {
			t.Errorf("%s: a value of env is shown: %s", s.key, text)
		}
	}
	if seen < 60 {
		t.Errorf("only %d settings were changed", seen)
	}
}

func TestDifferencesAreSaidOnce(t *testing.T) {
	sampled := samplePlan()
	sampled.Engines[2].Limit.Sync = time.Second
	for name, tt := range map[string]struct {
		was, is *Plan
		want    []string
	}{
		"all engines": {samplePlan(), with(func(p *Plan) { p.Limit.Sync = 5 * time.Second }), []string{"limit.sync: was 2s, is 5s"}},
		"another kind": {
			samplePlan(), with(func(p *Plan) { p.Limit = Limit{Nodes: 9} }),
			[]string{"limit.nodes: was not set, is 9", "limit.move: was 1s, is not set"},
		},
		"clock": {
			with(func(p *Plan) { p.Limit = Limit{Control: Control{Clock: time.Minute}} }), with(func(p *Plan) { p.Limit = Limit{Control: Control{Clock: time.Minute, Increment: time.Second}} }),
			[]string{"limit.clock: was 1m0s, is 1m0s+1s"},
		},
		"some engines": {
			sampled, with(func(p *Plan) { p.Limit.Sync = 5 * time.Second }),
			[]string{"limit.sync: was 2s, is 5s", "engines.c.limit.sync: was 1s, is 5s"},
		},
		"a default given":    {samplePlan(), with(func(p *Plan) { p.Limit.Sync = 2 * time.Second; p.Engines[0].Protocol = "auto" }), nil},
		"order":              {samplePlan(), with(func(p *Plan) { p.Openings.Random = true }), []string{"openings.order: was sequential, is random"}},
		"order of cells":     {samplePlan(), with(func(p *Plan) { p.Openings.Random, p.Format.Name = true, "cells" }), nil},
		"judge_nodes unused": {samplePlan(), with(func(p *Plan) { p.Openings.JudgeNodes = 7 }), nil},
		"options": {
			with(func(p *Plan) { p.Engines[0].Options = []game.Option{{Name: "x", Value: "a b"}, {Name: "y"}} }), samplePlan(),
			[]string{`engines.a.options: was 'x=a b' y=, is not set`},
		},
	} {
		if diff := cmp.Diff(tt.want, stored(t, tt.was).Differences(runOf(tt.is))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func with(change func(*Plan)) *Plan {
	p := samplePlan()
	change(p)
	return p
}

func TestTextOfALimit(t *testing.T) {
	for want, l := range map[string]Limit{
		"move 200ms":       {Move: 200 * time.Millisecond, Grace: time.Second},
		"clock 1m0s+600ms": {Control: Control{Clock: time.Minute, Increment: 600 * time.Millisecond}},
		"clock 1m0s":       {Control: Control{Clock: time.Minute}},
		"nodes 5":          {Nodes: 5, MaxMove: time.Second},
		"":                 {},
	} {
		if got := l.Text(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
