package tournament

import (
	"fmt"

	"thera/arena"
	"thera/arena/rating"
)

// A run with many void pairs says nothing: the machine decided who had time to
// think, and which games count. Nor does one whose void pairs spared one engine
// its losses. Both are counted over the life of a run: to run it again forgets
// nothing. No test and no error bar ends such a run; it goes on until it is rated,
// or all is played.
const (
	voidsEver = 3    // fewer prove nothing
	voidShare = 20   // one in so many attempts is too many
	oneSided  = 0.01 // how often voids that spare nobody may look as if they did
	mostVoids = 1 << 16
)

// void is an attempt at a pair that was void.
type void struct {
	games  int
	spared int  // who was spared a loss, as far as is known: 0 is a, 1 is b, -1 nobody
	over   bool // one of its games was
}

// take notes a game of the attempt. Spared is the one that had lost the first game of
// the pair, or else the one that was late.
func (v *void) take(game *arena.Game) {
	v.games++
	switch {
	case game.Source != arena.Stalled:
		v.over, v.spared = true, arena.Turned(game.Winner())
	case !v.over:
		v.spared = game.Guilty()
	}
}

// void counts the void attempts at a pair.
func (f *figures) void(s *slot) {
	f.voided.Pairs += len(s.voids)
	for _, v := range s.voids {
		f.voided.Games += v.games
		if v.spared >= 0 && s.A != s.B {
			f.engines[s.A].voids++
			f.engines[s.B].voids++
			f.engines[[2]int{s.A, s.B}[v.spared]].spared++
		}
	}
}

// doubt says why the run is unrated, nil if it is not.
func (f *figures) doubt() *arena.Doubt {
	void := f.voided.Pairs
	if void < voidsEver {
		return nil
	}
	if all := f.pairs + void; voidShare*void >= all {
		return &arena.Doubt{Kind: arena.DoubtBusy, Void: void, Pairs: all, Text: fmt.Sprintf(
			"%d of %d pairs were void because the machine stalled: the run is unrated until less than %d %% are", void, all, 100/voidShare)}
	}
	for i := range f.engines {
		name, k, n := f.fold.name(i), f.engines[i].spared, f.engines[i].voids
		if rating.Heads(k, n) <= oneSided/float64(len(f.engines)) {
			return &arena.Doubt{Kind: arena.DoubtOneSided, Engine: name, Void: k, Pairs: n, Text: fmt.Sprintf(
				"%d of %d void pairs were void where %s had lost or was late, which is no accident: the run is unrated while voids fall on the losses of one engine",
				k, n, name)}
		}
	}
	return nil
}
