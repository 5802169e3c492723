package gametest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
)

const session = `   0.001 < hello
         # a remark
   0.020 > noise
   0.021 < about noise
   0.022 ! on stderr
      30 > ask 1
      31 < answer 1
   0.040 > ask 2
         # exit code at end of script: -6
`

func readSession(t *testing.T, text string) *Transcript {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.txt")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tr, err := ReadTranscript(path)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestTranscript(t *testing.T) {
	tr := readSession(t, session)
	if diff := cmp.Diff([]string{"noise", "ask 1", "ask 2"}, tr.Sends()); diff != "" {
		t.Error(diff)
	}
	if tr.Exit == nil || *tr.Exit != -6 {
		t.Errorf("exit = %v, want -6", tr.Exit)
	}
	path := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(path, []byte("0.1 < a\nno mark\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadTranscript(path); err == nil || !strings.Contains(err.Error(), "bad.txt:2") {
		t.Errorf("err = %v, want the line named", err)
	}
}

func TestScriptPlaysARecording(t *testing.T) {
	s := readSession(t, session).Play(nil)
	ctx := context.Background()
	expect := func(want string) {
		t.Helper()
		line, err := s.Recv(ctx)
		if err != nil || string(line) != want {
			t.Fatalf("got %q, %v, want %q", line, err, want)
		}
	}
	expect("hello")
	_ = s.Send([]byte("unheard of"))
	if _, err := s.Recv(ctx); !errors.Is(err, game.ErrSoft) {
		t.Fatalf("err = %v, want the soft limit", err)
	}
	_ = s.Send([]byte("ask 1"))
	expect("about noise")
	expect("answer 1")
	_ = s.Send([]byte("ask 2"))
	var fault *game.Fault
	if _, err := s.Recv(ctx); !errors.As(err, &fault) || fault.Kind != game.FaultCrashed {
		t.Errorf("err = %v, want a crash", err)
	}
	if diff := cmp.Diff([]string{"unheard of"}, s.Unmatched); diff != "" {
		t.Error(diff)
	}
}

func TestScriptTimesOutOnce(t *testing.T) {
	s := readSession(t, "0 < hello\n").Play(nil)
	if _, err := s.Recv(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Recv(context.Background()); !errors.Is(err, game.ErrSoft) {
		t.Fatalf("first: %v", err)
	}
	var fault *game.Fault
	if _, err := s.Recv(context.Background()); !errors.As(err, &fault) || fault.Kind != game.FaultTimeout {
		t.Errorf("second: %v, want a timeout", err)
	}
}

func TestProtocolTable(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("x_test.go", "package x\n\nfunc TestPing(t *testing.T) {}\n")
	head := "| item | proof |\n| --- | --- |\n"
	for _, tt := range []struct {
		rows string
		want int
	}{
		{"| ping | `TestPing` |\n| pong | left out: nobody asks for it |\n", 0},
		{"| ping | `TestPing/answer` |\n", 1}, // too few rows
		{"| ping | `TestPong` |\n| a | `TestPing` |\n", 1},
		{"| ping | proven |\n| a | left out: |\n", 2},
	} {
		write("PROTOCOL.md", head+tt.rows)
		if got := checkProtocol(dir, 2); len(got) != tt.want {
			t.Errorf("%q: problems %q, want %d", tt.rows, got, tt.want)
		}
	}
}

func TestLong(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true} {
		t.Setenv("THERA_LONG", value)
		if Long(t) != want {
			t.Errorf("THERA_LONG=%q: %v", value, !want)
		}
	}
}
