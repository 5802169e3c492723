package arena

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena/rating"
	"thera/engine/game"
)

// record is a game of a's view: winner is the seat's number.
func record(leg int, winner game.Seat, moves ...string) *Game {
	r := &Game{
		Job:     Job{ID: "id", Pairing: [2]string{"a", "b"}, Leg: leg},
		Start:   "start",
		Moves:   moves,
		Outcome: game.Outcome{Winner: winner, Reason: "end"},
		Source:  Natural,
		Seconds: 2,
	}
	for i := range moves {
		r.Plies = append(r.Plies, Ply{Seat: game.Seat(i%2 + 1), Wall: time.Millisecond, Depth: 3 * (1 - i%2), Nodes: 10})
	}
	return r
}

func TestTallyCountsFromTheFirstEnginesView(t *testing.T) {
	var legs [2]Tally
	won, lost := record(0, game.First, "x", "y", "z"), record(1, game.First, "x", "y")
	lost.Source, lost.Blamed, lost.Fault = Faulted, game.Second, &game.Fault{Kind: game.FaultTimeout, Detail: "9 ms"}
	lost.Warnings = []string{"late: by 1 ms"}
	for i, rec := range []*Game{won, lost} {
		f := rec.Bare()
		legs[i].CountGame(&f, false)
	}
	legs[0].CountPair([2]int{won.Winner(), lost.Winner()})
	sum := legs[0]
	sum.Add(&legs[1])
	want := Tally{
		Counts: rating.Counts{Games: rating.WDL{Wins: 1, Losses: 1}, Pairs: rating.Penta{2: 1}}, SeatPairs: rating.Penta{4: 1},
		Sides: [2]Effort{
			{Moves: 3, Wall: 3 * time.Millisecond, Depth: 6, Depths: 2, Nodes: 30, Failed: 1},
			{Moves: 2, Wall: 2 * time.Millisecond, Depth: 3, Depths: 1, Nodes: 20},
		},
		Plies: 5,
	}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Error(diff)
	}
	back := sum.Swapped()
	if back.Sides[0] != sum.Sides[1] || back.Swapped() != sum {
		t.Error("swapping twice is not the same")
	}
}

func TestAFaultOfBothIsCountedToBoth(t *testing.T) {
	rec := record(0, game.None, "x", "y")
	rec.Source, rec.Blamed, rec.Fault = Faulted, game.First, &game.Fault{Kind: game.FaultTimeout}
	if f := rec.Bare(); f.Side(0).Failed != 1 || f.Side(1).Failed != 1 || f.Guilty() != -1 {
		t.Errorf("faults of a %d and of b %d, guilty %d", f.Side(0).Failed, f.Side(1).Failed, f.Guilty())
	}
}

func TestAGameTurnedRoundIsTheSame(t *testing.T) {
	rec := record(1, game.First, "x", "y")
	rec.Source, rec.Blamed, rec.Fault = Faulted, game.Second, &game.Fault{Kind: game.FaultExited}
	f := rec.Bare()
	turned := f.Turned()
	if turned.Pairing != [2]string{"b", "a"} || turned.Leg != 0 || turned.Winner() != 0 || turned.Guilty() != 1 || *turned.Side(1) != *f.Side(0) {
		t.Errorf("turned round: %+v", turned)
	}
	if diff := cmp.Diff(&f, turned.Turned()); diff != "" {
		t.Error(diff)
	}
}

func TestSamenessTellsGamesApart(t *testing.T) {
	base := record(0, game.First, "x", "y")
	seen := map[uint64]string{base.sameness(): "base"}
	for name, other := range map[string]*Game{
		"other move":   record(0, game.First, "x", "z"),
		"joined moves": record(0, game.First, "xy"),
		"other winner": record(0, game.Second, "x", "y"),
	} {
		if same, ok := seen[other.sameness()]; ok {
			t.Errorf("%s looks like %s", name, same)
		}
		seen[other.sameness()] = name
	}
	if base, turned := record(0, game.First, "x", "y"), record(1, game.First, "x", "y"); base.sameness() != turned.sameness() {
		t.Error("the same moves with seats changed are another game")
	}
	late, later := record(0, game.First, "x"), record(0, game.First, "x")
	late.Fault, later.Fault = &game.Fault{Kind: game.FaultTimeout, Detail: "7 ms"}, &game.Fault{Kind: game.FaultTimeout, Detail: "8 ms"}
	if late.sameness() != later.sameness() {
		t.Error("milliseconds make games differ")
	}
	late.Source, late.Outcome.Reason = Faulted, late.Fault.Error()
	if f := late.Bare(); f.End() != "timeout" {
		t.Errorf("it is counted as %q", f.End())
	}
}
