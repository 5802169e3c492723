package remote

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

func TestPlain(t *testing.T) {
	for _, tt := range []struct {
		text  string
		most  int
		lines bool
		want  string
	}{
		{"hello", 5, false, "hello"},
		{"hello!", 5, false, "he…"},
		{"äöüä", 7, false, "äö…"},
		{"a\nb\r\tc", 50, false, "a b  c"},
		{"a\nb", 50, true, "a\nb"},
		{"\x1b[31mred\u202e", 50, false, "�[31mred�"},
		{"\xff\xfe", 50, false, "�"},
		{strings.Repeat("\x00", 9), 9, false, "��…"},
	} {
		if got := plain(tt.text, tt.most, tt.lines); got != tt.want || len(got) > tt.most {
			t.Errorf("plain(%q, %d) = %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

// Whatever is in a record, what is stored of it is text of bounded length: each string
// that package arena has or gets.
func TestTrim(t *testing.T) {
	gametest.Sequential(t)
	nasty := strings.Repeat("\x1b[2J\u202e\x00ö\xff\n", 6_000)
	rec := filled(t)
	rec.Plies = append(rec.Plies, make([]arena.Ply, 300)...)
	for i := range rec.Plies {
		rec.Plies[i].Said = &game.Details{PV: nasty, Texts: []string{"x"}}
	}
	var each func(v reflect.Value, name string, visit func(v reflect.Value, name string))
	each = func(v reflect.Value, name string, visit func(reflect.Value, string)) {
		switch v.Kind() {
		case reflect.String:
			visit(v, name)
		case reflect.Pointer:
			if !v.IsNil() {
				each(v.Elem(), name, visit)
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				each(v.Index(i), name, visit)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type() != reflect.TypeFor[time.Time]() {
					each(v.Field(i), name+"."+v.Type().Field(i).Name, visit)
				}
			}
		}
	}
	each(reflect.ValueOf(rec).Elem(), "", func(v reflect.Value, _ string) { v.SetString(nasty) })
	for range 1000 {
		rec.Warnings, rec.Tail[0] = append(rec.Warnings, nasty), append(rec.Tail[0], nasty)
	}
	trim(rec)
	total := 0
	each(reflect.ValueOf(rec).Elem(), "", func(v reflect.Value, name string) {
		switch name {
		case ".Start", ".Roles", ".Moves", ".Source", ".Fault.Kind": // Verify and beyond compare or refuse them
			return
		}
		text := v.String()
		total += len(text)
		if len(text) > mostDetail || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) && r != '\n' }) {
			t.Errorf("%s has %d bytes: %.40q", name, len(text), text)
		}
	})
	if most := mostSaid + 4*mostLines*mostLine + 4*mostDetail; total > most || len(rec.Warnings) != mostLines || len(rec.Tail[0]) != mostLines {
		t.Errorf("%d bytes, %d warnings, %d lines", total, len(rec.Warnings), len(rec.Tail[0]))
	}
}
