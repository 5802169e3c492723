package rules

// hints is what a god's file says about it beyond the rules, so that a search can
// see wins without generating turns.
type hints struct {
	// A common win starts on level 2 and ends on an existing square of level 3.
	// startsLower is how many levels lower a win may start within one turn.
	startsLower int
	drops       bool // wins without a square of level 3 too
	elsewhere   bool // also wins by moves on any level

	// irregular marks a god that may win other than by one plain step from level
	// 2 to a free square of level 3, or that may not take every such step. Gods
	// with startsLower, drops, elsewhere, wins, buildWins or a fast path need no mark.
	irregular bool

	// value is a term of the evaluation, in hundredths of a clear advantage.
	value func(p *State, me int) int
}

// MayWin reports whether side might win with its next turn. It is quick, exact if
// WinsKnown, and may else return true where there is no win.
func MayWin(p *State, side uint8) bool {
	side &= 1
	if WinsKnown(p, side) {
		return WinningSquares(p, side) != 0
	}
	god := &gods[p.Gods[side]]
	if god.wins != nil && !god.hints.drops || god.hints.elsewhere || god.buildWins {
		return true
	}
	high := p.Workers[side]
	if level := 1 - god.hints.startsLower; level >= 0 {
		high &= p.Above[level]
	}
	return high != 0 && (god.hints.drops || p.Above[2]&^p.Above[3] != 0)
}

// WinsKnown reports whether WinningSquares and StoppingSquares are exact for side:
// its god wins in a simple way and the opponent's god does not limit it.
func WinsKnown(p *State, side uint8) bool {
	god := &gods[p.Gods[side&1]]
	return (god.fast != nil || god.plainWins) && p.Workers[side&1] != 0 && !p.limited(side)
}

// WinningSquares is the set of squares where side could win if it were to move.
// It must not be called unless WinsKnown.
func WinningSquares(p *State, side uint8) uint32 {
	side &= 1
	god := &gods[p.Gods[side]]
	high := p.Workers[side] & p.Above[1&^god.hints.startsLower]
	if high == 0 || !god.hints.drops && p.Above[2]&^p.Above[3] == 0 {
		return 0
	}
	var set uint32
	if god.plainWins {
		for high &^= p.Above[2]; high != 0; high &= high - 1 {
			set |= near[lowest(high)&31]
		}
		return set & p.Above[2] &^ (p.Above[3] | p.Workers[0] | p.Workers[1])
	}
	for ; high != 0; high &= high - 1 {
		wins, _ := god.fast.Reach(p, lowest(high))
		set |= wins
	}
	return set
}

// StoppingSquares is the set of squares of which the opponent must move to or
// build on one to stop all wins of side's next turn, empty if side has none. Some
// gods can move to the squares of side's workers. It must not be called unless
// WinsKnown.
func StoppingSquares(p *State, side uint8) uint32 {
	side &= 1
	set, god := WinningSquares(p, side), &gods[p.Gods[side]]
	if set == 0 {
		return 0
	}
	switch {
	case god.hints.startsLower > 0: // a win in two steps can be stopped on the first too
		for high := p.Workers[side] & p.Above[0]; high != 0; high &= high - 1 {
			set |= near[lowest(high)&31]
		}
	case god.fast != nil && god.fast.Land != nil: // a push can be stopped where it ends
		for high := p.Workers[side] & p.Above[1]; high != 0; high &= high - 1 {
			from := lowest(high)
			wins, _ := god.fast.Reach(p, from)
			for taken := wins & p.Workers[side^1]; taken != 0; taken &= taken - 1 {
				set |= Bit(god.fast.Land(p, from, lowest(taken)))
			}
		}
	}
	return set | p.Workers[side]
}

// Displaces reports whether a god of p may move the opponent's workers in a turn
// with a fast path.
func Displaces(p *State) bool {
	a, b := gods[p.Gods[0]].fast, gods[p.Gods[1]].fast
	return a != nil && a.Land != nil || b != nil && b.Land != nil
}

// unusedPower is the value of a power that can be used once. Without it a player
// would spend the power on a small gain.
func unusedPower(p *State, me int) int {
	if p.GodState[me&1] == 0 {
		return 45
	}
	return 0
}
