package report

import (
	"slices"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/game"
)

// The report of a fault has a bounded number of lines, each bounded and neutralised,
// of the engine at fault; of both if both were.
func TestFaultLines(t *testing.T) {
	rec := &arena.Game{
		Job:     arena.Job{ID: "0123456789abcdef", Pairing: [2]string{"new\x1b[1m", "old"}},
		Source:  arena.Faulted,
		Fault:   &game.Fault{Kind: game.FaultProtocol},
		Blamed:  game.First,
		Outcome: game.Outcome{Winner: game.Second, Reason: "protocol"},
		Detail:  "new\x1b[1m (seat 1) at ply 1, in its first move: protocol\nposition: 000\nlimit: move 100ms",
		Tail:    [2][]string{strings.Split(strings.Repeat("< noise\n", 20)+"> question\n< \x1b[2J"+strings.Repeat("x", 500), "\n"), {"> of the other"}},
		Stderr:  [2]string{"one\ntwo\nthree\nfour\nfive\r\nsix\a\n\n", "of the other"},
	}
	again := Again{Show: "thera replay", Plan: &arena.Plan{Engines: []arena.EngineSpec{{Name: "old", Command: []string{"a b", "-x"}, Dir: "the dir"}}}}
	got := FaultLines(rec, again)
	want := []string{
		`  new\x1b[1m (seat 1) at ply 1, in its first move: protocol`,
		"  position: 000",
		"  limit: move 100ms",
		`  last lines to (>) and from (<) new\x1b[1m:`,
		"    < noise", "    < noise", "    < noise", "    < noise", "    > question", `    < \x1b[2J` + strings.Repeat("x", 290) + "…",
		`  end of the stderr of new\x1b[1m:`,
		"    two", "    three", "    four", "    five ", `    six\a`,
		"  more: thera replay 0123456789ab",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s", strings.Join(got, "\n"))
	}
	rec.Outcome.Winner = game.None
	if got := strings.Join(FaultLines(rec, Again{}), "\n"); !strings.Contains(got, "> of the other") || strings.Contains(got, "more:") {
		t.Errorf("both at fault:\n%s", got)
	}
	rec.Input = [2]string{"x", "x"}
	got = FaultLines(rec, again)
	want = []string{
		`  once more: thera replay 0123456789ab --stdin 1 | COMMAND of new\x1b[1m`,
		`  once more: thera replay 0123456789ab --stdin 2 | (cd 'the dir' && 'a b' -x)`,
	}
	if !slices.Equal(got[len(got)-2:], want) {
		t.Errorf("the last lines are\n%s", strings.Join(got, "\n"))
	}
}
