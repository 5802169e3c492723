package store

import (
	"encoding/json"
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

// differences lists which playing conditions are not what they were. Engines
// that are new, or that left, make no difference.
func differences(was, is header) []string {
	var d diff
	a, b := was.common(), is.common()
	d.text("game", a.Game, b.Game)
	d.text("rules", a.Rules, b.Rules)
	d.text("openings", a.Openings, b.Openings)
	d.text("adjudicate", adjudicationText(a.Adjudicate), adjudicationText(b.Adjudicate))
	d.text("seed", fmt.Sprint(a.Seed), fmt.Sprint(b.Seed))
	d.limits(was, is)
	for _, e := range is.engines {
		if !was.has(e.Name) {
			continue
		}
		a, b, at := was.conditions(e.Name), is.conditions(e.Name), "engine "+e.Name+" "
		d.text(at+"command", strings.Join(a.Command, " "), strings.Join(b.Command, " "))
		d.text(at+"binary, sha256", a.Binary, b.Binary)
		d.text(at+"protocol", a.Protocol, b.Protocol)
		d.text(at+"protocol settings", asJSON(a.Dialect), asJSON(b.Dialect))
		d.text(at+"env", strings.Join(keptEnv(a.Env), " "), strings.Join(keptEnv(b.Env), " "))
		d.text(at+"options", optionsText(a.Options), optionsText(b.Options))
		d.text(at+"fresh", fmt.Sprint(a.Fresh), fmt.Sprint(b.Fresh))
		d.text(at+"forfeit for idle_cpu", fmt.Sprint(a.IdleLoss), fmt.Sprint(b.IdleLoss))
	}
	return d.lines
}

func (h header) common() arena.Common {
	return arena.Common{Game: h.game, Rules: h.settings.Rules, Openings: h.settings.Openings.Text, Adjudicate: h.settings.Adjudicate, Seed: h.settings.Seed}
}

func (h header) has(name string) bool {
	return slices.ContainsFunc(h.engines, func(e arena.EngineSpec) bool { return e.Name == name })
}

func (h header) conditions(name string) arena.Conditions {
	return (&arena.Plan{Engines: h.engines, Limit: h.settings.Limit}).Conditions(name)
}

type diff struct{ lines []string }

func (d *diff) text(what, was, is string) {
	if was == is {
		return
	}
	d.lines = append(d.lines, what+": "+wasIs(was, is))
}

func wasIs(was, is string) string {
	quote := func(s string) string {
		if s == "" {
			return "not set"
		}
		return s
	}
	return fmt.Sprintf("was %s, is %s", quote(was), quote(is))
}

// limits compares the limits in force; where all engines' changed alike it
// says so once.
func (d *diff) limits(was, is header) {
	var lines []string
	changes := map[string]bool{}
	common := 0
	for _, e := range is.engines {
		if !was.has(e.Name) {
			continue
		}
		common++
		a, b := limitText(was.conditions(e.Name).Limit), limitText(is.conditions(e.Name).Limit)
		if a != b {
			changes[wasIs(a, b)] = true
			lines = append(lines, "engine "+e.Name+" limit: "+wasIs(a, b))
		}
	}
	if len(lines) == common && len(changes) == 1 && common > 1 {
		for change := range changes {
			lines = []string{"limit: " + change}
		}
	}
	d.lines = append(d.lines, lines...)
}

func asJSON(m map[string]string) string {
	if len(m) == 0 {
		return ""
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(text)
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
	duration("start", l.Start)
	return strings.Join(words, ", ")
}

func adjudicationText(a arena.Adjudication) string {
	if a == (arena.Adjudication{}) {
		return ""
	}
	return strings.Trim(fmt.Sprintf("%+v", a), "{}")
}
