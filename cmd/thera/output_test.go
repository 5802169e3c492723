package main

import (
	"bytes"
	"encoding"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
	"github.com/spf13/cobra"

	"thera/arena"
	"thera/arena/check"
	"thera/arena/rating"
	"thera/arena/report"
	"thera/arena/web"
	"thera/engine/game"
)

// docs/output.md names every field of the JSON that scripts get.
func TestEveryFieldIsDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "output.md"))
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]bool{}
	for _, root := range []any{
		report.Report{},
		arena.GameLine{},
		report.Comparison{},
		report.Verdict{},
		report.Bisection{},
		report.History{},
		report.Tuning{},
		rating.Rating{},
		check.Checklist{},
		arena.RunInfo{},
		eventLine{},
		eloAnswer{},
		movesLine{},
		errorLine{},
		judgedLine{},
		web.Turn{},
	} {
		jsonFields(reflect.TypeOf(root), fields)
	}
	if len(fields) < 150 {
		t.Errorf("only %d fields are known", len(fields))
	}
	for name := range fields {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/output.md does not name the field %s", name)
		}
	}
}

// jsonFields adds the names of the fields of t and of the types in it. What has a
// form of its own, and the settings of a run, are left out.
func jsonFields(t reflect.Type, names map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		jsonFields(t.Elem(), names)
		return
	case reflect.Struct:
	default:
		return
	}
	for _, own := range []reflect.Type{reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		if t.Implements(own) {
			return
		}
	}
	if t == reflect.TypeFor[arena.Settings]() || t == reflect.TypeFor[game.Details]() {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name != "" {
			names[name] = true
		}
		jsonFields(f.Type, names)
	}
}

// Every help text fits 80 columns.
func TestHelpFits(t *testing.T) {
	var each func(cmd *cobra.Command, path []string)
	each = func(cmd *cobra.Command, path []string) {
		var out bytes.Buffer
		if code := mainExit(append(path, "--help"), nil, &out, &out); code != exitDone {
			t.Errorf("%v --help: exit status %d", path, code)
		}
		if !strings.Contains(out.String(), "Usage:\n  thera") {
			t.Errorf("%v --help shows no usage:\n%s", path, out.String())
		}
		for line := range strings.Lines(out.String()) {
			if wide := displaywidth.String(strings.TrimSuffix(line, "\n")); wide > 80 {
				t.Errorf("%v --help: %d columns in %q", path, wide, line)
			}
		}
		for _, sub := range cmd.Commands() {
			each(sub, append(append([]string{}, path...), sub.Name()))
		}
	}
	t.Setenv("COLUMNS", "")
	each(newRoot(nil), nil)
}
