package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gygesnet "thera/engine/gyges/player/net"
	millnet "thera/engine/mill/player/net"
	"thera/engine/train"
)

// files plays the same games twice, compares the files, and returns the path of one.
func played(t *testing.T, args string) string {
	t.Helper()
	var paths [2]string
	var files [2][]byte
	for i := range paths {
		paths[i] = filepath.Join(t.TempDir(), "some.games")
		if err := run(t.Context(), append(strings.Fields(args), "-out", paths[i]), new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
		files[i], _ = os.ReadFile(paths[i])
	}
	if len(files[0]) == 0 || !bytes.Equal(files[0], files[1]) {
		t.Fatalf("games:\n%s\nand again:\n%s", files[0], files[1])
	}
	return paths[0]
}

// fittedTo fits weights to games twice, compares them, and returns the file and the output.
func fittedTo(t *testing.T, args, games string) (file []byte, said string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "some.net")
	for range 2 {
		var text bytes.Buffer
		if err := run(t.Context(), append(strings.Fields(args), "-out", out, games), &text); err != nil {
			t.Fatal(err)
		}
		again, err := os.ReadFile(out)
		if err != nil || file != nil && !bytes.Equal(file, again) {
			t.Fatalf("%v: other weights the second time", err)
		}
		file, said = again, text.String()
	}
	return file, said
}

// TestPlayAndFit plays games and fits weights to them. Both say how they were made.
func TestPlayAndFit(t *testing.T) {
	for game, tt := range map[string]struct {
		play   string
		decode func(file []byte) (train.Record, error)
		least  int // games; some of Gyges are over after their random moves
	}{
		"gyges": {"-games 40 -nodes 100", func(file []byte) (train.Record, error) {
			_, r, err := gygesnet.Format.Decode(file)
			return r, err
		}, 25},
		"mill": {"-games 14 -nodes 60", func(file []byte) (train.Record, error) {
			_, r, err := millnet.Format.Decode(file)
			return r, err
		}, 14},
	} {
		games := played(t, game+" play -eval hand "+tt.play)
		file, said := fittedTo(t, game+" fit -epochs 3", games)
		r, err := tt.decode(file)
		if err != nil || r.Games < tt.least || r.Positions < 200 || r.HeldOut == 0 || r.Epochs != 3 || r.Loss <= 0 || len(r.Inputs) != 1 ||
			!strings.HasPrefix(r.Sources[0], game+": ") || !strings.HasPrefix(r.Command, "go run ./scripts/train "+game+" fit -epochs 3 ") {
			t.Errorf("%s: %+v, %v", game, r, err)
		}
		if !strings.Contains(said, "epoch 3: loss ") {
			t.Errorf("%s said:\n%s", game, said)
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
	const (
		gyges = "# gyges: 1 games\n0 10 1 321123/000000/000000/000000/000000/321123 1\n"
		mill  = "# mill: 1 games\n0 14 1 O*O*****/********/@@****** w p p 2 7 2 7 0 0 0 0 0 0 0 0 3\n"
		hex   = "# hex: 1 games, seed 1, size 5, 80 playouts\n0 a1,b2 c3:70,d4:10 0.6 1\n"
	)
	for i, tt := range []struct{ args, text, want string }{
		{"", "", "then play or fit"},
		{"chess play", "", "then play or fit"},
		{"mill guess", "", "want play or fit"},
		{"gyges play -eval magic -out x", "", "net, hand or a file"},
		{"hex play -size 30 -out x", "", "size from 2 to 26"},
		{"mill fit missing.games", "", "no such file"},
		{"santorini fit", "", "want play, rows"},
		{"santorini play -gods zeux -out x", "", "zeux"},
		{"santorini play -eval some.net -out x", "", "want net or hand"},
		{"gyges fit", mill, "want games of gyges"},
		{"gyges fit", strings.Replace(gyges, "123 1\n", "123 3\n", 1), `side to move "3"`},
		{"mill fit", strings.Replace(mill, "14 1", "14 win", 1), `outcome "win"`},
		{"mill fit", mill[:22], "want a game, a score"},
		{"hex fit", hex, "not enough games"},
		{"hex fit", strings.Replace(hex, "size 5", "size 99", 1), "size 99"},
		{"hex fit", strings.Replace(hex, "c3:70", "c3:x", 1), `visits "c3:x"`},
		{"hex fit", strings.Replace(hex, "0.6", "6", 1), `value "6"`},
		{"hex fit", strings.Replace(hex, "0.6 1", "0.6 0", 1), `winner "0"`},
		{"hex fit", strings.Replace(hex, " 0.6 1", "", 1), "3 words"},
		{"hex pack", hex, "no such file"},
	} {
		args := strings.Fields(tt.args)
		if tt.text != "" {
			args = append(args, write(fmt.Sprintf("%d.games", i), tt.text))
		}
		if err := run(t.Context(), args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.args, err, tt.want)
		}
	}
}
