package net

import (
	"math"
	"math/rand/v2"
	"slices"
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

// slowAround reads the rows of a place from the board: that of the six cells around, and of each sector.
func slowAround(g *Guesser, at int) []uint16 {
	code := func(places ...int) (n int) {
		for _, place := range slices.Backward(places) {
			n = 3*n + int(turned[g.side][g.cells[place]])
		}
		return n
	}
	ring, bridge, straight := g.ring[g.side], g.bridge[g.side], g.straight[g.side]
	all := code(at+ring[0], at+ring[1], at+ring[2], at+ring[3], at+ring[4], at+ring[5])
	rows := []uint16{atRing + canonical[all]}
	for k := range 6 {
		before, after := (k+5)%6, (k+1)%6
		n := code(at+ring[before], at+ring[k], at+ring[after], at+bridge[before], at+bridge[k], at+straight[k])
		rows = append(rows, uint16(atSector+k%Kinds*states+n))
	}
	return rows
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
			if around := slowAround(g, int(m.At)); !slices.Equal(rows[:7], around) {
				t.Fatalf("place %d: rows %v, want %v first", m.At, rows, around)
			}
			for _, row := range rows {
				seen[row] = true
				want += int(n.weights[row])
			}
			if cells[m.At] != rules.None || m.Logit != want {
				t.Fatalf("place %d: logit %d, want %d, rows %v", m.At, m.Logit, want, rows)
			}
			sum += math.Exp(float64(want) / Unit)
			total += m.Share
		}
		for _, m := range moves {
			if want := math.Exp(float64(m.Logit)/Unit) / sum; math.Abs(float64(m.Share)-want) > 1e-3*want {
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

// TestEmbedded reads the weights of this program, and others.
func TestEmbedded(t *testing.T) {
	n, r, err := Format.Decode(weightsFile)
	if err != nil || *n != *Embedded() || r.Games == 0 || r.Positions == 0 || r.HeldOut == 0 || r.Epochs == 0 || r.Loss <= 0 || r.Best < 0.3 || len(r.Sources) == 0 {
		t.Errorf("%+v, %v", r, err)
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
