//go:build linux

package proc

import (
	"testing"
	"time"
)

// BenchmarkRestart is the end of one process and the start of the next.
func BenchmarkRestart(b *testing.B) {
	s := spawner(b)
	buf := make([]byte, 16)
	for b.Loop() {
		p, err := s.Start(Spec{Argv: []string{"/bin/sh", "-c", "echo ready; read quit"}})
		if err != nil {
			b.Fatal(err)
		}
		for n := 0; n == 0; {
			n, _ = p.Read(buf, time.Second)
		}
		p.Close()
	}
}
