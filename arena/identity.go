package arena

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"thera/engine/game"
)

// Conditions are the playing conditions of one engine: what must not change
// under its name while a run goes on. Where it lies, how many games run beside
// it and what follows a fault are no part of them.
type Conditions struct {
	Name     string            `json:"name"`
	Command  []string          `json:"command"` // the program by its base name; "builtin" for this binary
	Binary   string            `json:"binary"`
	Protocol string            `json:"protocol,omitempty"`
	Dialect  map[string]string `json:"dialect,omitempty"`
	Env      []string          `json:"env,omitempty"`
	Options  []game.Option     `json:"options,omitempty"`
	Fresh    bool              `json:"fresh,omitempty"`
	Limit    Limit             `json:"limit"` // the one in force
	IdleLoss bool              `json:"idle_loss,omitempty"`
}

// Conditions are those of the engine of that name.
func (p *Plan) Conditions(name string) Conditions {
	spec := p.Engine(name)
	if spec == nil {
		return Conditions{Name: name}
	}
	c := Conditions{
		Name: spec.Name, Command: slices.Clone(spec.Command), Binary: spec.Binary, Protocol: spec.Protocol,
		Dialect: spec.Dialect, Env: spec.Env, Options: spec.Options, Fresh: spec.Fresh,
		Limit: p.LimitOf(spec), IdleLoss: spec.IdleLoss,
	}
	switch {
	case spec.Builtin && len(c.Command) > 0:
		c.Command[0] = "builtin"
	case len(c.Command) > 0:
		c.Command[0] = filepath.Base(c.Command[0])
	}
	return c
}

// Common are the playing conditions that all games of the plan share.
type Common struct {
	Game       string       `json:"game"`
	Rules      string       `json:"rules"`
	Openings   string       `json:"openings"`
	Adjudicate Adjudication `json:"adjudicate"`
	Seed       uint64       `json:"seed"`
}

// Common are the plan's.
func (p *Plan) Common() Common {
	return Common{Game: p.Game.Name(), Rules: p.Rules, Openings: p.Openings.Text, Adjudicate: p.Adjudicate, Seed: p.Seed}
}

// Identity makes the identities of one pairing's games. It does not depend on
// the order of the engines in the file.
type Identity struct {
	pairing [2]string
	digest  [sha256.Size]byte
	seed    uint64
}

// Identity is that of a pairing of the plan.
func (p *Plan) Identity(pairing [2]string) Identity {
	a, b := sorted(pairing)
	text, err := json.Marshal(struct {
		Common
		Engines [2]Conditions `json:"engines"`
	}{p.Common(), [2]Conditions{p.Conditions(a), p.Conditions(b)}})
	if err != nil {
		panic(fmt.Sprintf("arena: playing conditions cannot be written: %v", err)) // plain data only
	}
	return Identity{pairing: pairing, digest: sha256.Sum256(text), seed: p.Seed}
}

// Job is the identity of one game: the conditions, the number of its pair and
// who sits where.
func (i Identity) Job(pair, leg int) string {
	first := i.pairing[leg%2]
	sum := sha256.Sum256(fmt.Appendf(i.digest[:], "\x00%d\x00%s\x00%d", pair, first, i.round(leg)))
	return hex.EncodeToString(sum[:16])
}

// round tells the two games of an engine against itself apart.
func (i Identity) round(leg int) int {
	if i.pairing[0] == i.pairing[1] {
		return leg
	}
	return 0
}

// Opening is the seed of a pair's opening. It depends on the run's seed, the
// pairing and the pair alone.
func (i Identity) Opening(pair int) uint64 {
	a, b := sorted(i.pairing)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d", i.seed, a, b, pair))
	return binary.LittleEndian.Uint64(sum[:])
}

func sorted(pairing [2]string) (a, b string) {
	return min(pairing[0], pairing[1]), max(pairing[0], pairing[1])
}
