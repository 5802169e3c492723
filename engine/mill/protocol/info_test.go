package protocol

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/engine/serve"
)

func TestDeveloperMode(t *testing.T) {
	on := commands(t, "go depth 2")
	off := commands(t, "setoption name DeveloperMode value false", "go depth 2")
	if !strings.Contains(on, "info string debug: ") || strings.Contains(off, "debug: ") {
		t.Errorf("on %s off %s", on, off)
	}
}

func TestInfoIsALineADepth(t *testing.T) {
	var buf bytes.Buffer
	start := rules.Start(rules.Default())
	i := newInfoPrinter(serve.NewOutput(&buf), start.State())
	i.report(player.Result{Depth: 1, Score: 5, PV: []rules.Move{move(t, "d6")}})
	i.report(player.Result{Depth: 1, Score: 7, PV: []rules.Move{move(t, "f4")}}) // better
	i.report(player.Result{Depth: 2, Score: 6})
	i.finish(player.Result{Depth: 2, Score: 9, Nodes: 7})
	got := regexp.MustCompile(` time \d+`).ReplaceAllString(buf.String(), "")
	want := "info depth 1 score cp 7 nodes 0 pv f4\ninfo depth 2 score cp 9 nodes 7\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseGo(t *testing.T) {
	a1, d6 := move(t, "a1"), move(t, "d6")
	for question, want := range map[string]player.Goal{
		"":                              {},
		"infinite":                      {Infinite: true},
		"depth 4 nodes 9":               {Depth: 4, Nodes: 9},
		"searchmoves a1 d6 depth 2":     {Moves: []rules.Move{a1, d6}, Depth: 2},
		"depth 2 searchmoves a1 zz d6":  {Moves: []rules.Move{a1}, Depth: 2},
		"depth -3":                      {},
		"depth x movetime 0":            {Time: time.Millisecond},
		"depth":                         {},
		"ponder movestogo 4 depth 3":    {Depth: 3, ToGo: 4},
		"wtime 5 btime 6 winc 7 binc 8": {Left: [2]time.Duration{5e6, 6e6}, Inc: [2]time.Duration{7e6, 8e6}},
		"depth 99999999999999999999999": {},
		"nodes 5 infinite":              {Nodes: 5, Infinite: true},
		"searchmoves":                   {},
	} {
		if diff := cmp.Diff(want, parseGo(strings.Fields(question))); diff != "" {
			t.Errorf("go %s: %s", question, diff)
		}
	}
}

func move(t *testing.T, text string) rules.Move {
	t.Helper()
	m, ok := rules.ParseMove(text)
	if !ok {
		t.Fatalf("%q is not a move", text)
	}
	return m
}
