package rules

import "fmt"

func europaPower() power {
	return power{
		name:          "europa",
		text:          "may put her token next to the worker that moved; it is a dome to all",
		state:         europaState(),
		turns:         europaTurns,
		hints:         hints{irregular: true},
		limitSelf:     europaToken,
		limitOpponent: europaToken,
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

func europaState() memory {
	m := squareState("C3", "where the token is; nothing: not placed yet")
	m.tokens = storedSquare
	return m
}

func europaToken(g *generator, side uint8) { g.closed |= storedSquare(g.p.GodState[side]) }

func europaTurns(g *generator) {
	g.afterBuild(func(q *State, at, _ int, hint Move) {
		next := *q
		for places := near[at&31] &^ (q.Occupied() | g.closed | q.Above[3]); places != 0; places &= places - 1 {
			s := lowest(places)
			next.GodState[g.me] = uint32(s + 1)
			g.end(act(SetToken, s), &next, hint)
		}
	})
}
