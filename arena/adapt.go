package arena

import "thera/engine/game"

// Adapt puts the adapter of the engine's protocol before its command, if that has one. self is
// this program. An adapter plays one game.
func (e *EngineSpec) Adapt(g game.Game, self string) {
	for _, d := range g.Dialects() {
		if adapted, ok := d.(game.Adapted); ok && d.Name() == e.Protocol {
			e.Through = append([]string{self, "engine", g.Name()}, append(adapted.Adapter(), "--")...)
			e.Fresh = true
		}
	}
}
