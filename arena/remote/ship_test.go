package remote

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A worker gets the files that its host ships, in pieces, and no others; only workers of
// the run do.
func TestShip(t *testing.T) {
	tb := newTable(t, 3)
	path := filepath.Join(t.TempDir(), "net.bin")
	want := bytes.Repeat([]byte("weights "), pieceSize/4) // two pieces
	want = append(want, "end"...)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	tb.change = func(h *Host) { h.Ship = map[string]string{"a": path, "b": filepath.Join(t.TempDir(), "gone")} }
	came := make(chan error, 4)
	tb.fetch = func(fetch Fetch) error {
		for _, sum := range []string{"b", "thera.db"} {
			_, err := fetch(sum, 0)
			came <- err
		}
		left, name := int64(len(want)), filepath.Join(t.TempDir(), "got")
		err := receive(name, 0o600, "a", &left, fetch)
		if got, _ := os.ReadFile(name); !bytes.Equal(got, want) || left != 0 {
			t.Errorf("%d bytes came, %d are left", len(got), left)
		}
		came <- err
		a := &attacker{Conn: dial(t, "nats://"+tb.server.Address(), "mallory"), host: tb.playing()}
		if answer := a.fetch(t, piece{Sum: "a"}); answer != "the host does not ship it" {
			t.Errorf("to a stranger: %.100s", answer)
		}
		came <- nil
		return nil
	}
	tb.worker("w", 1, nil)
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the file cannot be read any more", "the host does not ship it"} {
		if err := <-came; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := <-came; err != nil {
		t.Error(err)
	}
	<-came
}
