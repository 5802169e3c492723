package tournament

import (
	"context"
	"fmt"

	"thera/arena"
	"thera/engine/game"
)

// Tries before random plies of a foreign position are given up. Each ply costs a
// question to the law.
const (
	triesForeign = 20  // walks
	triesMove    = 100 // moves of one ply that end the game
)

// Lists returns the legal moves of a position. It is not ok if they are not known:
// then the game starts there, and what is wrong shows at its first move.
type Lists func(ctx context.Context, pos game.Foreign) (moves []string, ok bool, err error)

// Wander plays the random plies of job from a foreign position, whose moves lists
// knows. They depend on the seed of job and on the lists alone.
func Wander(ctx context.Context, plan *arena.Plan, job arena.Job, from game.Foreign, lists Lists) (game.Foreign, error) {
	plies := plan.Openings.RandomPlies
	if plies == 0 || job.Opening != "" {
		return from, nil
	}
	for try := range uint64(triesForeign) {
		g := generator(job.Seed ^ (try+1)*0x9e3779b97f4a7c15)
		pos, open, err := walkForeign(ctx, from, plies, &g, lists)
		if err != nil || open {
			return pos, err
		}
	}
	return nil, fmt.Errorf("no %d random plies from %s leave the game open in %d draws (hint: fewer random_plies)", plies, from, triesForeign)
}

func walkForeign(ctx context.Context, pos game.Foreign, plies int, g *random, lists Lists) (at game.Foreign, open bool, err error) {
	for ply := 0; ; ply++ {
		moves, ok, err := lists(ctx, pos)
		if err != nil || !ok {
			return pos, true, err
		}
		if len(moves) == 0 || ply == plies {
			return pos, len(moves) > 0 && !winsAtOnce(nil, pos.Under(moves)), nil
		}
		if pos = child(pos, moves, g); pos == nil {
			return nil, false, nil
		}
	}
}

// child is the position after a random move that does not end the game, nil if none
// is found.
func child(pos game.Foreign, moves []string, g *random) game.Foreign {
	for range triesMove {
		next, err := pos.Play(game.By(pos.ToMove().Only(), moves[g.below(len(moves))]))
		if err != nil {
			return nil
		}
		if _, over := next.Outcome(); !over {
			at, _ := next.(game.Foreign)
			return at
		}
	}
	return nil
}
