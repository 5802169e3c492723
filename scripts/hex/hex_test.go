package main

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/hex/policy"
)

// TestPlayAndFit makes games twice and weights of them, which guess better than none.
func TestPlayAndFit(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i, name := range []string{"a.games", "b.games"} {
		path := filepath.Join(dir, name)
		if err := run(t.Context(), []string{"play", "-games", "21", "-playouts", "80", "-size", "5", "-out", path}, nil); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) || !bytes.HasPrefix(files[0], []byte("# 21 games, size 5, 80 playouts, seed 1\n")) {
		t.Errorf("games:\n%s\nand again:\n%s", files[0], files[1])
	}
	out := filepath.Join(dir, "some.net")
	var said bytes.Buffer
	if err := run(t.Context(), []string{"fit", "-epochs", "3", "-out", out, filepath.Join(dir, "a.games")}, &said); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	fitted, r, err := policy.Decode(file)
	if err != nil || r.Games < 15 || r.Positions < 20 || r.HeldOut == 0 || r.Epochs != 3 || r.Loss <= 0 || len(r.Sources) != 1 || !strings.HasPrefix(r.Sources[0], "21 games, ") {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.Contains(said.String(), "epoch 3: loss ") {
		t.Errorf("said:\n%s", said.String())
	}
	var losses [2]float64
	for i, n := range []*policy.Net{nil, fitted} {
		reader := reader{size: 5, guesser: policy.NewGuesser(5, n)}
		for line := range strings.Lines(string(files[0])) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			_, moves, err := reader.parse(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			guesses := map[uint16]float64{}
			for _, m := range reader.guesser.Moves() {
				guesses[m.At] = float64(m.Share)
			}
			for k, m := range moves {
				if m.target > 0 {
					losses[i] -= m.target * math.Log(guesses[reader.empty[k]])
				}
			}
		}
	}
	if losses[1] >= losses[0] {
		t.Errorf("loss %.3f, without weights %.3f", losses[1], losses[0])
	}
}

// TestGradient compares the slope of each weight with the loss on both sides of it.
func TestGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	weights := make([]float64, all)
	for i := range weights {
		weights[i] = random.NormFloat64()
	}
	moves := []move{{rows: []uint16{3, 8, 9}, target: 0.7}, {rows: []uint16{3, 10}, target: 0.3}, {rows: []uint16{8, 11}}}
	slope := make([]float64, all)
	learn(moves, weights, slope)
	for _, row := range []int{3, 8, 9, 10, 11} {
		const step = 1e-5
		w := weights[row]
		weights[row] = w + step
		up, _ := learn(moves, weights, nil)
		weights[row] = w - step
		down, _ := learn(moves, weights, nil)
		weights[row] = w
		if numeric := (up - down) / (2 * step); math.Abs(numeric-slope[row]) > 1e-6 || slope[row] == 0 {
			t.Errorf("weight %d: slope %v, want %v", row, slope[row], numeric)
		}
	}
}

// TestPartsAreAddedToSectors checks that a position has the same logits before and after
// the shared rows were added.
func TestPartsAreAddedToSectors(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	weights := make([]float64, all)
	for i := range weights {
		weights[i] = float64(random.IntN(801)-400) / policy.Unit
	}
	n, err := policy.New(quantized(weights))
	if err != nil {
		t.Fatal(err)
	}
	r := reader{size: 4, guesser: policy.NewGuesser(4, n)}
	_, moves, err := r.parse("0 a2,b3,c1,d4,b2 c2:5,c3:7")
	if err != nil {
		t.Fatal(err)
	}
	if len(moves) != 11 {
		t.Fatalf("%d moves", len(moves))
	}
	for k, m := range moves {
		sum := 0.0
		for _, row := range m.rows {
			sum += weights[row] * policy.Unit
		}
		if got := r.guesser.Logit(r.guesser.CellAt(int(r.empty[k]))); got != int(math.Round(sum)) {
			t.Errorf("move %d: %d, want %.0f", k, got, sum)
		}
	}
}

func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const good = "# 1 games, size 5, 80 playouts, seed 1\n0 a1,b2 c3:70,d4:10\n"
	for _, tt := range []struct{ args, want string }{
		{"", "want play or fit"},
		{"guess", "want play or fit"},
		{"play", "want -out FILE"},
		{"play -size 30 -out x", "size from 2 to 26"},
		{"fit", "want files"},
		{"fit missing.games", "no such file"},
		{"fit " + write("short.games", good), "not enough games"},
		{"fit " + write("header.games", good[10:]), "no header"},
		{"fit " + write("size.games", strings.Replace(good, "size 5", "size 99", 1)), "size 99"},
		{"fit " + write("cell.games", strings.Replace(good, "b2", "z9", 1)), "cell.games:2: "},
		{"fit " + write("visits.games", strings.Replace(good, "c3:70", "c3:x", 1)), "visits \"c3:x\""},
		{"fit " + write("cut.games", good[:len(good)-12]), "cut.games:2: "},
	} {
		if err := run(t.Context(), strings.Fields(tt.args), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.args, err, tt.want)
		}
	}
}
