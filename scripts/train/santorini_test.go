package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"thera/engine/santorini/net"
	"thera/engine/santorini/selfplay"
)

// games writes a file of self-play.
func games(t *testing.T, gods ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.games")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	h := selfplay.Header{Engine: 1, Nodes: 100, Plies: 6, Seed: 2, Gods: gods}
	w, err := selfplay.NewWriter(file, h, false, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := selfplay.Generate(t.Context(), h, 0, 40, 1, w.Write); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSampleTarget(t *testing.T) {
	s := stateSample{score: 0, winner: 1}
	for _, tt := range []struct {
		score  int16
		winner int8
		mover  uint8
		want   float64
	}{
		{0, 1, 0, 0.65},
		{0, 1, 1, 0.35},
		{0, 0, 1, 0.5},
		{31990, 2, 0, 1},
		{-31990, 0, 0, 0},
	} {
		s.score, s.winner, s.state.Mover = tt.score, tt.winner, tt.mover
		if got := s.target(0.7); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("score %d, winner %d, mover %d: target %v, want %v", tt.score, tt.winner, tt.mover, got, tt.want)
		}
	}
	if z := logit(150); math.Abs(z-1) > 1e-6 {
		t.Errorf("150 hundredths are %v logits, want 1", z)
	}
}

// TestExport writes positions for fit.py, and weights that it could have fitted.
func TestExport(t *testing.T) {
	mortals, gods := games(t, "mortal"), games(t, "mortal", "europa", "clio")
	var d data
	if err := d.readAll([]string{gods}); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "some")
	for _, tt := range []struct {
		kind, games string
		record      int
	}{{"boards", mortals, 36}, {"rows", gods, 2*exportViews*exportRows + 16}} {
		if err := santorini(t.Context(), []string{tt.kind, "-out", out, tt.games}, new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil || len(file) == 0 || len(file)%tt.record != 0 {
			t.Fatalf("%s: %d bytes, %v", tt.kind, len(file), err)
		}
		held := 0
		for record := range slices.Chunk(file, tt.record) {
			target := math.Float32frombits(binary.LittleEndian.Uint32(record[tt.record-4:]))
			if target < 0 || target > 1 {
				t.Fatalf("%s: target %v", tt.kind, target)
			}
			if tt.kind == "boards" {
				held += int(record[29])
				continue
			}
			held += int(record[tt.record-8])
			for i := range exportViews * exportRows {
				if row := int(binary.LittleEndian.Uint16(record[2*i:])); row > noRow {
					t.Fatalf("row %d", row)
				}
			}
		}
		if held == 0 || held == len(file)/tt.record {
			t.Errorf("%s: %d held out", tt.kind, held)
		}
		if tt.kind == "rows" && len(file)/tt.record != len(d.Train)+len(d.Held) {
			t.Errorf("%d of %d positions", len(file)/tt.record, len(d.Train)+len(d.Held))
		}
	}
	if err := santorini(t.Context(), []string{"groups", out}, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(out); err != nil || info.Size() != int64(8*net.Rows) {
		t.Errorf("groups: %v, %v", info, err)
	}
	raw, weights := make([]byte, 4*net.Size), filepath.Join(t.TempDir(), "some.net")
	binary.LittleEndian.PutUint32(raw, math.Float32bits(0.5))
	if err := os.WriteFile(out, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := santorini(t.Context(), []string{"pack", "-raw", out, "-note", "by nobody", "-out", weights, gods}, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	_, r, err := net.Decode(file)
	if err != nil || r.Games != 40 || r.Sources[len(r.Sources)-1] != "by nobody" || r.Loss <= 0 || len(r.Gods) != 3 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, bad := range [][]string{{"pack", "-raw", mortals, "-out", out, mortals}, {"boards", mortals}, {"rows", "-out", out}, {"groups"}} {
		if err := santorini(t.Context(), bad, new(bytes.Buffer)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
