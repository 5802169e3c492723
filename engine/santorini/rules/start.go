package rules

// Matchup is the gods of player 1 and player 2.
type Matchup [2]God

// Start is the first position of a match-up: from the standard squares if
// both gods are basic and empty is false, otherwise from an empty board.
func Start(m Matchup, empty bool) State {
	p := State{Gods: m, GodState: [2]uint32{m[0].InitialState(), m[1].InitialState()}}
	if m[0].Basic() && m[1].Basic() && !empty {
		p.Workers = [2]uint32{Bit(11) | Bit(13), Bit(7) | Bit(17)}
		return p
	}
	if p.SecondPlacesFirst() {
		p.Mover = 1
	}
	return p
}

// SecondPlacesFirst reports whether workers are still to be placed and player 2
// places before player 1.
func (p *State) SecondPlacesFirst() bool {
	return p.Above[0] == 0 && (p.Workers[0] == 0 || p.Workers[1] == 0) &&
		gods[p.Gods[1]].placesFirst && !gods[p.Gods[0]].placesFirst
}

// WorkerRange is the least and the largest number of workers that side may have.
// If there is a block, an opponent who removes workers may have left none.
func (p *State) WorkerRange(side int) (low, high int) {
	god := &gods[p.Gods[side]]
	low, high = god.workers, god.workers
	if god.most != 0 {
		low, high = god.least, god.most
	}
	if p.Above[0] != 0 && gods[p.Gods[1-side]].removes {
		low = 0
	}
	return low, high
}

// WonOnTop reports whether the two sides share one square, where a god such as
// minotaur has won without pushing.
func (p *State) WonOnTop() bool {
	both := p.Workers[0] & p.Workers[1]
	return both&(both-1) == 0 && both & ^p.Above[2] == 0 && p.Winner != 0 && gods[p.Gods[p.Winner-1]].sharesTop
}

// MayStandOnDome reports whether a worker of side may stand on a dome: that of achilles, who
// from level 3 steps onto the dome that he has just built.
func (p *State) MayStandOnDome(side int) bool {
	on := p.Workers[side] & p.Above[3]
	return on&(on-1) == 0 && gods[p.Gods[side]].onDomes && p.GodState[side] != 0
}

// CheckGodState returns an error if the state of side's god cannot occur in this
// position.
func (p *State) CheckGodState(side int) error {
	if check := gods[p.Gods[side]].check; check != nil {
		return check(p, side)
	}
	return nil
}
