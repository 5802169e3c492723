package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"thera/arena"
)

// fleetOf has pairs of a and b, each played by one of the workers, for whom the first
// engine wins so many of eight pairs.
func fleetOf(pairs int, wins ...int) Fleet {
	f := Fleet{By: map[arena.Played]arena.By{}}
	for pair := range pairs {
		for w, most := range wins {
			for leg := range 2 {
				g := arena.Finished{
					ID: fmt.Sprintf("%d-%d-%d", pair, w, leg), Pairing: [2]string{"a", "b"}, Pair: pair*len(wins) + w, Leg: leg,
					Winner: (pair + leg) % 2, Source: arena.Natural, Seconds: 2, Sides: [2]arena.Effort{{Moves: 10}, {Moves: 9}},
				}
				if pair%8 < most {
					g.Winner = 0
				}
				if w > 0 {
					f.By[arena.Played{ID: g.ID}] = arena.By{Worker: fmt.Sprint("lab", w), Speed: 100}
				}
				f.Games = append(f.Games, g)
			}
		}
	}
	f.Counted = f.Games
	return f
}

func TestWorkers(t *testing.T) {
	r := &Report{}
	f := fleetOf(96, 3, 3, 3, 7)
	void, aside := f.Games[2], f.Games[2]
	void.Void, void.Source, aside.Void = 1, arena.Stalled, -1
	for _, g := range []arena.Finished{void, aside} {
		f.Games = append(f.Games, g)
		f.By[arena.Played{ID: g.ID, Void: g.Void}] = arena.By{Worker: "lab1"}
	}
	for _, kind := range []arena.IncidentKind{
		arena.AuditDue, arena.AuditDue, arena.AuditDue, arena.AuditEqual, arena.AuditDiffers, arena.AuditFalse, arena.AuditUndecided, arena.GameRefused, arena.Expelled,
	} {
		f.Incidents = append(f.Incidents, arena.Incident{Worker: "lab2", Kind: kind})
	}
	f.Incidents = append(f.Incidents, arena.Incident{Worker: "=1+1", Kind: arena.GameRefused})
	r.AddWorkers(f)
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
	few := &Report{}
	few.AddWorkers(fleetOf(49, 0, 8))
	for _, w := range few.Workers {
		if w.Homogeneity != nil || w.Flagged {
			t.Errorf("49 pairs are tested: %+v", w)
		}
	}
}
