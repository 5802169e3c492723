package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// program is a thera that runs in the background.
type program struct {
	*exec.Cmd
	out, err bytes.Buffer
	address  string
}

// start starts thera and waits for the address that it prints.
func start(t testing.TB, dir string, args ...string) *program {
	t.Helper()
	thera, err := exec.LookPath("thera")
	if err != nil {
		t.Fatal(err)
	}
	p := &program{Cmd: exec.Command(thera, args...)}
	p.Dir = dir
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stdout, p.Stderr = write, write
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		if p.ProcessState == nil {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
		read.Close()
	})
	lines := bufio.NewReader(read)
	for p.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("thera %v: %v after %s", args, err, p.out.String())
		}
		p.out.WriteString(line)
		if at := strings.Index(line, "http://"); at >= 0 {
			p.address = strings.TrimSpace(line[at:])
		}
	}
	go func() { _, _ = p.err.ReadFrom(lines) }()
	return p
}
