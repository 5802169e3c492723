package arena

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
)

// record is a game of a's view: winner is the seat's number.
func record(leg int, winner game.Seat, moves ...string) *Record {
	r := &Record{
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
	legs[0].CountGame(won, true)
	legs[1].CountGame(lost, true)
	CountPair([2]PairedGame{{&legs[0], won.Winner(), true}, {&legs[1], lost.Winner(), true}}, true)
	sum := legs[0]
	sum.Add(&legs[1])
	want := Tally{
		Games: [3]int{1, 0, 1}, Distinct: [3]int{1, 0, 1}, Counted: [3]int{1, 0, 1},
		Pairs: [5]int{0, 0, 1, 0, 0}, DistinctPairs: [5]int{0, 0, 1, 0, 0}, SeatPairs: [5]int{0, 0, 0, 0, 1},
		Sides: [2]Effort{
			{Moves: 3, Wall: 3 * time.Millisecond, Depth: 6, Depths: 2, Nodes: 30, Failed: 1},
			{Moves: 2, Wall: 2 * time.Millisecond, Depth: 3, Depths: 1, Nodes: 20},
		},
		Plies: 5, Warned: 1, Seconds: 4,
	}
	if diff := cmp.Diff(want, sum); diff != "" {
		t.Error(diff)
	}
	if sum.Half() != 0 || sum.Total() != 2 || sum.Different() != 2 {
		t.Errorf("half %d, total %d, different %d", sum.Half(), sum.Total(), sum.Different())
	}
	back := sum.Swapped()
	if back.Sides[0] != sum.Sides[1] || back.Swapped() != sum {
		t.Error("swapping twice is not the same")
	}
}

func TestIdenticalPairsCountOnce(t *testing.T) {
	var a, b Tally
	first, second := record(0, game.First, "x"), record(1, game.Second, "x")
	for i := range 3 {
		a.CountGame(first, i == 0)
		b.CountGame(second, i == 0)
		CountPair([2]PairedGame{{&a, first.Winner(), i == 0}, {&b, second.Winner(), i == 0}}, i == 0)
	}
	// A new pair that shares one game with the old one counts whole.
	other := record(1, game.First, "y")
	a.CountGame(first, false)
	b.CountGame(other, true)
	CountPair([2]PairedGame{{&a, first.Winner(), false}, {&b, other.Winner(), true}}, true)
	a.Add(&b)
	if want := [3]int{3, 0, 1}; a.Counted != want {
		t.Errorf("counted %v, want %v", a.Counted, want)
	}
	if want := [3]int{2, 0, 1}; a.Distinct != want {
		t.Errorf("distinct %v, want %v", a.Distinct, want)
	}
	if want := [5]int{0, 0, 1, 0, 3}; a.Pairs != want {
		t.Errorf("pairs %v, want %v", a.Pairs, want)
	}
	if want := [5]int{0, 0, 1, 0, 1}; a.DistinctPairs != want {
		t.Errorf("distinct pairs %v, want %v", a.DistinctPairs, want)
	}
}

func TestSamenessTellsGamesApart(t *testing.T) {
	base := record(0, game.First, "x", "y")
	seen := map[uint64]string{base.Sameness(): "base"}
	for name, other := range map[string]*Record{
		"other move":   record(0, game.First, "x", "z"),
		"joined moves": record(0, game.First, "xy"),
		"other winner": record(0, game.Second, "x", "y"),
		"other leg":    record(1, game.First, "x", "y"),
	} {
		if same, ok := seen[other.Sameness()]; ok {
			t.Errorf("%s looks like %s", name, same)
		}
		seen[other.Sameness()] = name
	}
	late, later := record(0, game.First, "x"), record(0, game.First, "x")
	late.Fault, later.Fault = &game.Fault{Kind: game.FaultTimeout, Detail: "7 ms"}, &game.Fault{Kind: game.FaultTimeout, Detail: "8 ms"}
	if late.Sameness() != later.Sameness() {
		t.Error("milliseconds make games differ")
	}
	if late.EndReason() != "timeout" {
		t.Errorf("reason %q", late.EndReason())
	}
	if got := GameWarningKind("unknown key: foo"); got != "unknown key" {
		t.Errorf("kind %q", got)
	}
}
