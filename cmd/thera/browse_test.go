package main

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"thera/arena/store"
	"thera/engine/gametest"
)

// Each key of a replay moves to the right board.
func TestReplayGoesForwardAndBack(t *testing.T) {
	gametest.Sequential(t)
	db, err := store.Existing(t.Context(), storedRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rec, run, err := db.Game(t.Context(), "00abc")
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReplayed(run, rec)
	if err != nil {
		t.Fatal(err)
	}
	r.escapes = true
	for keys, want := range map[string][]string{
		"q":                          {"0"},
		"\x1b[C \x1b[Dbbn?q":         {"0", "1", "2", "1", "0", "0", "1", "1"},
		"\x1b[F\x1b[C\x1b[H\x1b[4~":  {"0", "56", "56", "0", "56"},
		"\x1bOC\x1b[1;5CG\x1b[A\x03": {"0", "1", "0", "56", "55"},
		"l\x1b":                      {"0", "1"},
	} {
		var out bytes.Buffer
		if err := r.step(t.Context(), bufio.NewReader(strings.NewReader(keys)), &out); err != nil {
			t.Fatal(err)
		}
		var got []string
		for screen := range strings.SplitSeq(out.String(), "\x1b[2J") {
			if _, after, ok := strings.Cut(screen, "\r\n\r\n"); ok {
				foot := after[strings.LastIndex(after, "\r\n\r\n")+4:]
				at, _, _ := strings.Cut(foot, " of 56")
				got = append(got, at)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%q shows %v, want %v", keys, got, want)
		}
		if strings.Contains(strings.ReplaceAll(out.String(), "\r\n", ""), "\n") {
			t.Errorf("%q: a line end without a return", keys)
		}
	}
}
