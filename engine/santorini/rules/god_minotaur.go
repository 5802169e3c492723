package rules

func minotaurPower() power {
	return power{
		name:      "minotaur",
		text:      "may move onto an opponent's worker and push it straight on, to any level",
		sharesTop: true,
		turns:     minotaurTurns,
		fast:      &Fast{Reach: minotaurReach, Land: func(_ *State, from, to int) int { return beyond(from, to) }},
	}
}

func minotaurTurns(g *generator) {
	g.eachWorker(func(from int) {
		g.stepTo(g.p, from, from, g.steps(g.p, from), g.build)
		for ends := g.stepSquares(from) & g.enterable(g.p, from, 1) & g.p.Workers[g.them]; ends != 0; ends &= ends - 1 {
			to := lowest(ends)
			back := neighbour(to, direction(from, to, false), false)
			if back == NoSquare || g.notFree(g.p)&Bit(back) != 0 {
				continue
			}
			q := *g.p
			q.Workers[g.me] ^= Bit(from)
			if after, at := g.enter(&q, from, to); g.wins(g.p, &after, from, to) {
				// A step that wins pushes nobody.
				g.do(act(MoveWorker, to))
				g.arrive(g.p, &after, from, from, to, at, nil)
				g.undo(1)
				continue
			}
			g.force(&q, to, back)
			g.do(Action{Kind: MoveWithPush, At: to, To: back})
			after, at := g.enter(&q, from, to)
			g.arrive(&q, &after, from, from, to, at, g.build)
			g.undo(1)
		}
	})
}

func minotaurReach(p *State, from int) (wins, ends uint32) {
	_, theirs := p.sides(from)
	open := ^p.Occupied()
	for taken := near[from&31] & theirs; taken != 0; taken &= taken - 1 {
		if back := beyond(from, lowest(taken)); back != NoSquare && (p.Occupied()|p.Above[3])&Bit(back) == 0 {
			open |= taken & -taken
		}
	}
	return stepReach(p, from, open)
}

// beyond is the square straight on after a step from from to to, NoSquare off the board.
func beyond(from, to int) int { return neighbour(to, direction(from, to, false), false) }
