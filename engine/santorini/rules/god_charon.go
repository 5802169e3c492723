package rules

// What the printed rules allow beyond what engines of today list.
var charonFlipWin = printedRule{name: "charon-flip-win-where-plain-win"}

func charonPower() power {
	return power{
		name:    "charon",
		text:    "before moving may move a neighbour of the opponent to the opposite side of the worker",
		turns:   charonTurns,
		hints:   hints{irregular: true},
		printed: []*printedRule{&charonFlipWin},
	}
}

func charonTurns(g *generator) {
	g.eachWorker(func(from int) {
		plain := g.steps(g.p, from)
		g.stepTo(g.p, from, from, plain, g.build)
		var won uint32 // a step that wins needs no flip
		if g.allowed != &charonFlipWin {
			won = g.stepWins(g.p, from, plain)
		}
		g.flips(from, func(q *State) {
			g.stepTo(q, from, from, g.steps(q, from)&^won, g.build)
		})
	})
}

// flips calls fn for each opponent next to at that can move to the opposite side.
func (g *generator) flips(at int, fn func(q *State)) {
	for d := range 8 {
		a, b := neighbour(at, d, false), neighbour(at, (d+4)%8, false)
		if a == NoSquare || b == NoSquare || g.movable(g.p)&Bit(a) == 0 || g.notFree(g.p)&Bit(b) != 0 {
			continue
		}
		q := *g.p
		g.force(&q, a, b)
		g.do(Action{Kind: ForceOpponent, At: a, To: b})
		fn(g.hold(&q))
		g.depth--
		g.undo(1)
	}
}
