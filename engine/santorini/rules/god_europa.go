package rules

import "fmt"

func europaPower() power {
	return power{
		name:          "europa",
		text:          "may put her token next to the worker that moved; it is a dome to all",
		workers:       2,
		stateText:     "[C3]: where the token is; nothing: not placed yet",
		stateSample:   "C3",
		turns:         europaTurns,
		hints:         hints{irregular: true},
		limitSelf:     europaToken,
		limitOpponent: europaToken,
		parse:         parseSquareState,
		format:        formatSquareState,
		tokens:        storedSquare,
		check: func(p *State, me int) error {
			if on := storedSquare(p.GodState[me]) & p.Occupied(); on != 0 {
				return fmt.Errorf("the token is on %s, where a worker stands", SquareName(lowest(on)))
			}
			if on := storedSquare(p.GodState[me]) & p.Above[3]; on != 0 {
				return fmt.Errorf("the token is on %s, which is a dome", SquareName(lowest(on)))
			}
			return nil
		},
	}
}

func europaToken(g *generator, side uint8) { g.closed |= storedSquare(g.p.GodState[side]) }

func europaTurns(g *generator) {
	g.stepAndBuild(func(q *State, at int, hint Move) {
		g.buildOn(q, g.sites(q, at), hint, func(q *State, _ int, hint Move) {
			next := *q
			for places := near[at&31] &^ (q.Occupied() | g.closed | q.Above[3]); places != 0; places &= places - 1 {
				s := lowest(places)
				next.GodState[g.me] = uint32(s + 1)
				g.do(act(SetToken, s))
				g.emit(&next, false, hint)
				g.undo(1)
			}
		})
	})
}
