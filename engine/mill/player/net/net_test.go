package net

import (
	"math/rand/v2"
	"slices"
	"testing"

	"thera/engine/mill/rules"
)

// positions calls see with the positions of random games that are not over.
func positions(seed uint64, games int, see func(s rules.State)) {
	random := rand.New(rand.NewPCG(seed, 1))
	r := rules.Default()
	for range games {
		s := rules.State{Hand: [2]uint8{9, 9}}
		for range 120 {
			list := s.Moves(&r, nil)
			if len(list) == 0 {
				break
			}
			see(s)
			s.Play(list[random.IntN(len(list))])
		}
	}
}

func rowsOf(s *rules.State) []uint16 {
	list, n := Features(s)
	return slices.Clone(list[:n])
}

// TestEvaluateIsTheDefinition adds up sum by sum.
func TestEvaluateIsTheDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 1))
	weights := make([]int16, Rows*Width)
	for i := range weights {
		weights[i] = int16(random.IntN(701) - 350)
	}
	n, err := New(weights)
	if err != nil {
		t.Fatal(err)
	}
	far := 0
	positions(3, 40, func(s rules.State) {
		want := 0
		for i := range Width {
			sum := 0
			for _, r := range rowsOf(&s) {
				sum += int(weights[int(r)*Width+i])
			}
			if sum = max(sum, 0); i < Width/2 {
				want += sum
			} else {
				want -= sum
			}
		}
		want /= Unit
		if got := n.Evaluate(&s); got != want {
			t.Fatalf("%+v: %d, want %d", s, got, want)
		}
		if want > 200 || want < -200 {
			far++
		}
	})
	if far == 0 {
		t.Error("all evaluations are near 0")
	}
	if _, err := New(weights[1:]); err == nil {
		t.Error("a missing weight is not seen")
	}
}

// TestFeatures checks that both sides see the same when colours are exchanged, that what a
// line shows is on the board, and that images of a position have the same features.
func TestFeatures(t *testing.T) {
	used := map[uint16]bool{}
	positions(8, 100, func(s rules.State) {
		list := rowsOf(&s)
		other := s
		other.Men[0], other.Men[1], other.Hand[0], other.Hand[1], other.Turn = s.Men[1], s.Men[0], s.Hand[1], s.Hand[0], s.Turn^1
		if got := rowsOf(&other); !slices.Equal(got, list) {
			t.Fatalf("%+v: features %v, with colours exchanged %v", s, list, got)
		}
		milled := [2]int{}
		for _, r := range list[:lines] {
			used[r] = true
			switch r % codes {
			case 1 + 3 + 9:
				milled[0]++
			case 2 * (1 + 3 + 9):
				milled[1]++
			}
		}
		for i, men := range [2]rules.Set{s.Mine(), s.Theirs()} {
			if got := (men.Milled().Len() + 2) / 3; milled[i] < got || milled[i] > 0 && got == 0 {
				t.Fatalf("%+v: %d mills, %d men in mills", s, milled[i], men.Milled().Len())
			}
		}
		slices.Sort(list)
		for symmetry := range rules.Symmetries {
			image := s
			for i, men := range s.Men {
				image.Men[i] = men.Image(symmetry)
			}
			if got := rowsOf(&image); !slices.Equal(slices.Sorted(slices.Values(got)), list) {
				t.Fatalf("%+v: features %v, of image %d %v", s, list, symmetry, got)
			}
		}
	})
	if want := phases * kinds * 18; len(used) != want { // of 27 codes, 18 are not greater from the other end
		t.Errorf("%d patterns of lines occur, want %d", len(used), want)
	}
}

// TestEmbedded reads the weights of this program: they say where they come from, and find
// a man more better than a man less.
func TestEmbedded(t *testing.T) {
	n, r, err := Format.Decode(weightsFile)
	if err != nil || r.Positions < 1000 || r.HeldOut < 100 || r.Loss >= r.HandLoss || len(r.Sources) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	ahead := rules.State{Men: [2]rules.Set{0b10010_00000100_00000100, 0b01000000_01000000_00100000}, Turn: rules.White}
	behind := ahead
	behind.Turn = rules.Black
	if a, b := n.Evaluate(&ahead), n.Evaluate(&behind); a <= 0 || b >= a {
		t.Errorf("four men against three: %d, the other way round %d", a, b)
	}
}
