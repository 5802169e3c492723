package rules

import "errors"

func jasonPower() power {
	return power{
		name:    "jason",
		text:    "once, instead of moving, places a worker on a ground perimeter square and builds with it",
		state:   usedOnce(),
		least:   2,
		most:    3,
		turns:   jasonTurns,
		returns: true,
		hints:   hints{value: unusedPower},
		check: func(p *State, me int) error {
			if size(p.Workers[me]) > 2 && p.GodState[me] == 0 {
				return errors.New("three workers, but the power is not used: want [x]")
			}
			return nil
		},
	}
}

func jasonTurns(g *generator) {
	commonTurns(g)
	if g.p.GodState[g.me] != 0 {
		return
	}
	for free := perimeter &^ g.p.Above[0] &^ g.notFree(g.p); free != 0; free &= free - 1 {
		s := lowest(free)
		q := *g.p
		q.Workers[g.me] |= Bit(s)
		q.GodState[g.me] = 1
		q.Mover |= wentUp // persephone takes it for a climb
		g.do(act(PlaceWorker, s))
		g.build(&q, s, NoSquare|Move(s)<<5)
		g.undo(1)
	}
}
