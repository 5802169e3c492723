package pyrat

import (
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

func readVectors(t testing.TB) []vector {
	t.Helper()
	return gametest.Vectors[vector](t, "testdata/games.jsonl.gz")
}

func mustParse(t testing.TB, text string) *position {
	t.Helper()
	p, err := New().Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p.(*position)
}

// seen is the state of p as the vectors tell it, with what was taken since
// before.
func seen(before, p *position) vectorTurn {
	var v vectorTurn
	xy := func(cell int16) [2]int {
		x, y := p.board.xy(cell)
		return [2]int{x, y}
	}
	for i := range 2 {
		v.At[i], v.Dest[i] = xy(p.at[i]), xy(p.dest[i])
		v.Mud[i], v.Score[i] = int(p.timer[i]), float64(p.score[i])/2
	}
	v.Took = [][2]int{}
	for cell := range int16(p.board.cells()) {
		if before.cheese.has(cell) && !p.cheese.has(cell) {
			v.Took = append(v.Took, xy(cell))
		}
	}
	v.Left = p.cheese.count()
	return v
}

// TestVectors plays every recorded game and holds every turn to the record.
func TestVectors(t *testing.T) {
	turns := 0
	vectors := readVectors(t)
	for _, v := range vectors {
		p := mustParse(t, strings.Join(append(v.Lines, "max_turns "+itoa(v.MaxTurns)), "; "))
		for i, want := range v.Turns {
			turn := game.Turn{v.Rat[i : i+1], v.Python[i : i+1]}
			next, err := p.play(turn)
			if err != nil {
				t.Fatalf("%s, turn %d: %v", v.ID, i+1, err)
			}
			got := seen(p, next)
			sortCells(got.Took)
			sortCells(want.Took)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s, turn %d, %s (-want +got):\n%s", v.ID, i+1, turn, diff)
			}
			p = mustParse(t, next.String()) // the text holds all of a state
			turns++
		}
		o, over := p.Outcome()
		if over != v.Outcome.Over || int(p.turn) != v.Outcome.Turns {
			t.Errorf("%s: over %v after %d turns", v.ID, over, p.turn)
		}
		var left [][2]int
		for _, cell := range p.remaining() {
			x, y := p.board.xy(cell)
			left = append(left, [2]int{x, y})
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

func TestOwnTextKeepsTheWrittenOrder(t *testing.T) {
	for _, v := range readVectors(t) {
		text := mustParse(t, strings.Join(v.Lines, "; ")).String()
		if want := strings.Join(v.Lines, "; ") + "; max_turns 300; turn 0; score rat:0 python:0; mud_timers rat:0 python:0; mud_targets rat:- python:-"; text != want {
			t.Fatalf("%s:\n%s\nwant\n%s", v.ID, text, want)
		}
	}
}
