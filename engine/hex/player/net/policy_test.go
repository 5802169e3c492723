package net

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/hex/rules"
	"thera/engine/train"
)

// randomWeights is a net of random weights.
func randomWeights(t *testing.T) *Net {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 1))
	weights := make([]int16, Rows)
	for i := range weights {
		weights[i] = int16(random.IntN(401) - 200)
	}
	n, err := New(weights)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// positions calls see with the boards of random games that nobody has won.
func positions(g *Guesser, games int, see func(cells []rules.Colour, turn rules.Colour, last [2]int)) {
	random := rand.New(rand.NewPCG(7, 1))
	for range games {
		cells, turn, last := g.Empty(), rules.Black, [2]int{}
		for _, i := range random.Perm(len(g.Inner()))[:len(g.Inner())*2/3] {
			if !g.Look(cells, turn, last) {
				see(cells, turn, last)
			}
			at := int(g.Inner()[i])
			cells[at], last = turn, [2]int{at, last[0]}
			turn = turn.Other()
		}
	}
}

// TestGuessesAreTheSumOfRows adds up the weights of each move, and compares the shares
// with exponentials.
func TestGuessesAreTheSumOfRows(t *testing.T) {
	n := randomWeights(t)
	g := NewGuesser(6, n)
	seen := map[uint16]bool{}
	positions(g, 30, func(cells []rules.Colour, _ rules.Colour, _ [2]int) {
		moves := g.Moves()
		sum, total := 0.0, float32(0)
		for _, m := range moves {
			want := 0
			rows := g.AppendRows(nil, g.CellAt(int(m.At)))
			for _, row := range rows {
				seen[row] = true
				want += int(n.weights[row])
			}
			if cells[m.At] != rules.None || m.logit != want {
				t.Fatalf("place %d: logit %d, want %d, rows %v", m.At, m.logit, want, rows)
			}
			sum += math.Exp(float64(want) / Unit)
			total += m.Share
		}
		for _, m := range moves {
			if want := math.Exp(float64(m.logit)/Unit) / sum; math.Abs(float64(m.Share)-want) > 1e-3*want {
				t.Fatalf("place %d: share %v, want %v", m.At, m.Share, want)
			}
		}
		if total < 0.999 || total > 1.001 {
			t.Fatalf("the shares add up to %v", total)
		}
	})
	if len(seen) < Rows/2 {
		t.Errorf("only %d of %d rows occur", len(seen), Rows)
	}
}

// TestGuessesAreSymmetric checks that a cell is guessed the same after half a turn of the
// board, and with colours exchanged on the mirrored one.
func TestGuessesAreSymmetric(t *testing.T) {
	const size = 6
	n := randomWeights(t)
	g, other := NewGuesser(size, n), NewGuesser(size, n)
	logits := func(g *Guesser) map[int]int {
		all := map[int]int{}
		for _, m := range g.Moves() {
			all[g.CellAt(int(m.At))] = m.logit
		}
		return all
	}
	positions(g, 12, func(cells []rules.Colour, turn rules.Colour, last [2]int) {
		want := logits(g)
		for name, image := range map[string]func(cell int) int{
			"half turn": func(cell int) int { return size*size - 1 - cell },
			"mirror":    func(cell int) int { return cell%size*size + cell/size },
		} {
			board, mover, moves := other.Empty(), turn, [2]int{}
			for cell, at := range g.Inner() {
				c := cells[at]
				if name == "mirror" && c != rules.None {
					c = c.Other()
				}
				board[other.Inner()[image(cell)]] = c
			}
			if name == "mirror" {
				mover = turn.Other()
			}
			for i, at := range last {
				if at > 0 {
					moves[i] = int(other.Inner()[image(g.CellAt(at))])
				}
			}
			other.Look(board, mover, moves)
			for cell, logit := range logits(other) {
				row, column := cell/size, cell%size
				if min(row, size-1-row) < 2 && min(column, size-1-column) < 2 {
					continue // sees a corner of the border, which has one colour
				}
				if want[image(cell)] != logit {
					t.Fatalf("%s: cell %d: %d, want %d", name, cell, logit, want[image(cell)])
				}
			}
		}
	})
}

// TestSaves checks which cells restore a bridge.
func TestSaves(t *testing.T) {
	g := NewGuesser(5, nil)
	cells := g.Empty()
	cell := func(name string) int {
		c, err := rules.ParseCell(name, 5)
		if err != nil {
			t.Fatal(err)
		}
		return int(g.Inner()[c])
	}
	// Black's b4 and d3 are a bridge over c3 and c4.
	cells[cell("b4")], cells[cell("d3")], cells[cell("c3")] = rules.Black, rules.Black, rules.White
	g.Look(cells, rules.Black, [2]int{cell("c3"), cell("d3")})
	for i, at := range g.Inner() {
		if cells[at] != rules.None {
			continue
		}
		saves := slices.Contains(g.AppendRows(nil, i), atSave)
		if name := rules.CellName(i, 5); saves != (name == "c4") {
			t.Errorf("%s saves: %v", name, saves)
		}
	}
}

// TestEmbedded reads the weights of this program, and others.
func TestEmbedded(t *testing.T) {
	n, r, err := Format.Decode(weightsFile)
	if err != nil || *n != *Embedded() || r.Games == 0 || r.Positions == 0 || r.HeldOut == 0 || r.Epochs == 0 || r.Loss <= 0 || r.Best < 0.3 || len(r.Sources) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	bad := bytes.Clone(weightsFile)
	bad[len(bad)/2] ^= 1
	if _, _, err := Format.Decode(bad); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a damaged file: %v", err)
	}
	if _, err := Format.Encode(train.Training{}, make([]int16, Rows-1)); err == nil {
		t.Error("a missing weight is not seen")
	}
	file, err := Format.Encode(train.Training{Games: 12}, make([]int16, Rows))
	if err != nil {
		t.Fatal(err)
	}
	if n, r, err := Format.Decode(file); err != nil || r.Games != 12 || *n != (Net{}) {
		t.Errorf("%+v, %v", r, err)
	}
}
