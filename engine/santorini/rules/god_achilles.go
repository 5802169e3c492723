package rules

// What the printed rules allow beyond what engines of today list.
var (
	achillesWinningStep = printedRule{name: "achilles-prebuild-under-winning-step"}
	achillesSecondBuild = printedRule{name: "achilles-second-build", buildsTwice: true}
)

func achillesPower() power {
	return power{
		name:    "achilles",
		text:    "once, may also build before moving",
		onDomes: true,
		state:   usedOnce(),
		turns:   achillesTurns,
		hints:   hints{drops: true, value: unusedPower},
		printed: []*printedRule{&achillesWinningStep, &achillesSecondBuild},
	}
}

func achillesTurns(g *generator) {
	commonTurns(g)
	if g.p.GodState[g.me] != 0 || g.nothingClimbs() {
		return
	}
	g.eachWorker(func(from int) {
		sites := g.sites(g.p, from)
		won, both := uint32(0), sites // both: of two such squares the higher is built on first
		printed := g.allowed != nil
		if !printed { // what wins without the power needs none
			won = g.stepWins(g.p, from, g.steps(g.p, from))
		}
		for set := sites; set != 0 && !printed; set &= set - 1 {
			if q := g.achillesBuilt(lowest(set)); g.stepWins(&q, from, g.steps(&q, from)&set&-set) != 0 {
				both &^= set & -set // only to win at once
			}
		}
		for ; sites != 0; sites &= sites - 1 {
			s := lowest(sites)
			q := g.achillesBuilt(s)
			ends := g.steps(&q, from) &^ won
			if both&Bit(s) == 0 {
				ends &= Bit(s)
			} else if q.Height(s) == 4 && g.p.Height(from) == 3 && !g.noUp {
				ends |= Bit(s) & g.stepSquares(from)
			}
			g.do(act(Build, s))
			then := func(q *State, at int, hint Move) {
				switch {
				case !g.mustClimb:
					g.buildBelow(q, at, both, s, hint)
				case at == s: // the other order would not climb
					g.build(q, at, hint)
				default:
					g.buildBelow(q, at, g.sites(g.p, from), s, hint)
				}
			}
			g.stepTo(&q, from, from, ends, then)
			if g.mustClimb {
				g.stepWithoutWin(&q, from, won&g.steps(&q, from), then)
			}
			g.undo(1)
		}
	})
}

// achillesBuilt is the state after the use of the power on s.
func (g *generator) achillesBuilt(s int) State {
	q := *g.p
	g.raise(&q, s)
	q.GodState[g.me] = 1
	return q
}

// stepWithoutWin takes steps that would win, but do not: a hero whom persephone forces
// to climb may enter such a square and build.
func (g *generator) stepWithoutWin(q *State, from int, ends uint32, then continuation) {
	for ; ends != 0; ends &= ends - 1 {
		to := lowest(ends)
		after, at := g.step(q, from, to)
		g.do(act(MoveWorker, to))
		then(g.hold(&after), at, Move(from)|Move(at)<<5|MoveClimbs)
		g.depth--
		g.undo(1)
	}
}
