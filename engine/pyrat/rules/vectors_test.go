package rules

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/gametest"
)

// vector is one game of testdata/games.jsonl.gz.
type vector struct {
	ID       string
	Lines    []string
	MaxTurns int `json:"max_turns"`
	Rat      string
	Python   string
	Turns    []vectorTurn
	Left     [][2]int
	Outcome  struct {
		Over   bool
		Winner string
		Score  [2]float64
		Turns  int
		Reason *string
	}
}

type vectorTurn struct {
	At, Dest [2][2]int
	Mud      [2]int
	Score    [2]float64
	Took     [][2]int
	Left     int
}

func mustParse(t testing.TB, text string) *Position {
	t.Helper()
	p, err := Parse(text, Settings{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// seen is the state of p in the form of the vectors, with the cheese
// taken since before.
func seen(before, p *Position) vectorTurn {
	var v vectorTurn
	xy := func(cell Cell) [2]int {
		x, y := p.board.XY(cell)
		return [2]int{x, y}
	}
	for i := range 2 {
		v.At[i], v.Dest[i] = xy(p.state.At[i]), xy(p.state.Dest[i])
		v.Mud[i], v.Score[i] = int(p.state.Timer[i]), float64(p.state.Score[i])/2
	}
	v.Took = [][2]int{}
	for cell := range Cell(p.board.Cells()) {
		if before.cheese.Has(int(cell)) && !p.cheese.Has(int(cell)) {
			v.Took = append(v.Took, xy(cell))
		}
	}
	v.Left = int(p.state.Left)
	return v
}

// TestVectors plays every recorded game and compares every turn with the record.
func TestVectors(t *testing.T) {
	turns := 0
	vectors := gametest.Vectors[vector](t, "testdata/games.jsonl.gz")
	for _, v := range vectors {
		p := mustParse(t, strings.Join(append(v.Lines, "max_turns "+strconv.Itoa(v.MaxTurns)), "; "))
		for i, want := range v.Turns {
			turn := game.Turn{v.Rat[i : i+1], v.Python[i : i+1]}
			played, err := p.Play(turn)
			if err != nil {
				t.Fatalf("%s, turn %d: %v", v.ID, i+1, err)
			}
			next := played.(*Position)
			got := seen(p, next)
			sortCells(got.Took)
			sortCells(want.Took)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, turn %d, %s (-want +got):\n%s", v.ID, i+1, turn, diff)
			}
			p = mustParse(t, next.String()) // the text holds the whole state
			turns++
		}
		o, over := p.Outcome()
		if over != v.Outcome.Over || int(p.state.Turn) != v.Outcome.Turns {
			t.Errorf("%s: over %v after %d turns", v.ID, over, p.state.Turn)
		}
		var left [][2]int
		for cell := range p.board.Cells() {
			if p.cheese.Has(cell) {
				x, y := p.board.XY(Cell(cell))
				left = append(left, [2]int{x, y})
			}
		}
		sortCells(left)
		sortCells(v.Left)
		if diff := cmp.Diff(append([][2]int{}, v.Left...), append([][2]int{}, left...)); diff != "" {
			t.Errorf("%s: cheese left:\n%s", v.ID, diff)
		}
		if over {
			if o.Reason != *v.Outcome.Reason || o.Points != v.Outcome.Score ||
				[]string{"draw", "rat", "python"}[o.Winner] != v.Outcome.Winner {
				t.Errorf("%s: %+v, want %+v", v.ID, o, v.Outcome)
			}
		}
	}
	if len(vectors) != 122 || turns != 5467 {
		t.Errorf("%d games, %d turns", len(vectors), turns)
	}
}

func sortCells(cells [][2]int) {
	slices.SortFunc(cells, func(a, b [2]int) int { return (a[0]-b[0])*1000 + a[1] - b[1] })
}
