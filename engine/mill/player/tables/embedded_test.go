package tables

import (
	"bytes"
	"compress/gzip"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"thera/engine/gametest"
	"thera/engine/mill/rules"
)

// pack compresses the embedded pairs. Entries without a position repeat the one before
// them, which compresses best.
func (t *Tables) pack() ([]byte, error) {
	var file bytes.Buffer
	z, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	for _, n := range embeddedPairs {
		for _, s := range t.pair(n[0], n[1]) {
			text := bytes.Clone(s.values)
			for i := range text {
				if _, _, ok := s.position(i); !ok && i > 0 {
					text[i] = text[i-1]
				}
			}
			if _, err := z.Write(text); err != nil {
				return nil, err
			}
		}
	}
	err = z.Close()
	return file.Bytes(), err
}

// The embedded tables are those that Solve makes. With THERA_UPDATE=1 they are written.
func TestEmbedded(t *testing.T) {
	tables := mustSolve(t)
	if gametest.Update(t) {
		file, err := tables.pack()
		if err == nil {
			err = os.WriteFile("embedded.gz", file, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes", len(file))
		return
	}
	got, seen := Embedded(), 0
	for _, n := range [][2]int{{3, 3}, {4, 3}, {3, 4}} {
		want, have := tables.spaces[n[0]][n[1]], got.spaces[n[0]][n[1]]
		for i, v := range want.values {
			if have.values[i] == v {
				continue
			}
			if _, _, ok := want.position(i); ok {
				t.Fatalf("%v: entry %d is %d, want %d", n, i, have.values[i], v)
			}
			seen++
		}
	}
	if seen == 0 {
		t.Error("no unused entry differs: is the table packed?")
	}
	for want, file := range map[string][]byte{
		"EOF":      embeddedFile[:len(embeddedFile)-20],
		"header":   embeddedFile[2:],
		"checksum": append(slices.Clone(embeddedFile[:len(embeddedFile)-8]), make([]byte, 8)...),
	} {
		if _, err := unpack(file); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("err = %v, want %q", err, want)
		}
	}
}

// Best lists exactly the moves whose successors have the value that theirs follows from.
func TestBest(t *testing.T) {
	tables, r := mustSolve(t), rules.Default()
	rng := rand.New(rand.NewPCG(4, 2))
	kinds := map[string]int{}
	for range 3000 {
		pair := [...][2]int{{3, 3}, {3, 4}, {4, 3}}[rng.IntN(3)]
		var s rules.State
		for i, p := range rng.Perm(rules.Points)[:pair[0]+pair[1]] {
			side := rules.White
			if i >= pair[0] {
				side = rules.Black
			}
			s.Men[side] |= rules.Point(p).Set()
		}
		if s.Stuck(&r) {
			continue
		}
		v := bellman(t, tables, s)
		best := tables.Best(&s)
		if len(best) == 0 {
			t.Fatalf("%+v: no move", s)
		}
		for _, m := range s.Moves(&r, nil) {
			next := s
			next.Play(m)
			var got Value
			switch {
			case next.Action == rules.Won:
				got = after(1)
			case next.Action == rules.RemoveMan:
				kinds["mill"]++
				got = bellman(t, tables, next)
			default:
				if got = bellman(t, tables, next); got != 0 {
					got++
				}
			}
			if slices.Contains(best, m) != (got == v) {
				t.Fatalf("%+v: value %d, %s leads to %d, best are %v", s, v, m, got, best)
			}
		}
		switch {
		case v == 0:
			kinds["draw"]++
		case v.Won():
			kinds["win"]++
		default:
			kinds["loss"]++
		}
	}
	for _, k := range []string{"mill", "draw", "win", "loss"} {
		if kinds[k] < 10 {
			t.Errorf("%d of kind %s seen", kinds[k], k)
		}
	}
	if list := tables.Best(&rules.State{Hand: [2]uint8{9, 9}}); list != nil {
		t.Errorf("the start has %v", list)
	}
}
