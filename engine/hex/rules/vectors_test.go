package rules_test

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"testing"

	"thera/engine/hex/rules"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/hex/internal/slow"
)

type record struct {
	ID         string
	Size       int
	Moves      string
	Plies      int
	Winner     string
	WinWolve   *[2]any `json:"win_wolve"`
	WinCentral *[2]any `json:"win_central"`
}

func readGames(t testing.TB, path string) []record {
	t.Helper()
	return gametest.Vectors[record](t, path)
}

func sized(size int, swap bool) rules.Settings { return rules.Settings{Size: size, Swap: swap} }

func TestVectorGames(t *testing.T) {
	gametest.Sequential(t)
	list := readGames(t, "../testdata/games.jsonl.gz")
	if len(list) != 300 {
		t.Fatalf("%d games, want 300", len(list))
	}
	for _, r := range list {
		p := sized(r.Size, false).Empty()
		cells := make([]rules.Colour, r.Size*r.Size)
		for i, word := range strings.Fields(r.Moves) {
			if p.Winner() != rules.None {
				t.Fatalf("%s: over after ply %d", r.ID, i)
			}
			next, why := p.Step(word)
			if why != "" {
				t.Fatalf("%s: ply %d %s: %s", r.ID, i+1, word, why)
			}
			cells[next.Move()] = p.Turn()
			p = next
			if got := slow.Winner(cells, r.Size); got != p.Winner() {
				t.Fatalf("%s: after ply %d the winner is %v, by flood fill %v", r.ID, i+1, p.Winner(), got)
			}
		}
		o, over := p.Outcome()
		if !over || p.Winner().String() != r.Winner || p.Ply() != r.Plies || (o.Winner == game.First) != (r.Winner == "black") {
			t.Errorf("%s: %v after %d plies, want %s after %d", r.ID, p.Winner(), p.Ply(), r.Winner, r.Plies)
		}
		if r.Plies < 2 {
			continue
		}
		// The same stones with a swap after the first: the programs change, the colours do not.
		words := strings.Fields(r.Moves)
		text := strconv.Itoa(r.Size) + " " + words[0] + " swap " + strings.Join(words[1:], " ")
		q, err := sized(r.Size, true).Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if o, over := q.Outcome(); !over || (o.Winner == game.Second) != (r.Winner == "black") {
			t.Errorf("%s with swap: %v %v", r.ID, o, over)
		}
	}
}

const wolvePath = "../../../../shared/vectors/hex/wolve.jsonl.gz"

// The winner is found by this project's rule and by its transpose, which the
// strong bot's data uses. That data belongs to others and is read only if present.
func TestVectorWolve(t *testing.T) {
	gametest.Sequential(t)
	if _, err := os.Stat(wolvePath); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the strong bot's games are not here; they are not part of the project")
	}
	list := readGames(t, wolvePath)
	if len(list) != 4950 {
		t.Errorf("%d games, want 4950", len(list))
	}
	for _, r := range list {
		check := func(sense string, want *[2]any, turned bool) {
			s := rules.NewStones(r.Size)
			turn := rules.Black
			for i, word := range strings.Fields(r.Moves) {
				cell, err := rules.ParseCell(word, r.Size)
				if turned { // their black joins the columns
					cell = cell%r.Size*r.Size + cell/r.Size
				}
				if err != nil || s.Cells[cell] != rules.None {
					t.Fatalf("%s: %s: %v", r.ID, word, err)
				}
				if s.Put(cell, turn) {
					if want == nil || want[0] != float64(i+1) || want[1] != turn.String() {
						t.Errorf("%s (%s): %v wins at ply %d, want %v", r.ID, sense, turn, i+1, want)
					}
					return
				}
				turn = turn.Other()
			}
			if want != nil {
				t.Errorf("%s (%s): no winner, want %v", r.ID, sense, *want)
			}
		}
		check("ours", r.WinCentral, false)
		check("theirs", r.WinWolve, true)
	}
}
