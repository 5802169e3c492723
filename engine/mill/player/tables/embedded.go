package tables

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"sync"
)

// embeddedPairs are the pairs of numbers of men whose tables are part of the program, with
// flying.
var embeddedPairs = [][2]int{{3, 3}, {4, 3}}

// embeddedFile holds the values of these pairs, compressed. TestEmbedded compares it with
// what Solve computes, and writes it.
//
//go:embed embedded.gz
var embeddedFile []byte

// Embedded returns the tables of three men against three and against four that are part of
// the program. The first call unpacks them into 3.5 MB. The caller must not change them.
var Embedded = sync.OnceValue(func() *Tables {
	t, err := unpack(embeddedFile)
	if err != nil { // a test reads the file: the program was built from a damaged one
		panic(fmt.Sprintf("tables: embedded: %v", err))
	}
	return t
})

// unpack reads the embedded file. gzip verifies its checksum.
func unpack(file []byte) (*Tables, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	t := New(true)
	for _, n := range embeddedPairs {
		for _, s := range t.newPair(n[0], n[1]) {
			s.values = make([]byte, s.size())
			if _, err := io.ReadFull(z, s.values); err != nil {
				return nil, fmt.Errorf("%d-%d: %w", n[0], n[1], err)
			}
			t.spaces[s.mover.men][s.other.men] = s
		}
	}
	n, err := io.Copy(io.Discard, z)
	if err == nil && n > 0 {
		err = fmt.Errorf("%d bytes too many", n)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}
