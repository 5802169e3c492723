package report

import (
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
	got := FaultLines(rec, "thera replay")
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
	if got := strings.Join(FaultLines(rec, ""), "\n"); !strings.Contains(got, "> of the other") || strings.Contains(got, "more:") {
		t.Errorf("both at fault:\n%s", got)
	}
}
