package remote

import (
	"fmt"

	"thera/arena"
	"thera/engine/game"
)

// CheckPlan refuses plans that workers cannot play: games from positions whose rules
// only engines know cannot be verified.
func CheckPlan(plan *arena.Plan) error {
	refuse := func(pos game.Position) error {
		return fmt.Errorf("a run with workers needs rules that thera knows, and those of %s are an engine's (law:): without --workers and --nats it can be played", pos)
	}
	if len(plan.Openings.Positions) > 0 {
		for _, text := range plan.Openings.Positions {
			pos, err := plan.Game.Parse(text)
			if _, foreign := pos.(game.Foreign); err == nil && foreign {
				return refuse(pos)
			}
		}
		return nil
	}
	if pos := game.ForeignStart(plan.Game); pos != nil {
		return refuse(pos)
	}
	return nil
}
