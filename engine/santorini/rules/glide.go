package rules

// glides is the turns of hermes in which no worker leaves its level.
type glides struct {
	homes  [2]int    // the workers, the second NoSquare if there is one only
	reach  [2]uint32 // where each may end while the other makes way
	joined bool      // these are the same squares
	closed uint32    // squares where nobody may build, beside those of the workers
}

// glides returns those of the mover.
func (p *State) glides() (g glides) {
	mine, theirs := p.Workers[p.Mover&1], p.Workers[p.Mover&1^1]
	g.closed = theirs | p.Above[3]
	g.homes = [2]int{lowest(mine), NoSquare}
	g.reach = [2]uint32{p.glide(g.homes[0], theirs), Bit(NoSquare)}
	if mine &= mine - 1; mine != 0 {
		g.homes[1] = lowest(mine)
		if g.joined = g.reach[0]&mine != 0; !g.joined {
			g.reach[1] = p.glide(g.homes[1], theirs)
		}
	}
	return g
}

// glide is where a worker on home gets by steps on its level around the workers of others.
func (p *State) glide(home int, others uint32) uint32 {
	level := p.Level(p.Height(home)) &^ others
	for reach := Bit(home); ; {
		row := reach | reach&notE<<1 | reach&notA>>1
		more := reach | (row|row<<5|row>>5)&level
		if more == reach {
			return reach
		}
		reach = more
	}
}

// mates is where the second worker may end if the first ends on to. Exchanged workers are the
// same turn.
func (g *glides) mates(to int) uint32 {
	if g.joined {
		return g.reach[0] &^ (Bit(to)<<1 - 1)
	}
	return g.reach[1]
}

// sites is where workers that end on these squares may build.
func (g *glides) sites(to, mate int) uint32 {
	return (near[to&31] | near[mate&31]) &^ (g.closed | Bit(to) | Bit(mate))
}

// appendGlides appends all glides of the mover.
func appendGlides(moves []Move, p *State) []Move {
	g := p.glides()
	for first := g.reach[0]; first != 0; first &= first - 1 {
		to := lowest(first)
		for second := g.mates(to); second != 0; second &= second - 1 {
			mate := lowest(second)
			m := moveGlide | Move(mate)<<secondShift | Move(to)<<5 | Move(g.homes[0])
			for b := g.sites(to, mate); b != 0; b &= b - 1 {
				moves = append(moves, m|Move(lowest(b))<<10)
			}
		}
	}
	return moves
}

// mayGlide reports whether a glide of another position is one of p.
func (p *State) mayGlide(m Move) bool {
	g := p.glides()
	to, mate := m.To(), m.Mate()
	return m.From() == g.homes[0] && g.reach[0]&Bit(to) != 0 && g.mates(to)&Bit(mate) != 0 &&
		g.sites(to, mate)&Bit(m.Built()) != 0
}
