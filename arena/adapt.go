package arena

import (
	"slices"

	"thera/engine/game"
)

// Adapt puts the adapter of the engine's protocol before its command, if that has one. self is
// this program. An adapter plays one game.
func (e *EngineSpec) Adapt(g game.Game, self string) {
	archiver, ok := g.(game.Archiver)
	if !ok {
		return
	}
	if words := archiver.Adapter(e.Protocol); words != nil {
		e.Through, e.Fresh = slices.Concat([]string{self, "engine", g.Name()}, words, []string{"--"}), true
	}
}
