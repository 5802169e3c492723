package santorini

import "thera/engine/game"

// Dialects lists the protocols that engines of today speak.
func (*Game) Dialects() []game.Dialect { return nil }
