package santorini

import "errors"

func jasonPower() power {
	return power{
		name:    "jason",
		text:    "once, instead of moving, places a worker on a ground perimeter square and builds with it",
		workers: 2,
		keeps:   "[x]: the power is used",
		least:   2,
		most:    3,
		turns:   jasonTurns,
		player:  sense{common: true, value: powerLeft},
		read:    readFlag("x"),
		show:    showFlag("[x]"),
		check: func(p *state, me int) error {
			if size(p.workers[me]) > 2 && p.power[me] == 0 {
				return errors.New("three workers, but the power is not used: want [x]")
			}
			return nil
		},
	}
}

func jasonTurns(t *turns) {
	commonTurns(t)
	if t.p.power[t.me] != 0 {
		return
	}
	for free := perimeter &^ t.p.up[0] &^ t.blocked(t.p); free != 0; free &= free - 1 {
		s := lowest(free)
		q := *t.p
		q.workers[t.me] |= bit(s)
		q.power[t.me] = 1
		t.do(act(PlaceWorker, s))
		t.build(&q, s, noSquare|move(s)<<5)
		t.undo(1)
	}
}
