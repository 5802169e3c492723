// Package proc runs one engine as a subprocess: its start, its pipes, its CPU
// clock, its memory, and its exit with everything it started.
//
// It knows bytes, not lines, and no protocol. It refuses to guess: Unenforced
// says what an operating system cannot do. It is complete on Linux. Elsewhere
// processes start, read, write and are killed, and nothing more is enforced.
package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"thera/arena/sandbox"
)

// Spec is what to start.
type Spec struct {
	Argv   []string // Argv[0] without a slash is looked up in PATH; relative to Dir otherwise
	Dir    string   // "" is the arena's working directory
	Env    []string // NAME=value, added to those of the arena that engines get
	CPUs   []int    // cores it may run on, set before its first instruction; nil = all
	Memory int64    // bytes of all processes of the engine together; 0 = no limit
	Plays  bool     // against another one, from which it must not take processor time

	Self bool // Argv is of this program, which runs on when its file is replaced

	Box *sandbox.Box // what it may touch; nil = everything
}

// Exit is how a process ended.
type Exit struct {
	Code   int    // exit code, when Signal is 0
	Signal int    // the signal that ended it
	Name   string // the signal's name, as in "SIGSEGV"
	Core   bool   // it dumped core
}

func (e Exit) String() string {
	switch {
	case e.Signal != 0 && e.Core:
		return fmt.Sprintf("signal %d (%s, core dumped)", e.Signal, e.Name)
	case e.Signal != 0:
		return fmt.Sprintf("signal %d (%s)", e.Signal, e.Name)
	}
	return fmt.Sprint(e.Code)
}

// Errors of Read and Write, besides io.EOF.
var (
	ErrDeadline = errors.New("deadline passed")
	ErrWoken    = errors.New("woken: the process ended, exceeded its memory, or Wake was called")
	ErrReadable = errors.New("output is waiting to be read")
	ErrClosed   = errors.New("the other end of the pipe is closed")
)

// StartError is a program that could not be started: it is missing or not
// executable, or the directory does not exist.
type StartError struct {
	Argv []string
	Dir  string
	Err  error
}

func (e *StartError) Error() string {
	if e.Dir != "" {
		return fmt.Sprintf("cannot start %q in %s: %v", e.Argv, e.Dir, e.Err)
	}
	return fmt.Sprintf("cannot start %q: %v", e.Argv, e.Err)
}

func (e *StartError) Unwrap() error { return e.Err }

// head is the beginning of a file, of which the kernel reads as much, and its first line.
func head(path string) (text, line []byte) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil
	}
	defer file.Close()
	text = make([]byte, 256)
	n, _ := io.ReadFull(file, text)
	line, _, _ = bytes.Cut(text[:n], []byte("\n"))
	return text[:n], line
}

// startable returns an error if there is no interpreter of the name in the first line of a script because
// the line ends in CR LF. The kernel would say nothing of it where env looks for the interpreter.
func startable(path string) error {
	_, line := head(path)
	text, script := strings.CutPrefix(string(line), "#!")
	words := strings.Fields(text)
	if n := len(words); script && strings.HasSuffix(text, "\r") && (n == 1 || n == 2 && filepath.Base(words[0]) == "env") {
		return fmt.Errorf("%w: %q: its first line, %q, ends in CR LF: write the file with LF", fs.ErrNotExist, words[n-1]+"\r", line)
	}
	return nil
}

// explained adds what is wrong with the first line of a script to the error of its start.
func explained(path string, err error) error {
	text, line := head(path)
	interpreter, script := bytes.CutPrefix(line, []byte("#!"))
	switch {
	case script && errors.Is(err, syscall.ENOENT):
		return fmt.Errorf("%w: its first line names %q", err, bytes.TrimSpace(interpreter))
	case len(text) > 0 && !script && errors.Is(err, syscall.ENOEXEC) && !bytes.Contains(text, []byte{0}):
		return fmt.Errorf("%w: it has no #! line: write one, or name the interpreter in command", err)
	}
	return err
}

// stderrTail is how much of an engine's last stderr output is kept.
const stderrTail = 64 << 10

// memoryEvery is the interval at which memory is sampled.
const memoryEvery = 50 * time.Millisecond
