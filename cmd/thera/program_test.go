package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"thera/engine/gametest"
)

// program is a thera that runs in the background.
type program struct {
	*exec.Cmd
	out, err bytes.Buffer
	address  string

	mu    sync.Mutex // of err
	more  sync.Cond
	ended bool
}

// await waits until the program has written a text after its address.
func (p *program) await(t testing.TB, text string) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for !strings.Contains(p.err.String(), text) {
		if p.ended {
			t.Fatalf("thera ended without %q: %s", text, &p.err)
		}
		p.more.Wait()
	}
}

// said is all that the program has written when it is over.
func (p *program) said() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.ended {
		p.more.Wait()
	}
	return p.out.String() + p.err.String()
}

// start starts thera and waits for the address that it prints.
func start(t testing.TB, dir string, args ...string) *program {
	t.Helper()
	thera, err := exec.LookPath("thera")
	gametest.OK(t, err)
	p := &program{Cmd: exec.Command(thera, args...)}
	p.Dir = dir
	read, write, err := os.Pipe()
	gametest.OK(t, err)
	p.Stdout, p.Stderr = write, write
	gametest.OK(t, p.Start())
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
	p.more.L = &p.mu
	go func() {
		for {
			line, err := lines.ReadString('\n')
			p.mu.Lock()
			p.err.WriteString(line)
			p.ended = err != nil
			p.more.Broadcast()
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return p
}
