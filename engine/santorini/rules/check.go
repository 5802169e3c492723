package rules

import (
	"fmt"
	"math/bits"
)

// checkPosition returns an error if a position cannot occur.
func checkPosition(p *State, f Form) error {
	if err := Banned(p.Gods); err != nil {
		return fmt.Errorf("gods: %w", err)
	}
	if both := p.Workers[0] & p.Workers[1]; both != 0 && !p.WonOnTop() {
		s := bits.TrailingZeros32(both)
		return fmt.Errorf("player 2: workers: %s (index %d) is held by player 1", SquareName(s), s)
	}
	for i := range 2 {
		if domed := p.Workers[i] & p.Above[3]; domed != 0 && !p.MayStandOnDome(i) {
			s := bits.TrailingZeros32(domed)
			return fmt.Errorf("player %d: workers: %s (index %d) is a dome", i+1, SquareName(s), s)
		}
		if err := checkCount(p, i, f); err != nil {
			return fmt.Errorf("player %d: workers: %w", i+1, err)
		}
		if err := p.CheckGodState(i); err != nil {
			return fmt.Errorf("player %d: state of %s: %w", i+1, p.Gods[i], err)
		}
	}
	if p.Above[0] == 0 {
		return checkPlacing(p)
	}
	return nil
}

// checkCount checks the number of workers of side i. Existing engines accept fewer
// workers in form V2 once there is a block, so V2 accepts them too.
func checkCount(p *State, i int, f Form) error {
	name, n := p.Gods[i], bits.OnesCount32(p.Workers[i])
	low, high := p.WorkerRange(i)
	if p.Above[0] != 0 && f == V2 {
		low = 0
	}
	switch {
	case n >= low && n <= high, n == 0 && p.Above[0] == 0:
		return nil
	case low == high || n > high:
		return fmt.Errorf("%d, but %s has %d", n, name, high)
	}
	return fmt.Errorf("%d, but %s has %d to %d", n, name, low, high)
}

// checkPlacing checks whose turn it is to place workers on an empty board.
func checkPlacing(p *State) error {
	none := [2]bool{p.Workers[0] == 0, p.Workers[1] == 0}
	if !none[0] && !none[1] {
		return nil
	}
	if p.Winner != 0 {
		return fmt.Errorf("player %d: winner: nobody has won before all workers are placed", p.Winner)
	}
	first := uint8(0)
	if p.SecondPlacesFirst() {
		first = 1
	}
	due := first
	if !none[first] {
		due = 1 - first
	} else if !none[1-first] {
		return fmt.Errorf("player %d: workers: none, but %s places first", first+1, p.Gods[first])
	}
	if p.Mover != due {
		return fmt.Errorf("side to move: want player %d, who has workers to place", due+1)
	}
	return nil
}
