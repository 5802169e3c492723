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
	"thera/engine/santorini/rules"
)

// TestExport writes positions for fit.py, and packs weights as fit.py could have written them.
func TestExport(t *testing.T) {
	gods := played(t, "santorini play -games 40 -nodes 100 -seed 2 -threads 2 -gods mortal,europa,clio")
	read, err := santoriniGames.Read([]string{gods}, new(bytes.Buffer))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "some")
	if err := santorini(t.Context(), []string{"rows", "-out", out, gods}, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	const size = 2*exportViews*exportRows + 16
	file, err := os.ReadFile(out)
	if err != nil || len(file) != size*(len(read.Train)+len(read.Held)) {
		t.Fatalf("%d bytes for %d and %d positions, %v", len(file), len(read.Train), len(read.Held), err)
	}
	held := 0
	for record := range slices.Chunk(file, size) {
		target := math.Float32frombits(binary.LittleEndian.Uint32(record[size-4:]))
		if target < 0 || target > 1 {
			t.Fatalf("target %v", target)
		}
		held += int(record[size-8])
		for i := range exportViews * exportRows {
			if row := int(binary.LittleEndian.Uint16(record[2*i:])); row > noRow {
				t.Fatalf("row %d", row)
			}
		}
	}
	if held == 0 || held != len(read.Held) {
		t.Errorf("%d held out, want %d", held, len(read.Held))
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
		if err := santorini(t.Context(), []string{"pack", "-raw", out, "-out", weights, gods}, new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(weights)
		if err != nil {
			t.Fatal(err)
		}
		_, r, err := net.Decode(file)
		if err != nil || r.Games < 35 || len(r.Inputs) != 1 || len(r.Sources) != 1 || r.Loss <= 0 || len(r.Gods) != 3 || r.Added != (size > net.Size) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	for _, bad := range [][]string{{"pack", "-raw", gods, "-out", out, gods}, {"rows", gods}, {"rows", "-out", out}, {"groups"}} {
		if err := santorini(t.Context(), bad, new(bytes.Buffer)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestMatchups plays all gods that engines play, or those that are named.
func TestMatchups(t *testing.T) {
	all, err := matchupsOf([]string{"all"})
	if err != nil {
		t.Fatal(err)
	}
	met := map[rules.God]bool{}
	for _, m := range all {
		met[m[0]] = true
		if rules.Banned(m) != nil {
			t.Errorf("%s is played", m)
		}
	}
	if len(met) != len(rules.Played()) {
		t.Errorf("%d gods, want %d", len(met), len(rules.Played()))
	}
	if some, err := matchupsOf([]string{"pan", "zeus"}); err != nil || len(some) != 4 {
		t.Errorf("%v, %v", some, err)
	}
	if _, err := matchupsOf([]string{"pan", "nobody"}); err == nil {
		t.Error("nobody is a god")
	}
}
