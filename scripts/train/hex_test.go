package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"thera/engine/hex/player/net"
)

// TestHex plays games and fits weights to them. They must guess better than no weights.
func TestHex(t *testing.T) {
	games := played(t, "hex play -games 21 -playouts 80 -size 9")
	file, said := fittedTo(t, "hex fit -epochs 3", games)
	fitted, r, err := net.Format.Decode(file)
	if err != nil || r.Games < 15 || r.Positions < 20 || r.HeldOut == 0 || r.Epochs != 3 || r.Loss <= 0 || r.Best <= 0 ||
		len(r.Inputs) != 1 || !strings.HasPrefix(r.Sources[0], "hex: 21 games, ") {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.Contains(said, "epoch 3: loss ") {
		t.Errorf("said:\n%s", said)
	}
	text, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	var losses [2]float64
	for i, n := range []*net.Net{nil, fitted} {
		reader := reader{size: 9, guesser: net.NewGuesser(9, n)}
		for line := range strings.Lines(string(text)) {
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
