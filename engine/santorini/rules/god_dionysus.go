package rules

// dionysusPower is Dionysus of the printed game: "Your Build: Each time a Worker you control creates
// a Complete Tower, you may take an additional turn using an opponent Worker instead of your own. No player
// can win during these additional turns."
//
// Where the text leaves a question:
//   - A complete tower is a dome on level 3. Only a build makes one, never a power of the opponent's god.
//   - An additional turn is a step and a build of one opponent's worker, any of them. If none of them can do both,
//     there is no additional turn, and nobody has lost by that.
//   - A tower that the opponent's worker completes gives one more such turn, with the same worker or another, and so on
//     without a limit. On a board of many towers that are millions of turns: mostAgain bounds how many are
//     listed, and mostOnTheWay how many ways are tried to a state that an engine claims.
//   - In these turns a step onto level 3 wins nothing: the worker stands there, and no later step from 3 to 3 wins.
//   - In these turns the worker counts as one of Dionysus', whatever god it belongs to. What binds his turn binds it:
//     athena, nike, hades, aeolus, hippolyta (whose female worker still steps straight), harpies, limus (whose other
//     worker guards), the token of europa and the coins of clio, whose workers on coins are not there for him. It has
//     no power of its own: no state of the opponent's god changes, but that of a female worker, which follows her.
//   - What binds a worker by where it began the turn, aphrodite and hypnus, binds his own worker alone. His own step
//     must be right by aphrodite before an additional turn. Persephone is content if any worker climbs in the turn,
//     additional turns included.
func dionysusPower() power {
	return power{
		name:    "dionysus",
		text:    "each time he completes a tower, one more step and build with an opponent's worker, which cannot win",
		byText:  true,
		turns:   dionysusTurns,
		example: "0102310003320013120002010/1/dionysus:B3,D3/mortal:C4,C2",
	}
}

// The bounds are on positions in which an additional turn begins. Games of today's engines have some tens.
const (
	mostAgain    = 1 << 12
	mostOnTheWay = 1 << 17
)

func dionysusTurns(g *generator) {
	clear(g.again)
	g.afterBuild(func(q *State, _, s int, hint Move) {
		if q.Height(s) == 4 {
			g.dionysusAgain(*q, hint)
		}
	})
}

// dionysusAgain takes the additional turns after a tower that was completed in q. Towers that are
// completed in another order lead to the same states; what follows them is listed once.
func (g *generator) dionysusAgain(q State, hint Move) {
	most := mostAgain
	if g.target != nil {
		most = mostOnTheWay
	}
	if g.again[q] || q.Mover&leftNeighbour != 0 || len(g.again) >= most {
		return
	}
	if g.again == nil {
		g.again = map[State]bool{}
	}
	g.again[q] = true
	binds := g.limits
	g.noWin, g.staysNear = Board, false
	if g.foe.female {
		g.exempt = storedSquare(q.GodState[g.them])
	}
	for theirs := g.movable(&q); theirs != 0; theirs &= theirs - 1 {
		from := lowest(theirs)
		lent := q
		lent.Workers[g.them] ^= Bit(from)
		lent.Workers[g.me] |= Bit(from)
		for ends := g.steps(&lent, from); ends != 0 && !g.stopped; ends &= ends - 1 {
			next, at := g.step(&lent, from, lowest(ends))
			g.do(Action{Kind: ForceOpponent, At: from, To: at})
			g.dionysusBuilds(&next, from, at, hint)
			g.undo(1)
		}
	}
	g.limits = binds
}

// dionysusBuilds builds with the opponent's worker that went from from to at, and gives it back.
func (g *generator) dionysusBuilds(q *State, from, at int, hint Move) {
	for sites := g.sites(q, at); sites != 0 && !g.stopped; sites &= sites - 1 {
		s := lowest(sites)
		if g.target != nil && !g.mustClimb && g.target.Height(s) <= q.Height(s) {
			continue // no way there
		}
		next := *q
		g.raise(&next, s)
		next.Workers[g.me] ^= Bit(at)
		next.Workers[g.them] |= Bit(from)
		g.force(&next, from, at)
		g.do(act(Build, s))
		g.emit(&next, false, hint)
		if next.Height(s) == 4 {
			g.dionysusAgain(next, hint)
		}
		g.undo(1)
	}
}
