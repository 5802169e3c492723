package santorini

// sense is what the player knows about a god beyond its rules: a god says it
// in its own file.
type sense struct {
	// A win of the common kind starts on level 2 and ends on a square of level
	// 3 that is there already. low is how many levels lower it may start, within
	// one turn; drops says that it needs no such square.
	low   int
	drops bool

	// common says that it wins from level 2 by one step to a free square of level
	// 3 beside it, whenever there is one, and in no other way.
	common bool

	// value is added to what the god's side is worth, in the evaluation's unit.
	value func(p *state, me int) int
}

// mayWin is a quick look that errs on the side of yes: whether side might win
// with its next turn.
func mayWin(p *state, side uint8) bool {
	side &= 1
	god := &gods[p.god[side]]
	if god.wins != nil && !god.player.drops || god.buildWins {
		return true
	}
	high := p.workers[side]
	if level := 1 - god.player.low; level >= 0 {
		high &= p.up[level]
	}
	return high != 0 && (god.player.drops || p.up[2]&^p.up[3] != 0)
}

// powerLeft is worth something until it is used: a power that can be had only
// once should not be spent on a small gain.
func powerLeft(p *state, me int) int {
	if p.power[me&1] == 0 {
		return 45
	}
	return 0
}
