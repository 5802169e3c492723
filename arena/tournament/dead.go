package tournament

import (
	"fmt"
	"slices"

	"thera/arena"
)

// An engine that was at fault and never made a move is dead. Its games count for
// nobody, whoever met it. Whether it is dead shows at the end: until an engine
// has moved, its games wait.

// life is what is known of an engine that may be dead.
type life struct {
	games, faults int
	moves         int64
	game, reason  string // of its first fault
}

func (l *life) dead() bool { return l.moves == 0 && l.faults > 0 }

// waiting is a pair, or the game of an unfinished one.
type waiting struct {
	held
	single bool
	lone   *arena.Game
}

// live notes the games of a pair, and counts those that waited for its engines.
func (f *figures) live(fold *Fold, h *held) {
	moved := false
	for _, game := range h.games {
		if game == nil {
			continue
		}
		for side, at := range [2]int32{h.key.a, h.key.b} {
			l, effort := &f.lives[at], game.Side(side)
			if h.key.a != h.key.b || side == 0 {
				l.games++
			}
			if l.faults += effort.Failed; l.game == "" && effort.Failed > 0 {
				l.game, l.reason = game.ID, game.End()
			}
			moved = moved || l.moves == 0 && effort.Moves > 0
			l.moves += effort.Moves
		}
	}
	if moved {
		list := f.waiting
		f.waiting = nil
		for _, w := range list {
			f.settle(fold, w)
		}
	}
}

// settle counts a pair, or lets it wait.
func (f *figures) settle(fold *Fold, w waiting) {
	if f.lives[w.key.a].moves == 0 || f.lives[w.key.b].moves == 0 {
		f.waiting = append(f.waiting, w)
		return
	}
	f.count(fold, &w)
}

// conclude returns the figures without anything that waits.
func (f *figures) conclude(fold *Fold) *figures {
	if len(f.waiting) == 0 {
		return f
	}
	all, list := f.onward(), f.waiting
	all.waiting = nil
	for _, w := range list {
		if f.lives[w.key.a].dead() || f.lives[w.key.b].dead() {
			for _, game := range w.games {
				if game != nil {
					all.annulled++
					all.ended(fold, &w.held, game)
				}
			}
			continue
		}
		all.count(fold, &w) // it was never asked
	}
	return all
}

// dead says which engines are dead, as far as is known.
func (f *figures) dead() []bool {
	dead := make([]bool, len(f.lives))
	for i := range f.lives {
		dead[i] = f.lives[i].dead()
	}
	return dead
}

// living reports whether none of the engines is dead, as far as is known.
func (f *figures) living(engines ...int) bool {
	return !slices.ContainsFunc(engines, func(i int) bool { return f.lives[i].dead() })
}

// theDead describes the dead engines.
func (f *figures) theDead(engines []arena.EngineSpec) []arena.Dead {
	var out []arena.Dead
	for i := range f.lives {
		if l := &f.lives[i]; l.dead() {
			text := fmt.Sprintf("%s never made a move: %s (%s), and its %s for nobody",
				engines[i].Name, arena.Plural(l.faults, "fault"), l.reason, counts(l.games))
			out = append(out, arena.Dead{Engine: engines[i].Name, Games: l.games, Faults: l.faults, Reason: l.reason, Game: l.game, Text: text})
		}
	}
	return out
}

func counts(n int) string {
	if n == 1 {
		return "game counts"
	}
	return games(n) + " count"
}
