package lanes

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSums adds and subtracts random lanes and compares with plain numbers.
func TestSums(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var word, sum uint64
		want := 0
		for range 3 {
			word = 0
			var lanes [4]int
			for range 20 {
				for i := range lanes {
					n := random.IntN(3000) - 1500
					if random.IntN(3) > 0 {
						lanes[i] += n
						word += Lane(int16(n), i)
					} else {
						lanes[i] -= n
						word -= Lane(int16(n), i)
					}
				}
			}
			positive := Positive(word)
			for _, n := range lanes {
				want += max(n, 0)
			}
			if random.IntN(2) == 0 {
				sum += positive
				continue
			}
			for _, n := range lanes {
				want -= 2 * max(n, 0)
			}
			sum -= positive
		}
		if got := Score(sum); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
}

func TestPack(t *testing.T) {
	type record struct {
		Head
		Name string
	}
	head := Head{Format: "some net", Version: 1, Lanes: 4}
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
	if _, err := Unpack(file, &r, Head{Format: "some net", Version: 2, Lanes: 4}); err == nil {
		t.Error("a file of another version is taken")
	}
}
