package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"

	"thera/arena"
	"thera/engine/game"
)

// How much of an engine's last words a report of its fault repeats.
const (
	faultTail   = 6   // lines of the conversation
	faultStderr = 5   // lines of stderr
	faultWidth  = 300 // characters of a line
)

// Again is what shows a game and repeats it.
type Again struct {
	Show string      // the command that shows a game, without the game; "": none
	Plan *arena.Plan // of the game, with its rules
}

// start is what starts an engine in a shell.
func (a *Again) start(name string) string {
	spec := a.Plan.Engine(name)
	if spec == nil {
		return "COMMAND of " + name
	}
	e := *spec
	e.Adapt(a.Plan.Game, "thera")
	words := shellquote.Join(slices.Concat(e.Through, e.Command)...)
	if e.Dir != "" {
		words = "(cd " + shellquote.Join(e.Dir) + " && " + words + ")"
	}
	return words
}

// FaultLines is what is known of the fault that ended a game, for the engine's author,
// indented and neutralised: where it was, under which limit, the last lines of
// the conversation and of stderr, and the commands that show the game and repeat what the engine
// was sent.
func FaultLines(rec *arena.Game, again Again) []string {
	var lines []string
	add := func(indent, text string) { lines = append(lines, indent+cut(Printable(text), faultWidth)) }
	for text := range strings.SplitSeq(strings.TrimSpace(rec.Detail), "\n") {
		if text != "" {
			add("  ", text)
		}
	}
	blamed := []game.Seat{rec.Blamed}
	if rec.Both() {
		blamed = []game.Seat{game.First, game.Second}
	}
	for _, seat := range blamed {
		if seat == game.None {
			continue
		}
		name := rec.Engine(seat)
		part := func(title string, all []string, most int) {
			if len(all) > 0 {
				add("  ", title)
			}
			for _, text := range all[max(0, len(all)-most):] {
				add("    ", text)
			}
		}
		part("last lines to (>) and from (<) "+name+":", rec.Tail[seat.Index()], faultTail)
		if text := strings.TrimRight(rec.Stderr[seat.Index()], " \r\n"); text != "" {
			part("end of the stderr of "+name+":", strings.Split(text, "\n"), faultStderr)
		}
	}
	if again.Show == "" {
		return lines
	}
	show := again.Show + " " + arena.Short(rec.ID)
	add("  ", "more: "+show)
	for _, seat := range blamed {
		if seat != game.None && rec.Input[seat.Index()] != "" { // whole, to be copied
			start := again.start(rec.Engine(seat))
			lines = append(lines, Printable(fmt.Sprintf("  once more: %s --stdin %d | %s", show, seat, start)))
		}
	}
	return lines
}

// faultsSeen knows which kinds of faults were shown, by engine.
type faultsSeen struct {
	again Again
	kinds map[[2]string]bool
}

// lines describes a game that an engine lost by a fault; the first of an engine's
// faults of one kind with all that helps to find the cause.
func (f *faultsSeen) lines(rec *arena.Game) []string {
	blamed, fault := rec.Engine(rec.Blamed), rec.Fault.Error()
	kind := [2]string{blamed, string(rec.Fault.Kind)}
	if rec.Both() {
		blamed, fault, kind = rec.Engine(game.First)+" and "+rec.Engine(game.Second), rec.Outcome.Reason, rec.Pairing
	}
	lines := []string{fmt.Sprintf("%s  %s lost by a fault: %s", arena.Short(rec.ID), blamed, fault)}
	if !f.kinds[kind] {
		f.kinds[kind] = true
		brief := *rec // without the reason, which the first line has
		brief.Detail = strings.Replace(rec.Detail+"\n", ": "+fault+"\n", "\n", 1)
		lines = append(lines, FaultLines(&brief, f.again)...)
	}
	return lines
}
