package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/match"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/web"
	"thera/engine/game"
	"thera/engine/gametest"
)

// docs/output.md has each field of all objects that commands print for scripts. The keys of a match file, which some
// hold, are described by its schema.
func TestFieldsOfOutputs(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "output.md"))
	gametest.OK(t, err)
	g, err := findGame("hex")
	gametest.OK(t, err)
	start, err := g.Start(0, 0)
	gametest.OK(t, err)
	replay := &match.Replay{Record: &arena.Game{}, Plies: []*game.History{game.Begin(start)}}
	seen := map[reflect.Type]bool{
		reflect.TypeFor[arena.Plan](): true, reflect.TypeFor[arena.EngineSpec](): true,
	}
	var fields func(of reflect.Type)
	fields = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			fields(of.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[of] || of.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			field := of.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || !field.IsExported() && !field.Anonymous {
				continue
			}
			if name != "" && !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%v: docs/output.md has no `%s`", of, name)
			}
			fields(field.Type)
		}
	}
	for _, object := range []any{
		report.Report{},
		report.Comparison{},
		report.Verdict{},
		report.Bisection{},
		report.Tuning{},
		report.History{},
		report.ExportHead{},
		report.ExportEnd{},
		web.Game(replay),
		eventLine{},
		check.Checklist{},
		arena.RunInfo{},
		judgedLine{},
		movesLine{},
		errorLine{},
		roleLine{},
		rating.Rating{},
		rating.Estimate{},
		rating.State{},
	} {
		fields(reflect.TypeOf(object))
	}
}

// The speed that bench prints is its nodes by its seconds.
func TestBenchSpeed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	root := newRoot(nil)
	root.SetOut(&out)
	root.SetArgs([]string{"bench", "hex", "--json"})
	gametest.OK(t, root.ExecuteContext(t.Context()))
	var line struct {
		Signature float64
		Seconds   float64
		Speed     float64 `json:"nodes_per_second"`
	}
	gametest.OK(t, json.Unmarshal(out.Bytes(), &line))
	if by := line.Speed * line.Seconds; line.Signature == 0 || math.Abs(by-line.Signature) > line.Signature/1000 {
		t.Errorf("%s: %g nodes by speed and time", out.String(), by)
	}
}

// An event has its time in UTC and seconds, and of a finished game the game alone.
func TestEventLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w, err := newEventWriter("-", &out)
	gametest.OK(t, err)
	at := time.Date(2026, 1, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	w.Event(arena.Event{Time: at, Elapsed: 1500 * time.Millisecond, Job: &arena.Job{}, Record: &arena.Game{}})
	gametest.OK(t, w.Close())
	line := out.String()
	for _, part := range []string{`"time":"2026-01-01T00:00:00Z"`, `"seconds":1.5,"game":{`} {
		if !strings.Contains(line, part) || strings.Contains(line, `"job"`) {
			t.Errorf("%s has no %s, or a job", line, part)
		}
	}
}
