//go:build unix

package store

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const holdVariable = "THERA_TEST_HOLD"

// Only one process can play a run. Other runs
// of the database are free. However the process ends, the run is free again
// and shown as interrupted.
func TestHold(t *testing.T) {
	if path := os.Getenv(holdVariable); path != "" {
		holdUntilKilled(path)
	}
	s := openTest(t)
	beginTest(t, s, planOf("a", "b"))
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestHold$")
	cmd.Env = append(os.Environ(), holdVariable+"="+s.Path())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	word := make([]byte, 5)
	if _, err := out.Read(word); err != nil || string(word) != "held\n" {
		t.Fatalf("the other process says %q, %v", word, err)
	}
	_, err = s.Hold("trial")
	if err == nil || !strings.Contains(err.Error(), "run trial is being played by another program") {
		t.Errorf("err = %v", err)
	}
	state := func(want string) {
		t.Helper()
		if run, err := s.Find(t.Context(), "trial"); err != nil || run.State != want {
			t.Errorf("the run is %s, want %s (%v)", run.State, want, err)
		}
		if runs, err := s.Runs(t.Context()); err != nil || runs[0].State != want {
			t.Errorf("the runs are %+v, want %s (%v)", runs, want, err)
		}
	}
	state("running")
	other, err := s.Hold("another")
	if err != nil {
		t.Errorf("another run: %v", err)
	} else if err := other(); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	state("interrupted")
	release, err := s.Hold("trial")
	if err != nil {
		t.Fatalf("after the kill: %v", err)
	}
	state("running")
	if err := release(); err != nil {
		t.Error(err)
	}
	state("interrupted")
	if err := s.Note(t.Context(), 1, "finished", ""); err != nil {
		t.Fatal(err)
	}
	state("finished")
}

// holdUntilKilled is the body of the other process.
func holdUntilKilled(path string) {
	release, err := (&Store{path: path}).Hold("trial")
	if err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
	os.Stdout.WriteString("held\n")
	var forever [1]byte
	r, _, _ := os.Pipe()
	_, _ = r.Read(forever[:])
	_ = release()
}
