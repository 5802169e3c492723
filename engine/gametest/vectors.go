package gametest

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"
)

// Vectors reads all objects of a gzipped JSON file.
func Vectors[T any](t testing.TB, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zip, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	var rows []T
	for dec := json.NewDecoder(zip); dec.More(); {
		var row T
		if err := dec.Decode(&row); err != nil {
			t.Fatalf("%s: row %d: %v", path, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows
}
