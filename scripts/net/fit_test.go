package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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

func TestTarget(t *testing.T) {
	s := sample{score: 0, winner: 1}
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

// TestFit trains twice on games and reads what was written.
func TestFit(t *testing.T) {
	path := games(t, "mortal", "clio")
	var first []byte
	for range 2 {
		out := filepath.Join(t.TempDir(), "some.net")
		var said bytes.Buffer
		if err := run([]string{"-epochs", "3", "-out", out, path}, &said); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		_, record, err := net.Decode(file)
		if err != nil || record.Games != 40 || record.Epochs != 3 || record.Positions < 500 || strings.Join(record.Gods, " ") != "mortal clio" {
			t.Errorf("%+v, %v", record, err)
		}
		var before, after float64
		for line := range strings.Lines(said.String()) {
			if _, loss, ok := strings.Cut(line, ": loss "); ok {
				after = parse(t, loss)
				if before == 0 {
					before = after
				}
			}
		}
		if after <= 0 || after > before*0.9 {
			t.Errorf("the loss fell from %v to %v:\n%s", before, after, said.String())
		}
		if first != nil && !bytes.Equal(first, file) {
			t.Error("the same games give other weights")
		}
		first = file
	}
	for _, bad := range [][]string{nil, {"missing.games"}, {"fit.go"}} {
		if err := run(bad, new(bytes.Buffer)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func parse(t *testing.T, text string) float64 {
	t.Helper()
	number, _, _ := strings.Cut(text, ",")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
