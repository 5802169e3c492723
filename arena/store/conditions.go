package store

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// Changed refuses to go on with a run whose games were played under other
// conditions: mixed games would say nothing.
type Changed struct {
	Run         string
	Games       int
	Differences []string // "limit: was move 200ms, is move 100ms"
}

func (e *Changed) Error() string {
	return fmt.Sprintf("run %s holds %d games that were played under other conditions:\n  %s\n"+
		"they are kept; play anew with --fresh, or under another name (name: …)",
		e.Run, e.Games, strings.Join(e.Differences, "\n  "))
}

// differences lists what decides about games and is not what it was. was and
// is are the engines; engines that are new, or that left, make no difference.
func differences(wasGame, isGame string, was, is arena.Settings, wasEngines, isEngines []arena.EngineSpec) []string {
	var d diff
	d.text("game", wasGame, isGame)
	d.text("rules", was.Rules, is.Rules)
	d.text("limit", limitText(was.Limit), limitText(is.Limit))
	d.text("adjudicate", adjudicationText(was.Adjudicate), adjudicationText(is.Adjudicate))
	d.text("openings", was.Openings.Text, is.Openings.Text)
	if d.text("openings file", was.Openings.File, is.Openings.File); was.Openings.File == is.Openings.File {
		d.text("openings file "+is.Openings.File+", sha256", was.Openings.Hash, is.Openings.Hash)
	}
	d.text("seed", fmt.Sprint(was.Seed), fmt.Sprint(is.Seed))
	for _, now := range isEngines {
		i := slices.IndexFunc(wasEngines, func(e arena.EngineSpec) bool { return e.Name == now.Name })
		if i < 0 {
			continue
		}
		before, at := wasEngines[i], "engine "+now.Name+" "
		d.text(at+"command", commandText(before), commandText(now))
		d.text(at+"binary, sha256", before.Binary, now.Binary)
		d.text(at+"options", optionsText(before.Options), optionsText(now.Options))
		d.text(at+"limit", limitText(before.Limit), limitText(now.Limit))
	}
	return d.lines
}

type diff struct{ lines []string }

func (d *diff) text(what, was, is string) {
	if was == is {
		return
	}
	quote := func(s string) string {
		if s == "" {
			return "not set"
		}
		return s
	}
	d.lines = append(d.lines, fmt.Sprintf("%s: was %s, is %s", what, quote(was), quote(is)))
}

// commandText leaves out where this very binary lies: `go run` builds it in a
// new place each time.
func commandText(e arena.EngineSpec) string {
	if e.Builtin && len(e.Command) > 0 {
		return strings.Join(append([]string{"built in:"}, e.Command[1:]...), " ")
	}
	return strings.Join(e.Command, " ")
}

func optionsText(options []game.Option) string {
	var words []string
	for _, o := range options {
		words = append(words, o.Name+"="+o.Value)
	}
	return strings.Join(words, " ")
}

func limitText(l arena.Limit) string {
	var words []string
	add := func(name string, set bool, value any) {
		if set {
			words = append(words, fmt.Sprintf("%s %v", name, value))
		}
	}
	duration := func(name string, d time.Duration) { add(name, d != 0, d) }
	duration("move", l.Move)
	duration("clock", l.Clock)
	duration("increment", l.Increment)
	duration("cpu", l.CPU)
	add("depth", l.Depth != 0, l.Depth)
	add("nodes", l.Nodes != 0, l.Nodes)
	duration("max_move", l.MaxMove)
	duration("grace", l.Grace)
	return strings.Join(words, ", ")
}

func adjudicationText(a arena.Adjudication) string {
	if a == (arena.Adjudication{}) {
		return ""
	}
	return strings.Trim(fmt.Sprintf("%+v", a), "{}")
}
