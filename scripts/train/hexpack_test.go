package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/hex/player/conv"
)

// TestHexPack packs weights that fithex.py could have written. The file says how well they judge games.
func TestHexPack(t *testing.T) {
	games := played(t, "hex play -games 12 -playouts 40 -size 5 -judge")
	raw, out, random := filepath.Join(t.TempDir(), "raw"), filepath.Join(t.TempDir(), "net"), rand.New(rand.NewPCG(1, 1))
	var list []byte
	for range conv.Weights {
		list = binary.LittleEndian.AppendUint32(list, math.Float32bits(float32(random.NormFloat64()*0.05)))
	}
	write := func(list []byte) error {
		if err := os.WriteFile(raw, list, 0o644); err != nil {
			t.Fatal(err)
		}
		return run(t.Context(), []string{"hex", "pack", "-raw", raw, "-out", out, games}, new(bytes.Buffer))
	}
	if err := write(list[4:]); err == nil || !strings.Contains(err.Error(), "weights, want") {
		t.Error(err)
	}
	if err := write(list); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	n, r, err := conv.Format.Decode(file)
	if err != nil || r.Positions == 0 || r.HeldOut == 0 || !strings.Contains(r.Sources[0], "judge true") || len(r.Inputs) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	text, err := os.ReadFile(games)
	if err != nil {
		t.Fatal(err)
	}
	var held []hexPosition
	for line := range strings.Lines(string(text)) {
		if p, err := parsePosition(strings.TrimSpace(line), 5); err == nil && p.game%10 == 0 {
			held = append(held, p)
		}
	}
	loss := 0.0
	for _, p := range held {
		value := 1 / (1 + math.Exp(-float64(conv.NewJudge(5, n).Look(p.board, p.turn, p.last))/conv.Unit))
		if !p.won {
			value = 1 - value
		}
		loss -= math.Log(value) / float64(len(held))
	}
	if math.Abs(loss-r.Loss) > 1e-9 || len(held) != r.HeldOut || r.Best < 0 || r.Best > 1 {
		t.Errorf("loss %v of %d positions; the record says %+v", loss, len(held), r)
	}
}
