package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"thera/engine/santorini/player/net"
)

// TestExport writes positions for fit.py, and packs weights as fit.py could have written them.
func TestExport(t *testing.T) {
	mortals := played(t, "santorini play -games 40 -nodes 100 -seed 2")
	gods := played(t, "santorini play -games 40 -nodes 100 -seed 2 -threads 2 -gods mortal,europa,clio")
	read, err := santoriniGames.Read([]string{gods}, new(bytes.Buffer))
	if err != nil {
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
		if tt.kind == "rows" && len(file)/tt.record != len(read.Train)+len(read.Held) {
			t.Errorf("%d of %d positions", len(file)/tt.record, len(read.Train)+len(read.Held))
		}
	}
	if err := santorini(t.Context(), []string{"groups", out}, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(out); err != nil || info.Size() != int64(12*net.Rows) {
		t.Errorf("groups: %v, %v", info, err)
	}
	for _, size := range []int{net.Size, net.Size + 3*net.Added} {
		raw, weights := make([]byte, 4*size), filepath.Join(t.TempDir(), "some.net")
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
		if err != nil || r.Games < 35 || len(r.Inputs) != 1 || r.Sources[len(r.Sources)-1] != "by nobody" || r.Loss <= 0 || len(r.Gods) != 3 || r.Added != (size > net.Size) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for _, bad := range [][]string{{"pack", "-raw", mortals, "-out", out, mortals}, {"boards", mortals}, {"rows", "-out", out}, {"groups"}} {
		if err := santorini(t.Context(), bad, new(bytes.Buffer)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
