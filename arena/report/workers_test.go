package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"thera/arena"
	"thera/arena/tournament"
)

// fleetOf has pairs of a and b, each played by one of the workers, for whom the first
// engine wins so many of eight pairs.
func fleetOf(pairs int, wins ...int) tournament.Fleet {
	f := tournament.Fleet{}
	for pair := range pairs {
		for w, most := range wins {
			for leg := range 2 {
				g := arena.Game{
					Job:    arena.Job{ID: fmt.Sprintf("%d-%d-%d", pair, w, leg), Pairing: [2]string{"a", "b"}, Pair: pair*len(wins) + w, Leg: leg},
					Source: arena.Natural, Seconds: 2, Sides: [2]arena.Effort{{Moves: 10}, {Moves: 9}},
				}
				g.Outcome.Winner = g.Seat((pair + leg) % 2)
				if pair%8 < most {
					g.Outcome.Winner = g.Seat(0)
				}
				if w > 0 {
					g.By = &arena.By{Worker: fmt.Sprint("lab", w), Speed: 100}
				}
				f.Games = append(f.Games, g)
			}
		}
	}
	f.Counted = f.Games
	return f
}

func TestWorkers(t *testing.T) {
	f := fleetOf(96, 3, 3, 3, 7)
	void, aside := f.Games[2], f.Games[2]
	void.Status, void.Source, aside.Status = arena.StatusVoid, arena.Stalled, arena.StatusExcluded
	for _, g := range []arena.Game{void, aside} {
		g.By = &arena.By{Worker: "lab1"}
		f.Games = append(f.Games, g)
	}
	for _, kind := range []arena.IncidentKind{
		arena.AuditDue, arena.AuditDue, arena.AuditDue, arena.AuditEqual, arena.AuditDiffers, arena.AuditFalse, arena.AuditUndecided, arena.GameRefused, arena.Expelled,
	} {
		f.Incidents = append(f.Incidents, arena.Incident{Worker: "lab2", Kind: kind})
	}
	f.Incidents = append(f.Incidents, arena.Incident{Worker: "=1+1", Kind: arena.GameRefused})
	r := New(&arena.Summary{Workers: tournament.Workers(f)})
	var csv, text bytes.Buffer
	table, err := r.Table(WorkerTable)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(&csv, CSV); err != nil {
		t.Fatal(err)
	}
	if err := table.Write(&text, Terminal); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(csv.String(), "\n")
	for i, want := range []string{
		"worker,games,pairs,speed,moves,moves_per_second,faults,voided,refused,set_aside,audited,differ,undecided,p,finding",
		",192,96,,3648,9.5,0,0,0,0,0,0,0,",
		"'=1+1,0,0,,0,,0,0,1,0,0,0,0,,",
		"lab1,192,96,100,3648,9.5,0,1,0,1,0,0,0,",
		"lab2,192,96,100,3648,9.5,0,0,1,0,3,2,1,",
		"lab3,192,96,100,3648,9.5,0,0,0,0,0,0,0,0,unlike the others",
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %q, want %q", i, lines[i], want)
		}
	}
	if n := strings.Count(text.String(), "unlike the others"); n != 1 || !strings.Contains(text.String(), "this machine") {
		t.Errorf("%d workers are found:\n%s", n, &text)
	}
	for _, w := range tournament.Workers(fleetOf(49, 0, 8)) {
		if w.P != nil || w.Flagged {
			t.Errorf("49 pairs are tested: %+v", w)
		}
	}
}
