// Package santorini binds Santorini: the game, its openings and the catalog of gods.
//
// Package rules has the positions, the turns, all gods and their notation, package protocol
// the arena's side of the protocol and the engine's, package player the search. What a god
// does is in rules/god_NAME.go; rules/GODS.md says how to add one.
//
// A move of a game.Position is the text of the next state. Moves writes it in the form of
// the position; Play reads either form.
package santorini

import (
	"fmt"
	"strings"

	"thera/engine/game"
	"thera/engine/santorini/player/net"
	"thera/engine/santorini/protocol"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/rules/foreign"
)

// Game is Santorini with the match-ups that it starts from. Use New: the zero value
// has no start.
type Game struct {
	starts      []rules.Names
	empty       bool   // all match-ups start from an empty board
	rulesEngine string // the rules engine of all positions, "" if only of those with unknown gods
}

// known are the gods of a match-up that is played by the rules of this package.
func (g *Game) known(m rules.Names) (gods rules.Matchup, ok bool) {
	if g.rulesEngine != "" {
		return gods, false
	}
	return m.Gods()
}

// New returns Santorini with one match-up, mortal against mortal.
func New() *Game { return &Game{starts: []rules.Names{{"mortal", "mortal"}}} }

// Name is "santorini".
func (*Game) Name() string { return "santorini" }

// Starts is the number of match-ups.
func (g *Game) Starts() int { return len(g.starts) }

// Start is the first position of match-up i: the standard one if both gods are
// basic, otherwise an empty board. It is the same for every seed.
func (g *Game) Start(i int, _ uint64) (game.Position, error) {
	if i < 0 || i >= len(g.starts) {
		return nil, fmt.Errorf("santorini: start %d of %d", i, len(g.starts))
	}
	return g.start(i), nil
}

// start is the first position of match-up i, in form V1 if it fits.
func (g *Game) start(i int) game.Position {
	gods, known := g.known(g.starts[i])
	if !known {
		return g.foreignStart(g.starts[i])
	}
	p := rules.Start(gods, g.empty)
	if rules.FitsV1(&p) {
		return rules.Box(p, rules.V1)
	}
	return rules.Box(p, rules.V2)
}

// Parse reads either form of the position text.
func (g *Game) Parse(text string) (game.Position, error) {
	p, f, err := rules.Parse(text)
	if err == nil && g.rulesEngine == "" {
		return rules.Box(p, f), nil
	}
	q, bad := foreign.Parse(text)
	switch {
	case bad == nil && (g.rulesEngine != "" || g.names(q.Sides[0].Name, q.Sides[1].Name)):
		return q, nil
	case g.rulesEngine != "":
		err = bad
	}
	return nil, fmt.Errorf("santorini: %w", err)
}

// Rules is Santorini's part of `rules` in a match file.
type Rules struct {
	Law string `yaml:"law" json:"law,omitempty" doc:"whose list of next states is the rule: both (the engines that play, where their lists differ the pair is unrated), the name of an engine, or the command of a program; default: our own rules, and both for a god that we do not know"`
}

// RulesEngine implements game.RoleCatalog.
func (g *Game) RulesEngine() string {
	if g.rulesEngine == "" {
		return game.BothEngines
	}
	return g.rulesEngine
}

// names reports whether a start has one of these gods and is not played by this package's
// rules.
func (g *Game) names(gods ...string) bool {
	for _, m := range g.starts {
		if _, known := g.known(m); known {
			continue
		}
		for _, name := range gods {
			if _, ours := rules.ParseGod(name); !ours && (m[0] == name || m[1] == name) {
				return true
			}
		}
	}
	return false
}

// foreignStart is the first position of a match-up that a rules engine decides: the
// standard one for basic gods, otherwise an empty board.
func (g *Game) foreignStart(m rules.Names) game.Position {
	text := strings.Repeat("0", rules.Squares) + "/1"
	if gods, known := m.Gods(); known {
		p := rules.Start(gods, g.empty)
		text = rules.Text(&p, rules.V2)
	} else {
		for _, name := range m {
			text += "/" + name
			if god, ours := rules.ParseGod(name); ours {
				text += god.FormatState(god.InitialState())
			}
		}
	}
	p, err := foreign.Parse(text)
	if err != nil {
		panic(fmt.Sprintf("santorini: start of %s: %v", m, err)) // names are checked
	}
	return p
}

// The settings under `openings` of a match file.
type (
	Openings    = rules.Openings
	GodOpenings = rules.GodOpenings
)

// Settings returns one rule, the rules engine, and openings.
func (*Game) Settings() (settings, openings any) {
	return &Rules{}, &Openings{Gods: rules.Default()}
}

// With returns the game with a rules engine and the match-ups of openings.
func (g *Game) With(settings, openings any) (game.Game, []game.Problem) {
	rulesEngine := g.rulesEngine
	if settings != nil {
		r, ok := settings.(*Rules)
		if !ok || r == nil {
			return nil, []game.Problem{{Path: "rules", Err: fmt.Errorf("%T is not a setting of santorini", settings)}}
		}
		rulesEngine = strings.TrimSpace(r.Law)
	}
	if openings == nil {
		return &Game{starts: g.starts, empty: g.empty, rulesEngine: rulesEngine}, nil
	}
	o, ok := openings.(*Openings)
	if !ok || o == nil {
		return nil, []game.Problem{{Path: "openings", Err: fmt.Errorf("%T is not a setting of santorini", openings)}}
	}
	starts, problems := o.Gods.Choose(rulesEngine)
	if len(problems) > 0 {
		return nil, problems
	}
	return &Game{starts: starts, empty: o.Gods.Start == "empty", rulesEngine: rulesEngine}, nil
}

// Roles lists all gods, each with an example of its power.
func (*Game) Roles() []game.Role {
	roles := rules.Roles()
	for g := range rules.GodCount {
		if !net.Seen(g) {
			roles[g].Note += "; the built-in player evaluates its positions by hand: its net has seen none"
		}
	}
	return roles
}

// RolesIn is the gods of both seats.
func (*Game) RolesIn(pos game.Position) [2]string {
	if p, ok := pos.(*foreign.Position); ok {
		return [2]string{p.Sides[0].Name, p.Sides[1].Name}
	}
	p, _ := rules.Unbox(pos)
	return [2]string{p.Gods[0].String(), p.Gods[1].String()}
}

// Late is "": a late move loses.
func (*Game) Late() (move string, most int) { return "", 0 }

// Warning names the class of a last turn that only the printed rules allow.
func (*Game) Warning(pos game.Position) string {
	if p, ok := pos.(*rules.Position); ok {
		return p.Warning()
	}
	return ""
}

// WinsAtOnce reports whether the mover has a turn that wins.
func (*Game) WinsAtOnce(pos game.Position) bool {
	p, ok := pos.(*rules.Position)
	return ok && p.WinsAtOnce()
}

// Dialects lists auto, v1 and v2.
func (*Game) Dialects() []game.Dialect { return protocol.Dialects() }

// Player is the built-in engine.
func Player() game.Player { return protocol.Player{} }
