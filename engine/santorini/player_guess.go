package santorini

// guesser orders turns before anything is known: up first, then towards the
// centre, building what can be climbed from here and not by the opponent.
type guesser struct {
	p     *state
	step  move  // the from and to that base is for
	base  int32 // of the step
	same  int32 // what a block on a square as high as to is worth
	level uint32

	blocks [32]int32 // what a block is worth for the opponent's sake, by its square
}

// Guesses are doubled: they are weighed against the history.
const guessUnit = 2

func (g *guesser) begin(p *state) {
	g.p, g.step = p, 1<<10-1
	g.blocks = [32]int32{}
	for w := p.workers[p.mover&1^1]; w != 0; w &= w - 1 {
		s := lowest(w)
		around := near[s&31]
		g.fill(around&p.up[2], 600) // it could step up there
		if h := p.height(s); h > 0 {
			g.fill(around&p.level(1), -600) // it could climb there then
			if h > 1 {
				g.fill(around&p.level(2), -900)
			}
		}
	}
}

func (g *guesser) fill(set uint32, worth int32) {
	for ; set != 0; set &= set - 1 {
		g.blocks[lowest(set)&31] = worth * guessUnit
	}
}

// guess is quick where turns with the same step follow each other.
func (g *guesser) guess(m move) int32 {
	if m&(1<<10-1) != g.step {
		g.take(m)
	}
	built := uint32(m>>10) & 31
	return g.base + g.blocks[built] + g.same*int32(g.level>>built&1)
}

// take works out what all turns with m's step have in common.
func (g *guesser) take(m move) {
	g.step = m & (1<<10 - 1)
	from, to := m.from(), m.to()
	level := g.p.height(to)
	g.base = (int32(level-g.p.height(from))*1200 + int32(ringOf[to])*30 - int32(ringOf[from])*30) * guessUnit
	g.same = int32(level+1) * 150 * guessUnit
	g.level = g.p.level(level)
}
