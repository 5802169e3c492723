package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/rating"
	"thera/arena/tournament"
	"thera/engine/gametest"
)

// golden compares got with the golden file testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	gametest.Golden(t, filepath.Join("testdata", name), got)
}

func wdl(n [3]int) rating.WDL {
	return rating.WDL{Wins: int64(n[0]), Draws: int64(n[1]), Losses: int64(n[2])}
}

func penta(n [5]int) (p rating.Penta) {
	for i := range n {
		p[i] = int64(n[i])
	}
	return p
}

func tally(games [3]int, pairs [5]int) arena.Tally {
	n := games[0] + games[1] + games[2]
	t := arena.Tally{Counts: rating.Counts{Games: wdl(games), Pairs: penta(pairs)}, SeatPairs: penta(pairs), Plies: int64(25 * n)}
	for i := range t.Sides {
		moves := int64(12 * n)
		t.Sides[i] = arena.Effort{
			Moves: moves, Wall: time.Duration(moves) * 190 * time.Millisecond, CPU: time.Duration(moves) * 180 * time.Millisecond,
			Depth: moves * int64(8-3*i), Depths: moves, Nodes: moves * 1000,
		}
	}
	return t
}

func row(a, b string, leg int, role1, role2 string, games [3]int, pairs [5]int) arena.Row {
	return arena.Row{Pairing: [2]string{a, b}, Leg: leg, Roles: [2]string{role1, role2}, Tally: tally(games, pairs)}
}

// singles returns a row of games that were not played in pairs.
func singles(a, b string, leg int, role1, role2 string, games [3]int) arena.Row {
	r := row(a, b, leg, role1, role2, games, [5]int{})
	r.Singles = wdl(games)
	return r
}

// quickstart returns a run of three engines with roles, faults and warnings.
func quickstart() *arena.Summary {
	sum := &arena.Summary{
		Run: arena.RunInfo{
			ID: 1, Name: "quickstart.yaml", Game: "santorini", State: "finished", Games: 64,
			Started: time.UnixMilli(1_700_000_000_000), Changed: time.UnixMilli(1_700_000_060_000),
			Plan: arena.Plan{
				Engines: []arena.EngineSpec{{Name: "full"}, {Name: "depth|2"}, {Name: "depth-1"}},
				Format:  arena.Format{Name: "round-robin", Rounds: 5, Pairs: true}, Limit: arena.Limit{Move: 200 * time.Millisecond},
				Seed: 1, Overrides: []string{"tournament.rounds=5"},
			},
			Remarks: []arena.Remark{{Text: "4 threads on 2 cores"}, {Text: "all 5 rounds are played"}},
		},
		Rows: []arena.Row{
			row("full", "depth|2", 0, "pan", "mortal", [3]int{9, 0, 1}, [5]int{0, 0, 2, 0, 8}),
			row("full", "depth|2", 1, "pan", "mortal", [3]int{9, 0, 1}, [5]int{}),
			row("full", "depth-1", 0, "mortal", "mortal", [3]int{9, 0, 1}, [5]int{0, 0, 1, 0, 9}),
			row("full", "depth-1", 1, "mortal", "mortal", [3]int{10, 0, 0}, [5]int{}),
			row("depth|2", "depth-1", 0, "mortal", "pan", [3]int{6, 1, 3}, [5]int{1, 0, 5, 2, 2}),
			row("depth|2", "depth-1", 1, "mortal", "pan", [3]int{5, 1, 4}, [5]int{}),
		},
		Figures: arena.Figures{
			Ends: []arena.EndCount{
				{Source: arena.Natural, Reason: "reached level 3", Games: 37, Example: "00ff00ff00ff00ff"},
				{Source: arena.Natural, Reason: "no legal move", Games: 20, Example: "44ff00ff00ff00ff"},
				{Source: arena.Faulted, Engine: "depth-1", Reason: "crashed: signal 11", Games: 2, Example: "22ff00ff00ff00ff"},
				{Source: arena.Faulted, Engine: "depth-1", Reason: "timeout", Games: 1, Example: "33ff00ff00ff00ff"},
			},
			Noted: []arena.WarningCount{{Kind: "unknown key", Count: 7, Example: "unknown key: \x1b[31mfoo"}},
		},
		Drops:   []arena.Drop{},
		Stop:    &arena.Stop{Kind: arena.StopPlayed, Pairs: 30, Text: "all 5 rounds are played"},
		Counted: 60, Surplus: 2, Repeated: 2, Voided: arena.Voided{Pairs: 1, Games: 2},
		Warnings: []arena.Warning{
			arena.Warningf(arena.WarnRepeated, 2, "2 games began from openings that their pairing had before"),
			arena.Warningf(arena.WarnVoided, 2, "1 pair was void because the machine stalled"),
		},
	}
	sum.Workers = []arena.WorkerRow{
		{Games: 192, Moves: 3648},
		{Worker: "=1+1", Refused: 1}, // what they call themselves is no formula
		{Worker: "lab1", Games: 8, Voided: 1, Excluded: 1, Audited: 3, Differ: 2, Undecided: 1, Expelled: true},
	}
	sum.Rows[3].Sides[1].Failed = 3
	sum.Rows[0].SeatPairs, sum.Rows[2].SeatPairs = rating.Penta{1, 0, 8, 0, 1}, rating.Penta{1, 0, 9, 0, 0}
	return sum
}

func report(t *testing.T, sum *arena.Summary) *Report {
	t.Helper()
	tournament.Rate(sum)
	return New(sum)
}

// lastDigits differ where a product and a sum are one instruction.
var lastDigits = regexp.MustCompile(`(\.\d{10})\d+`)

func TestReportForms(t *testing.T) {
	r := report(t, quickstart())
	for name, write := range map[string]func(*bytes.Buffer) error{
		"quickstart.txt":  func(b *bytes.Buffer) error { return r.Write(b, Terminal) },
		"quickstart.md":   func(b *bytes.Buffer) error { return r.Write(b, Markdown) },
		"quickstart.csv":  func(b *bytes.Buffer) error { return r.Write(b, CSV) },
		"quickstart.json": func(b *bytes.Buffer) error { return NewJSON(b).Encode(r) },
		"workers.txt": func(b *bytes.Buffer) error {
			table, err := r.Table(WorkerTable)
			return cmp.Or(err, table.Write(b, Terminal))
		},
		"tables.csv": func(b *bytes.Buffer) error {
			for _, name := range TableNames() {
				table, err := r.Table(name)
				if err != nil {
					return err
				}
				b.WriteString("# " + name + "\n")
				if err := table.Write(b, CSV); err != nil {
					return err
				}
			}
			return nil
		},
	} {
		var b bytes.Buffer
		gametest.OK(t, write(&b))
		golden(t, name, lastDigits.ReplaceAll(b.Bytes(), []byte("$1")))
	}
	if _, err := r.Table("chairs"); err == nil || !strings.Contains(err.Error(), "known: ranking, cross") {
		t.Errorf("err = %v", err)
	}
	table, _ := r.Table("ranking")
	if err := table.Write(&bytes.Buffer{}, "html"); err == nil {
		t.Error("an unknown form was written")
	}
}

// In runs with few or extreme results no table and no JSON has a NaN or an
// infinity, and the warnings say why a value is missing.
func TestOddRunsStayFinite(t *testing.T) {
	one := func(a, b string, games [3]int, pairs [5]int) *arena.Summary {
		return &arena.Summary{
			Run:     arena.RunInfo{Name: "odd", Game: "g", Games: games[0] + games[1] + games[2], Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}, {Name: "never"}}, Format: arena.Format{Name: "sprt", Pairs: true}, SPRT: arena.SPRT{Elo1: 5, Alpha: .05, Beta: .05, Model: "normalized"}}},
			Rows:    []arena.Row{row(a, b, 0, "pan", "mortal", games, pairs)},
			Counted: games[0] + games[1] + games[2],
		}
	}
	idle := one("a", "b", [3]int{2, 0, 0}, [5]int{0, 0, 0, 0, 1})
	idle.Rows[0].Sides = [2]arena.Effort{}
	for name, sum := range map[string]*arena.Summary{
		"no rows":   {Run: arena.RunInfo{Name: "odd", Plan: arena.Plan{Engines: []arena.EngineSpec{{Name: "a"}}}}},
		"no engine": {Run: arena.RunInfo{Name: "odd"}},
		"one game":  one("a", "b", [3]int{1, 0, 0}, [5]int{}),
		"whitewash": one("a", "b", [3]int{40, 0, 0}, [5]int{0, 0, 0, 0, 20}),
		"all drawn": one("a", "b", [3]int{0, 40, 0}, [5]int{0, 0, 20, 0, 0}),
		"half":      one("a", "b", [3]int{1, 1, 1}, [5]int{0, 0, 0, 1, 0}),
		"self":      one("a", "a", [3]int{10, 0, 10}, [5]int{0, 0, 10, 0, 0}),
		"no moves":  idle,
	} {
		r := report(t, sum)
		for _, form := range []Format{Terminal, Markdown, CSV} {
			var b bytes.Buffer
			if err := r.Write(&b, form); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, bad := range []string{"NaN", "Inf", "inf", "<nil>", "0x"} {
				if strings.Contains(b.String(), bad) {
					t.Errorf("%s: %s in %s", name, bad, b.String())
				}
			}
		}
		var b bytes.Buffer
		if err := NewJSON(&b).Encode(r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Count(b.String(), "\n") != 1 {
			t.Errorf("%s: JSON is not one line", name)
		}
		var back any
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if len(r.Warnings) == 0 && name != "half" && name != "self" && name != "no rows" && name != "no engine" {
			t.Errorf("%s: no warning", name)
		}
	}
}
