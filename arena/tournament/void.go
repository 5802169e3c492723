package tournament

import (
	"fmt"
	"math"
	"math/bits"

	"thera/arena"
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
	legs uint8   // which legs of it are there, a bit each
	late int     // whose limit passed: 0 is a, 1 is b, -1 unknown
	won  [2]bool // the game that was set aside, if there is one
	over bool    // there is one
}

// spared is the engine that was spared a loss, as far as is known: the one that had
// lost the first game of the pair, or the one that was late in it. -1 is nobody.
func (v *void) spared() int {
	switch {
	case !v.over:
		return v.late
	case v.won[0]:
		return 1
	case v.won[1]:
		return 0
	}
	return -1
}

// take notes a game of the attempt.
func (v *void) take(game *arena.Game) {
	v.legs |= 1 << game.Leg
	if game.Source == arena.Stalled {
		v.late = game.Guilty()
		return
	}
	v.over = true
	v.won = [2]bool{game.Winner() == 0, game.Winner() == 1}
}

// Void takes a game that stalled, of the pair at a place that Next returned.
// The attempt at the pair is void with all its games, and Next returns the pair
// once more.
func (f *Fold) Void(place int, game *arena.Game) {
	h, game := f.hold(game)
	if h == nil {
		return
	}
	attempt := void{late: -1}
	attempt.take(game)
	for leg := range h.games {
		if h.games[leg] == nil {
			continue
		}
		if !h.folded {
			attempt.take(h.games[leg])
		}
		h.games[leg] = nil
		f.known--
		f.sum.surplus -= btoi(h.folded)
	}
	h.void = append(h.void, attempt)
	if !h.folded {
		f.again = append(f.again, place)
	}
}

// addVoid notes a game of an attempt that was void.
func (f *Fold) addVoid(h *held, game *arena.Game) {
	for len(h.void) < game.Attempt {
		h.void = append(h.void, void{late: -1})
	}
	h.void[game.Attempt-1].take(game)
}

// voids counts attempts at pairs that were void.
type voids struct {
	arena.Voided
	known  []int // by engine: those of its pairs of which is known whom they spared
	spared []int // ... of them, those that spared it
}

func newVoids(engines int) *voids {
	return &voids{known: make([]int, engines), spared: make([]int, engines)}
}

func (v *voids) clone() *voids {
	n := newVoids(len(v.known))
	n.Voided = v.Voided
	copy(n.known, v.known)
	copy(n.spared, v.spared)
	return n
}

func (v *voids) add(h *held) {
	v.Pairs += len(h.void)
	for i := range h.void {
		v.Games += bits.OnesCount8(h.void[i].legs)
		who := h.void[i].spared()
		if who < 0 || h.key.a == h.key.b {
			continue
		}
		v.known[h.key.a]++
		v.known[h.key.b]++
		v.spared[[2]int32{h.key.a, h.key.b}[who]]++
	}
}

// doubt says why a run of so many finished pairs is unrated, nil if it is not.
func (v *voids) doubt(pairs int, engines []arena.EngineSpec) *arena.Doubt {
	if all := pairs + v.Pairs; v.Pairs >= voidsEver && voidShare*v.Pairs >= all {
		return &arena.Doubt{Kind: arena.DoubtBusy, Void: v.Pairs, Pairs: all, Text: fmt.Sprintf(
			"%d of %d pairs were void because the machine stalled: the run is unrated until less than %d %% are",
			v.Pairs, all, 100/voidShare)}
	}
	for i, n := range v.known {
		if k := v.spared[i]; chance(k, n) <= oneSided/float64(len(engines)) {
			return &arena.Doubt{Kind: arena.DoubtOneSided, Engine: engines[i].Name, Void: k, Pairs: n, Text: fmt.Sprintf(
				"%d of %d void pairs were void where %s had lost or was late, which is no accident: the run is unrated while voids fall on the losses of one engine",
				k, n, engines[i].Name)}
		}
	}
	return nil
}

// chance is how likely at least k of n coins show heads.
func chance(k, n int) float64 {
	if 2*k <= n {
		return 1
	}
	lgamma := func(x int) float64 { l, _ := math.Lgamma(float64(x + 1)); return l }
	sum := 0.0
	for i := k; i <= n; i++ {
		sum += math.Exp(lgamma(n) - lgamma(i) - lgamma(n-i) - float64(n)*math.Ln2)
	}
	return sum
}
