package all

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// later plays n turns from a game's first start, always another of the legal ones.
func later(t *testing.T, g game.Game, n int) *game.History {
	t.Helper()
	pos, err := g.Start(0, 1)
	if err != nil {
		t.Fatal(err)
	}
	history := game.Begin(pos)
	for history.Ply < n {
		turns := game.TurnsFrom(history.Position)
		if len(turns) == 0 {
			t.Fatalf("%s is over after %d turns", g.Name(), history.Ply)
		}
		if history, err = history.Play(turns[(7*history.Ply+3)%len(turns)]); err != nil {
			t.Fatal(err)
		}
	}
	return history
}

// The pictures of all games, as files to be looked at: testdata/NAME-N.svg and NAME-N.txt are
// those after N turns. A game without files is drawn all the same.
func TestPictures(t *testing.T) {
	for _, g := range Games() {
		files, err := filepath.Glob(filepath.Join("testdata", g.Name()+"-*.svg"))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 5} {
			history := later(t, g, n)
			checkSafe(t, g.Name(), history.Position.SVG(history.Turn, nil))
		}
		for _, file := range files {
			var n int
			name := filepath.Base(file)
			if _, err := fmt.Sscanf(name, g.Name()+"-%d.svg", &n); err != nil {
				continue // of gods
			}
			history := later(t, g, n)
			check(t, name, history.Position, history.Turn)
		}
	}
}

// Powers of gods that leave something on the board, and a god that is not known.
func TestPicturesOfGods(t *testing.T) {
	g := gameNamed(t, "santorini")
	for name, positions := range map[string][2]string{
		"gods": {"0102104120001020100003010/1/selene[B3]:B3,D3/clio[1|D5,C3]:C4,C2", "1102104120001020100003010/2/selene[A4]:A4,D3/clio[1|D5,C3]:C4,C2"},
		"won":  {"0000001230000000000000000/1/mortal:C4,A1/pan:E5,E1", "0000001230000000000000000/2/#mortal:D4,A1/pan:E5,E1"},
	} {
		pos, err := g.Parse(positions[0])
		if err != nil {
			t.Fatal(err)
		}
		history, err := game.Begin(pos).Play(game.By(game.First, positions[1]))
		if err != nil {
			t.Fatal(err)
		}
		check(t, "santorini-"+name+".svg", history.Position, history.Turn)
	}
}

// check compares a picture with its file.
func check(t *testing.T, name string, pos game.Position, last game.Turn) {
	t.Helper()
	text := pos.SVG(last, nil)
	gametest.Golden(t, filepath.Join("testdata", name), []byte(text))
	checkSafe(t, name, text)
	plain, coloured := pos.Draw(last, false), pos.Draw(last, true)
	gametest.Golden(t, filepath.Join("testdata", strings.TrimSuffix(name, ".svg")+".txt"), []byte(plain))
	if got := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(coloured, ""); got != plain {
		t.Errorf("%s: without its colours\n%s, want\n%s", name, got, plain)
	}
}

// checkSafe proves that a picture is safe, twice on a page as well.
func checkSafe(t *testing.T, name, text string) {
	t.Helper()
	for _, element := range gametest.SVG(t, name, text) {
		for _, a := range element.Attr {
			if a.Name.Local == "id" {
				t.Errorf("%s: id %q would be there twice on a page", name, a.Value)
			}
		}
	}
}

// Each game says a turn in its words.
func TestWords(t *testing.T) {
	for _, tt := range []struct {
		game, start, move, want string
	}{
		{"santorini", "0000000000000000000000000/1/mortal:11,13/mortal:7,17", "0000000000000000000000100/2/mortal:13,16/mortal:7,17", "B3-B2, builds C1"},
		{"santorini", "0000001230000000000000000/1/mortal:C4,A1/pan:E5,E1", "0000001230000000000000000/2/#mortal:D4,A1/pan:E5,E1", "C4-D4, wins"},
		{"mill", "", "d2", "places d2"},
		{"hex", "", "c3", "black c3"},
	} {
		g := gameNamed(t, tt.game)
		pos, err := g.Start(0, 0)
		if tt.start != "" {
			pos, err = g.Parse(tt.start)
		}
		if err != nil {
			t.Fatal(err)
		}
		history, err := game.Begin(pos).Play(game.By(game.First, tt.move))
		if err != nil {
			t.Errorf("%s: %v", tt.move, err)
			continue
		}
		if got := history.Prev.Position.Words(history.Turn); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.move, got, tt.want)
		}
	}
	history := later(t, gameNamed(t, "gyges"), 1)
	if got := history.Prev.Position.Words(history.Turn); !strings.Contains(got, " from ") {
		t.Errorf("gyges: %q", got)
	}
}

func gameNamed(t *testing.T, name string) game.Game {
	t.Helper()
	for _, g := range Games() {
		if g.Name() == name {
			return g
		}
	}
	t.Fatalf("no game %s", name)
	return nil
}
