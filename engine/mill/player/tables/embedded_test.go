package tables

import (
	"bytes"
	"compress/gzip"
	"os"
	"slices"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// pack compresses the embedded pairs. An unused entry repeats the one before it, which
// compresses best.
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

// The embedded tables are those that Solve computes. THERA_UPDATE=1 writes them.
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
