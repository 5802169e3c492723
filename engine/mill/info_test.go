package mill

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/mill/player"
	"thera/engine/mill/rules"
	"thera/engine/serve"
)

func TestDeveloperMode(t *testing.T) {
	on := commands(t, "go depth 2")
	off := commands(t, "setoption name DeveloperMode value false", "go depth 2")
	for _, what := range []string{"search starts", "node count: ", "best move found: "} {
		if !strings.Contains(on, "info string debug: "+what) || strings.Contains(off, what) {
			t.Errorf("%q: on %s off %s", what, on, off)
		}
	}
}

func TestInfoThrottle(t *testing.T) {
	var buf bytes.Buffer
	start := rules.Start(rules.Default())
	i := newInfoPrinter(serve.NewOutput(&buf), start.State())
	d6, f4 := move(t, "d6"), move(t, "f4")
	i.report(player.Result{Depth: 1, Score: 5, PV: []rules.Move{d6}})
	i.report(player.Result{Depth: 1, Score: 7, PV: []rules.Move{f4}}) // better, too soon
	i.current(d6)                                                     // too soon
	i.report(player.Result{Depth: 2, Score: 6})
	i.printed = i.printed.Add(-infoEvery)
	i.current(f4)
	i.current(f4) // a new search of it
	i.printed = i.printed.Add(-infoEvery)
	i.current(d6) // seen before: a new iteration
	i.printed = i.printed.Add(-infoEvery)
	i.report(player.Result{Depth: 2, Score: 9})
	i.finish(player.Result{Depth: 2, Score: 9, Nodes: 7})
	got := regexp.MustCompile(` time \d+`).ReplaceAllString(buf.String(), "")
	want := `info depth 1 score cp 7 nodes 0 pv f4
info currmove f4 currmovenumber 2
info currmove d6 currmovenumber 1
info depth 2 score cp 9 nodes 0
info depth 2 score cp 9 nodes 7
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
