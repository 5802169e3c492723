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

// BenchmarkLook is a look at the processes of an engine of one process, and of
// one that has a child for each of eight threads' worth of work.
func BenchmarkLook(b *testing.B) {
	for name, script := range map[string]string{
		"1": "read quit",
		"9": "for i in 1 2 3 4 5 6 7 8; do sleep 61.5 & done; echo ready; wait",
	} {
		b.Run(name, func(b *testing.B) {
			p := launch(b, spawner(b), Spec{Argv: []string{"/bin/sh", "-c", "echo ready; " + script}})
			if _, err := p.Read(make([]byte, 16), 5*time.Second); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if p.Resident() == 0 {
					b.Fatal("no processes")
				}
			}
		})
	}
}
