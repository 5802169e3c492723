package rules

// tritonPower is Triton of the printed game: "Your Move: Each time your Worker moves onto a
// perimeter space, it may immediately move again."
//
// Where the text leaves a question:
//   - Any number of steps, also back to a square of this turn, the first one included: then the worker
//     builds from where it began. The text forbids artemis to return, and not him.
//   - A step onto level 3 wins where it is made, and the turn is over. Where it does not win (hera), it is a
//     step like any other.
//   - Each step obeys what binds his turn. A climb on the way is a climb of the turn (persephone); aphrodite
//     looks at the last step.
//   - A worker that is moved by force onto the perimeter has not moved there. Harpies, who would slide him, do
//     not meet him: that is a ban of the printed game.
func tritonPower() power {
	return power{
		name:   "triton",
		text:   "each time his worker steps onto the perimeter, it may step again",
		byText: true,
		turns:  tritonTurns,
		hints:  hints{startsLower: 2},
		bans:   []ban{{"harpies", bothGlide}},
	}
}

// tritonTurns walks in widening rings, so that each square is reached by a shortest way: once
// without a climb, and once with one.
func tritonTurns(g *generator) {
	g.eachWorker(func(from int) {
		var ways [1 + 2*Squares]tritonWay
		var seen [2]uint32
		ways[0] = tritonWay{q: *g.p, at: from}
		for i, n := 0, 1; i < n; i++ {
			way := &ways[i]
			if i > 0 && perimeter&Bit(way.at) == 0 {
				continue
			}
			steps := g.tritonSteps(&ways, i)
			g.stepTo(&way.q, from, way.at, g.steps(&way.q, way.at), func(q *State, at int, hint Move) {
				climbed := flag(q.Mover&wentUp != 0)
				if seen[climbed]&Bit(at) != 0 {
					return
				}
				seen[climbed] |= Bit(at)
				g.build(q, at, hint)
				ways[n] = tritonWay{*q, at, i}
				n++
			})
			g.undo(steps)
		}
	})
}

// tritonWay is a walk that ended on at after the walk of index before and one more step.
type tritonWay struct {
	q          State
	at, before int
}

// tritonSteps records the steps of way i, and returns their number.
func (g *generator) tritonSteps(ways *[1 + 2*Squares]tritonWay, i int) int {
	if i == 0 {
		return 0
	}
	n := g.tritonSteps(ways, ways[i].before)
	g.do(act(MoveWorker, ways[i].at))
	return n + 1
}
