package remote

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"thera/arena/config"
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
	shipped := config.ShippedFile{Engine: "e", Name: "net.bin", Sum: "s", Size: int64(len(want)), Path: path}
	tb.change = func(h *Host) { h.Ship = []config.ShippedFile{shipped} }
	came := make(chan error, 3)
	tb.accept = func(files []config.ShippedFile, fetch func(config.ShippedFile, io.Writer) error) error {
		other := files[0]
		other.Name = "thera.db"
		came <- fetch(other, io.Discard)
		var got bytes.Buffer
		err := fetch(files[0], &got)
		if !bytes.Equal(got.Bytes(), want) || files[0].Path != "" {
			t.Errorf("%d bytes of %s came", got.Len(), files[0].Path)
		}
		came <- err
		nc, err := nats.Connect("nats://"+tb.server.Address(), nats.CustomInboxPrefix(Inbox("mallory")))
		if err != nil {
			return err
		}
		defer nc.Close()
		a := &attacker{Conn: nc, host: tb.host}
		if answer := a.fetch(t, piece{Engine: "e", Name: "net.bin"}); answer != `{"unknown":true}` {
			t.Errorf("to a stranger: %.100s", answer)
		}
		came <- nil
		return nil
	}
	tb.worker("w", 1, nil)
	if _, err := tb.run(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if err := <-came; err == nil || !strings.Contains(err.Error(), "the host does not ship thera.db") {
		t.Error(err)
	}
	if err := <-came; err != nil {
		t.Error(err)
	}
	<-came
}
