package santorini

import "fmt"

func europaPower() power {
	return power{
		name:    "europa",
		text:    "may move her token beside the worker that moved; it is a dome to all",
		workers: 2,
		keeps:   "[C3]: where the token is; nothing: not placed yet",
		sample:  "C3",
		turns:   europaTurns,
		rules:   europaToken,
		limit:   europaToken,
		read:    readSquare,
		show:    showSquare,
		token:   keptSquare,
		check: func(p *state, me int) error {
			if on := keptSquare(p.power[me]) & p.occupied(); on != 0 {
				return fmt.Errorf("the token is on %s, where a worker stands", squareName(lowest(on)))
			}
			if on := keptSquare(p.power[me]) & p.up[3]; on != 0 {
				return fmt.Errorf("the token is on %s, which is a dome", squareName(lowest(on)))
			}
			return nil
		},
	}
}

func europaToken(t *turns, side uint8) { t.closed |= keptSquare(t.p.power[side]) }

func europaTurns(t *turns) {
	t.stepAndBuild(func(q *state, at int, hint move) {
		t.buildOn(q, t.sites(q, at), hint, func(q *state, _ int, hint move) {
			next := *q
			for places := near[at&31] &^ (q.occupied() | t.closed | q.up[3]); places != 0; places &= places - 1 {
				s := lowest(places)
				next.power[t.me] = uint32(s + 1)
				t.do(act(SetToken, s))
				t.emit(&next, false, hint)
				t.undo(1)
			}
		})
	})
}
