package proc

import (
	"testing"
	"time"
)

// Unread counts what is in the pipe, also where a wrapper starts the reader.
func TestUnread(t *testing.T) {
	p := launch(t, spawner(t), Spec{Argv: []string{"sh", "-c", "sleep 61.5 <&0 & read a; echo read; wait"}})
	deaf := launch(t, spawner(t), Spec{Argv: []string{"sleep", "61.5"}})
	for _, p := range []*Process{p, deaf} {
		if _, err := p.Write([]byte("four\n"), time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	if got := readLine(t, p); got != "read" {
		t.Fatalf("said %q", got)
	}
	if n, known := p.Unread(); n != 0 || !known {
		t.Errorf("%d unread bytes after the line was read", n)
	}
	if n, known := deaf.Unread(); n != 5 || !known {
		t.Errorf("%d unread bytes of 5", n)
	}
}
