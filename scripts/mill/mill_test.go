package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/mill/net"
)

// TestPlayAndFit makes games twice and weights of them.
func TestPlayAndFit(t *testing.T) {
	dir := t.TempDir()
	var files [2][]byte
	for i, name := range []string{"a.games", "b.games"} {
		path := filepath.Join(dir, name)
		if err := run(t.Context(), []string{"play", "-games", "14", "-nodes", "60", "-net=false", "-out", path}, nil); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(path)
	}
	if !bytes.Equal(files[0], files[1]) || !bytes.HasPrefix(files[0], []byte("# 14 games, 60 nodes, at most 8 random plies, seed 1, net false\n")) {
		t.Errorf("games:\n%s\nand again:\n%s", files[0], files[1])
	}
	out := filepath.Join(dir, "some.net")
	var said bytes.Buffer
	if err := run(t.Context(), []string{"fit", "-epochs", "2", "-out", out, filepath.Join(dir, "a.games")}, &said); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	_, r, err := net.Decode(file)
	if err != nil || r.Games != 14 || r.Positions < 300 || r.HeldOut == 0 || r.Epochs != 2 || len(r.Sources) != 1 || !strings.HasPrefix(r.Sources[0], "14 games, ") {
		t.Errorf("%+v, %v", r, err)
	}
	if !strings.Contains(said.String(), "epoch 2: loss ") {
		t.Errorf("said:\n%s", said.String())
	}
}

// TestOutcomes checks that the two sides of a game tell one story.
func TestOutcomes(t *testing.T) {
	var out bytes.Buffer
	p := playing{games: 10, plies: 4, nodes: 60, seed: 3}
	if err := p.play(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	won := map[int]game.Seat{}
	for text := range strings.Lines(out.String()) {
		if strings.HasPrefix(text, "#") {
			continue
		}
		g, s, err := parse(strings.TrimSuffix(text, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if s.Aside || s.Outcome == 0 {
			continue
		}
		winner := s.Position.Turn.Seat()
		if s.Outcome < 0 {
			winner = winner.Other()
		}
		if before, ok := won[g]; ok && before != winner {
			t.Errorf("game %d is won by both sides", g)
		}
		won[g] = winner
	}
	if len(won) < 4 {
		t.Errorf("%d games decided", len(won))
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
	const good = "0 14 1 O*O*****/********/@@****** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3\n"
	for _, tt := range []struct{ args, want string }{
		{"", "want play or fit"},
		{"guess", "want play or fit"},
		{"play", "want -out FILE"},
		{"play -games 0 -out x", "at least 1"},
		{"fit", "want files"},
		{"fit missing.games", "no such file"},
		{"fit " + write("short.games", good), "not enough games"},
		{"fit " + write("board.games", good+strings.Replace(good, "O*O", "O*X", 1)), "board.games:2: "},
		{"fit " + write("outcome.games", strings.Replace(good, "14 1", "14 win", 1)), "outcome \"win\""},
		{"fit " + write("score.games", strings.Replace(good, "14 1", "x 1", 1)), "score.games:1: "},
		{"fit " + write("cut.games", good[:6]), "want a game, a score"},
	} {
		if err := run(t.Context(), strings.Fields(tt.args), new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.args, err, tt.want)
		}
	}
}
