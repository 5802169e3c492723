package tournament

import (
	"testing"

	"thera/arena"
)

// A test decides nothing while too many of its pairs are void: here 3 of 60 are.
func TestNothingIsDecidedWhileTheRunIsUnrated(t *testing.T) {
	refer := func(p Pair, leg int) ended { return ended{winner: 0, stalls: uint8(btoi(p.Number < 3))} }
	_, got := simulate(t, planOf("sprt", 2, 1000), refer, 1, alone())
	if got.Stop.Kind != arena.StopDecided || got.Stop.Pairs != 58 {
		t.Errorf("%+v", got.Stop)
	}
}

// Void pairs spare the engine that has lost the game before.
func TestVoidsThatSpareTheLoser(t *testing.T) {
	refer := func(p Pair, leg int) ended {
		return ended{winner: 0, stalls: uint8(btoi(leg == 1 && p.Number%30 == 0))}
	}
	f, _ := simulate(t, planOf("round-robin", 2, 300), refer, 1, alone())
	doubt := summaryOf(f).Doubt
	if doubt == nil || doubt.Kind != arena.DoubtOneSided || doubt.Engine != "b" || doubt.Void != 10 || doubt.Pairs != 10 {
		t.Errorf("%+v", doubt)
	}
}
