package protocol

import (
	"errors"
	"slices"
	"testing"
)

func TestReadGTP(t *testing.T) {
	for line, want := range map[string]struct {
		text        string
		refused, ok bool
	}{
		"=":                     {"", false, true},
		"= \t ":                 {"", false, true},
		"= c3\r":                {"c3", false, true},
		"=7 c3 ":                {"c3", false, true},
		"=7":                    {"", false, true},
		"=c3":                   {"c3", false, true},
		"? unknown command: xy": {"unknown command: xy", true, true},
		"?12 no":                {"no", true, true},
		"=====":                 {},
		"??":                    {},
		"":                      {},
		" = c3":                 {},
		"error":                 {},
	} {
		text, refused, ok := ReadGTP([]byte(line))
		if text != want.text || refused != want.refused || ok != want.ok {
			t.Errorf("%q: %q, %v, %v", line, text, refused, ok)
		}
	}
}

func TestGTPCommand(t *testing.T) {
	for line, want := range map[string][]string{
		"play black c3":           {"", "play", "black", "c3"},
		" 12  play\tb c3 # why\r": {"12", "play", "b", "c3"},
		"# all of it":             {"", ""},
		"   ":                     {"", ""},
		"17":                      {"17", ""},
		"\xff x":                  {"", "?", "x"},
	} {
		id, name, args := GTPCommand([]byte(line))
		if got := append([]string{id, name}, args...); !slices.Equal(got, want) {
			t.Errorf("%q: %q", line, got)
		}
	}
	if got := GTPAnswer("7", "a\nb", nil) + GTPAnswer("", "", errors.New("no")); got != "=7 a\nb\n? no\n" {
		t.Errorf("%q", got)
	}
}
