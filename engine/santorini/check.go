package santorini

import "fmt"

// check says what is wrong with a position that was read.
func (p *state) check(f form) error {
	if err := banned(p.god); err != nil {
		return fmt.Errorf("gods: %w", err)
	}
	if both := p.workers[0] & p.workers[1]; both != 0 {
		s := lowest(both)
		return fmt.Errorf("player 2: workers: %s (index %d) is held by player 1", squareName(s), s)
	}
	for i := range 2 {
		if domed := p.workers[i] & p.up[3]; domed != 0 {
			s := lowest(domed)
			return fmt.Errorf("player %d: workers: %s (index %d) is a dome", i+1, squareName(s), s)
		}
		if err := p.checkCount(i, f); err != nil {
			return fmt.Errorf("player %d: workers: %w", i+1, err)
		}
		if check := gods[p.god[i]].check; check != nil {
			if err := check(p, i); err != nil {
				return fmt.Errorf("player %d: state of %s: %w", i+1, p.god[i], err)
			}
		}
	}
	if p.up[0] == 0 {
		return p.checkPlacing()
	}
	return nil
}

// counts is how many workers side i may have in form f. Fewer workers than a
// god places are left only where some could be lost; form v2 trusts the text
// there, as engines of today do.
func (p *state) counts(i int, f form) (low, high int) {
	god := &gods[p.god[i]]
	low, high = god.workers, god.workers
	if god.most != 0 {
		low, high = god.least, god.most
	}
	if p.up[0] != 0 && (f == formV2 || gods[p.god[1-i]].removes) {
		low = 0
	}
	return low, high
}

func (p *state) checkCount(i int, f form) error {
	name, n := gods[p.god[i]].name, size(p.workers[i])
	low, high := p.counts(i, f)
	switch {
	case n >= low && n <= high, n == 0 && p.up[0] == 0:
		return nil
	case low == high || n > high:
		return fmt.Errorf("%d, but %s has %d", n, name, high)
	}
	return fmt.Errorf("%d, but %s has %d to %d", n, name, low, high)
}

// checkPlacing: on an empty board a side without workers has yet to place.
func (p *state) checkPlacing() error {
	none := [2]bool{p.workers[0] == 0, p.workers[1] == 0}
	if !none[0] && !none[1] {
		return nil
	}
	if p.winner != 0 {
		return fmt.Errorf("player %d: winner: nobody has won while workers are to be placed", p.winner)
	}
	first := uint8(0)
	if p.reversed() {
		first = 1
	}
	due := first
	if !none[first] {
		due = 1 - first
	} else if !none[1-first] {
		return fmt.Errorf("player %d: workers: none, but %s places first", first+1, p.god[first])
	}
	if p.mover != due {
		return fmt.Errorf("side to move: player %d has workers to place, it is its turn", due+1)
	}
	return nil
}
