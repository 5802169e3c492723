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
	again := Again{Show: "thera replay", Plan: &arena.Plan{Engines: []arena.EngineSpec{{Name: "old", Command: []string{"a b", "-x"}, Dir: "the dir"}}}}
	texts := []string{strings.Join(FaultLines(rec, again), "\n")}
	rec.Outcome.Winner = game.None // both are at fault
	texts = append(texts, strings.Join(FaultLines(rec, Again{}), "\n"))
	rec.Input = [2]string{"x", "x"}
	texts = append(texts, strings.Join(FaultLines(rec, again), "\n"))
	golden(t, "fault.txt", []byte(strings.Join(texts, "\n---\n")+"\n"))
}
