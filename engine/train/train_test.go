package train

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestPack(t *testing.T) {
	type record struct {
		Head
		Name string
	}
	head := Head{Format: "some net", Version: 1, Width: 4}
	weights := []int16{1, -1, 32767, -32767}
	file, err := Pack(record{head, "some"}, weights)
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if got, err := Unpack(file, &r, head); err != nil || !slices.Equal(got, weights) || r.Name != "some" {
		t.Errorf("%v %+v, %v", got, r, err)
	}
	for at := range file {
		bad := slices.Clone(file)
		bad[at] ^= 4
		if _, err := Unpack(bad, &r, head); err == nil {
			t.Errorf("byte %d changed: taken", at)
		}
	}
	if _, err := Unpack(file[:31], &r, head); err == nil {
		t.Error("a short file is taken")
	}
	if _, err := Unpack(file, &r, Head{Format: "some net", Version: 2, Width: 4}); err == nil {
		t.Error("a file of another version is taken")
	}
}

var toyShape = Shape{
	Rows: 20, Width: 8, Groups: 2,
	GroupsOf: func(list []int, row int) []int { return append(list, row/10) },
}

// toy is n positions of three of ten rows and three of ten others.
func toy(n int, seed uint64) [][6]uint16 {
	random := rand.New(rand.NewPCG(seed, 1))
	list := make([][6]uint16, n)
	for i := range list {
		for k := range list[i] {
			list[i][k] = uint16(10*(k/3) + random.IntN(10))
		}
	}
	return list
}

// toyTarget is high if more of the first three rows are even.
func toyTarget(p *[6]uint16) float64 {
	even := 0
	for k, r := range p {
		even += (1 - int(r)%2) * (1 - 2*(k/3))
	}
	return 1 / (1 + math.Exp(-float64(even)))
}

// TestRunLearns what new positions are worth, and the same again.
func TestRunLearns(t *testing.T) {
	list, held := toy(2000, 5), toy(200, 6)
	s := Settings{Epochs: 10, Batch: 50, Rate: 0.02}
	fit := func(said *bytes.Buffer) (*Model, float64) {
		random := rand.New(rand.NewPCG(1, 0))
		m := NewModel(toyShape, random)
		heldLoss := func() float64 {
			return Loss(held, toyTarget, func(p *[6]uint16) float64 { return m.Evaluate(p[:]) })
		}
		Run(&s, random, list, func(p *[6]uint16) float64 {
			z := m.Evaluate(p[:])
			m.Back(float32(1/(1+math.Exp(-z)) - toyTarget(p)))
			return CrossEntropy(toyTarget(p), z)
		}, func(rate float64, step, count int) { m.Update(rate, 0, step, count) }, heldLoss, said)
		return m, heldLoss()
	}
	var said bytes.Buffer
	m, loss := fit(&said)
	if constant := Loss(held, toyTarget, func(*[6]uint16) float64 { return 0 }); loss > constant/10 {
		t.Errorf("loss %v, that of a constant is %v", loss, constant)
	}
	if n := strings.Count(said.String(), "held-out loss"); n != s.Epochs {
		t.Errorf("%d lines", n)
	}
	if again, _ := fit(new(bytes.Buffer)); !slices.Equal(m.Weights, again.Weights) {
		t.Error("other weights the second time")
	}
}

func TestTarget(t *testing.T) {
	for _, tt := range []struct {
		sample Sample[int]
		want   float64
	}{
		{Sample[int]{Outcome: 1}, 0.65},
		{Sample[int]{Outcome: -1}, 0.35},
		{Sample[int]{Detached: true}, 0.5},
		{Sample[int]{Score: 31990, Outcome: -1}, 1},
	} {
		if got := tt.sample.Target(0.7, 150); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%+v: %v, want %v", tt.sample, got, tt.want)
		}
	}
}
