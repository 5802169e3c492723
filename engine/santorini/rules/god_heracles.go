package rules

// heraclesPower is Heracles of the printed game: "End of Your Turn: Once, both your Workers build any
// number of domes (even zero) at any level."
//
// Where the text leaves a question:
//   - Each dome is on a free square next to one of his workers, after the usual build, and also on the square
//     of that build. One square has one dome, so what counts is the set of squares; it may be empty, and then
//     the power is used for nothing.
//   - If he has lost a worker, the other one builds. A worker that hypnus holds builds too: it may not move.
//   - Limus guards: next to his workers only the fourth level is built, as the printed text of limus has it.
//   - A winning step ends the turn before the power.
//   - Chronus does not meet him, nor any other god who may build a dome on a low tower.
func heraclesPower() power {
	return power{
		name:    "heracles",
		text:    "once, at the end of a turn, both workers put any number of domes on any levels",
		byText:  true,
		state:   usedOnce(),
		turns:   heraclesTurns,
		wide:    true,
		endless: true,
		hints:   hints{value: unusedPower},
		bans:    []ban{{"chronus", lowDomes}},
	}
}

func heraclesTurns(g *generator) {
	g.afterBuild(func(q *State, _, _ int, hint Move) {
		if q.GodState[g.me] != 0 {
			return
		}
		next := *q
		next.GodState[g.me] = 1
		var around uint32
		for w := q.Workers[g.me]; w != 0; w &= w - 1 {
			around |= g.neighbours(lowest(w))
		}
		around &= g.domeable(q) &^ g.guarded(q)
		switch {
		case g.plainOnly:
			g.heraclesFew(&next, around, hint)
		case g.target != nil: // no other set leads there
			g.domes(&next, around&g.target.Above[3], hint)
		default:
			for set := around; ; set = (set - 1) & around {
				g.domes(&next, set, hint)
				if set == 0 || g.stopped {
					break
				}
			}
		}
	})
}

// heraclesFew lists what a search looks at: all squares, those next to each opponent's worker, those of
// level 3, and each of level 2 or 3 alone.
func (g *generator) heraclesFew(q *State, around uint32, hint Move) {
	g.domes(q, around, hint)
	var beside uint32
	for w := q.Workers[g.them]; w != 0; w &= w - 1 {
		beside |= near[lowest(w)]
		g.domes(q, around&near[lowest(w)], hint)
	}
	g.domes(q, around&beside, hint)
	g.domes(q, around&q.Above[2], hint)
	for high := around & q.Above[1]; high != 0; high &= high - 1 {
		g.domes(q, high&-high, hint)
	}
}

// domes puts a dome on all squares of set and ends the turn.
func (g *generator) domes(q *State, set uint32, hint Move) {
	next := *q
	next.Dome(set)
	for s := set; s != 0; s &= s - 1 {
		g.do(act(Dome, lowest(s)))
	}
	g.emit(&next, false, hint)
	g.undo(size(set))
}
