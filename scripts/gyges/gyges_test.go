package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/net"
	"thera/engine/gyges/rules"
)

// TestPlayAndFit makes games twice and weights of them.
func TestPlayAndFit(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i, name := range []string{"a.games", "b.games"} {
		path := filepath.Join(dir, name)
		if err := run(t.Context(), []string{"play", "-games", "40", "-nodes", "100", "-eval", "hand", "-out", path}, nil); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) || !bytes.HasPrefix(files[0], []byte("# 40 games, 100 nodes, at most 6 random plies, seed 1, eval hand\n")) {
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
	_, r, err := net.Decode(file)
	if err != nil || r.Games < 25 || r.Positions < 200 || r.HeldOut == 0 || r.Epochs != 3 || len(r.Sources) != 1 || !strings.HasPrefix(r.Sources[0], "40 games, ") {
		t.Errorf("%+v, %v", r, err)
	}
	if !strings.Contains(said.String(), "epoch 3: loss ") {
		t.Errorf("said:\n%s", said.String())
	}
}

// TestOutcomes plays the last move of each game that was decided.
func TestOutcomes(t *testing.T) {
	var out bytes.Buffer
	p := playing{games: 20, plies: 4, nodes: 200, seed: 3, eval: "hand"}
	if err := p.play(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	gen := rules.NewGenerator()
	won := map[int]game.Seat{}
	positions := 0
	for text := range strings.Lines(out.String()) {
		if strings.HasPrefix(text, "#") {
			continue
		}
		g, s, err := parse(strings.TrimSuffix(text, "\n"), gen)
		if err != nil {
			t.Fatal(err)
		}
		positions++
		if wins(gen, s.Position.Board, s.Position.Seat) {
			t.Errorf("%s is won at once", text)
		}
		if s.Aside || s.Outcome == 0 {
			continue
		}
		winner := s.Position.Seat
		if s.Outcome < 0 {
			winner = winner.Other()
		}
		if before, ok := won[g]; ok && before != winner {
			t.Errorf("game %d is won by both sides", g)
		}
		won[g] = winner
	}
	if len(won) < 10 || positions < 80 {
		t.Errorf("%d games decided, %d positions", len(won), positions)
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
	const good = "0 321123/000000/000000/000000/000000/321123 1 10 1\n"
	for _, tt := range []struct{ args, want string }{
		{"", "want play or fit"},
		{"guess", "want play or fit"},
		{"play", "want -out FILE"},
		{"play -games 0 -out x", "at least 1"},
		{"play -games 1 -eval magic -out " + filepath.Join(dir, "x"), "want net or hand"},
		{"fit", "want files"},
		{"fit missing.games", "no such file"},
		{"fit " + write("short.games", good), "not enough games"},
		{"fit " + write("layout.games", good+"1 321123 1 10 1\n"), "layout.games:2: layout"},
		{"fit " + write("seat.games", strings.Replace(good, " 1 10", " 3 10", 1)), "side to move 3"},
		{"fit " + write("outcome.games", strings.Replace(good, "10 1", "10 win", 1)), "outcome \"win\""},
		{"fit " + write("cut.games", good[:20]), "cut.games:1: "},
	} {
		if err := run(t.Context(), strings.Fields(tt.args), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.args, err, tt.want)
		}
	}
}
