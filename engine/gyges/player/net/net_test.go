package net

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gyges/internal/gygestest"
	"thera/engine/gyges/rules"
	"thera/engine/train"
)

// randomWeights are small enough that no lane overflows.
func randomWeights(seed uint64) []int16 {
	random := rand.New(rand.NewPCG(seed, 1))
	weights := make([]int16, Rows*Lanes)
	for i := range weights {
		weights[i] = int16(random.IntN(701) - 350)
	}
	return weights
}

// slow is the definition of the network, lane by lane.
func slow(weights []int16, v *View) int {
	total := 0
	for lane := range Lanes {
		sum := 0
		for _, r := range v.AppendFeatures(nil) {
			sum += int(weights[int(r)*Lanes+lane])
		}
		if sum = max(sum, 0); lane < Lanes/2 {
			total += sum
		} else {
			total -= sum
		}
	}
	return total / Unit
}

// views calls see with views of n random positions.
func views(seed uint64, n int, see func(v View)) {
	gen := rules.NewGenerator()
	gygestest.Positions(seed, func(b rules.Board, seat game.Seat) bool {
		see(Look(gen, b, seat))
		n--
		return n > 0
	})
}

func TestEvaluateIsTheDefinition(t *testing.T) {
	weights := randomWeights(5)
	n, err := New(weights)
	if err != nil {
		t.Fatal(err)
	}
	far := 0
	views(3, 2000, func(v View) {
		got := n.Evaluate(&v)
		if want := slow(weights, &v); got != want {
			t.Fatalf("%s %d: %d, want %d", v.Board, v.Seat, got, want)
		}
		if got > 200 || got < -200 {
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

// TestFeatures checks that no feature is listed twice, that both sides see the same on
// the turned board, and that a mirrored board has the mirrored features.
func TestFeatures(t *testing.T) {
	gen := rules.NewGenerator()
	used := map[uint16]bool{}
	views(8, 3000, func(v View) {
		list := v.AppendFeatures(nil)
		slices.Sort(list)
		if len(slices.Compact(slices.Clone(list))) != len(list) || int(list[len(list)-1]) >= Rows {
			t.Fatalf("%s: features %v", v.Board, list)
		}
		for _, r := range list {
			used[r] = true
		}
		sorted := func(v View) []uint16 {
			l := v.AppendFeatures(nil)
			slices.Sort(l)
			return l
		}
		if turned := sorted(Look(gen, v.Board.Rotate(), v.Seat.Other())); !slices.Equal(turned, list) {
			t.Fatalf("%s: features %v, turned %v", v.Board, list, turned)
		}
		rows := strings.Split(v.Board.String(), "/")
		for i, row := range rows {
			b := []byte(row)
			slices.Reverse(b)
			rows[i] = string(b)
		}
		mirrored, err := rules.ParseBoard(strings.Join(rows, "/"), 12)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range list {
			list[i] = uint16(Mirrored(int(r)))
		}
		slices.Sort(list)
		if got := sorted(Look(gen, mirrored, v.Seat)); !slices.Equal(got, list) {
			t.Fatalf("%s: features %v, want %v", mirrored, got, list)
		}
	})
	if len(used) < Rows*9/10 {
		t.Errorf("only %d of %d features occur", len(used), Rows)
	}
}

// TestGroups checks that a group has features of one kind on one row, which a mirror
// keeps.
func TestGroups(t *testing.T) {
	members := map[int][]int{}
	for r := range Rows {
		groups := AppendGroups(nil, r)
		if !slices.Equal(groups, AppendGroups(nil, Mirrored(r))) {
			t.Errorf("row %d and its mirror have other groups", r)
		}
		for _, g := range groups {
			if g < 0 || g >= Groups {
				t.Fatalf("row %d: group %d of %d", r, g, Groups)
			}
			members[g] = append(members[g], r)
		}
	}
	for g, rows := range members {
		if len(rows) != 6 || rows[5]-rows[0] != 5 {
			t.Errorf("group %d: rows %v", g, rows)
		}
	}
	if len(members) != 3*6+4*6 {
		t.Errorf("%d groups", len(members))
	}
}

func TestFile(t *testing.T) {
	weights := randomWeights(11)
	file, err := Format.Encode(train.Training{Games: 12, Lambda: 0.7}, weights)
	if err != nil {
		t.Fatal(err)
	}
	n, record, err := Format.Decode(file)
	if err != nil || record.Games != 12 || record.Lambda != 0.7 {
		t.Fatalf("%+v, %v", record, err)
	}
	views(9, 50, func(v View) {
		if got, want := n.Evaluate(&v), slow(weights, &v); got != want {
			t.Fatalf("%s: %d, want %d", v.Board, got, want)
		}
	})
	for _, at := range []int{0, 20, len(file) / 2, len(file) - 1} {
		bad := bytes.Clone(file)
		bad[at] ^= 1
		if _, _, err := Format.Decode(bad); err == nil || !strings.Contains(err.Error(), "checksum") {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
	if _, _, err := Format.Decode(file[:20]); err == nil {
		t.Error("a short file is read")
	}
	weights[7*Lanes+3] = 32000
	if _, err := Format.Encode(train.Training{}, weights); err == nil || !strings.Contains(err.Error(), "lane 3") {
		t.Errorf("a lane that could overflow: %v", err)
	}
}

// TestEmbedded reads the weights of the program.
func TestEmbedded(t *testing.T) {
	n, r, err := Format.Decode(weightsFile)
	if err != nil {
		t.Fatal(err)
	}
	if r.Games == 0 || r.Positions == 0 || r.HeldOut == 0 || r.Epochs == 0 || len(r.Sources) == 0 || r.Loss <= 0 || r.Loss >= r.HandLoss {
		t.Errorf("record %+v", r)
	}
	if *n != *Embedded() {
		t.Error("the embedded net is another one")
	}
}
