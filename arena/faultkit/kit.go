//go:build unix

// Package faultkit supports tests of the arena. It has a filter that turns the
// healthy engine of package nim into one with any known fault.
//
// It is for tests only.
package faultkit

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"thera/arena/sandbox"
	"thera/engine/gametest/nim"
)

// Env is the environment variable that turns a test binary into an engine:
// "FAULT" or "FAULT:N", where N is the question at which the fault occurs,
// from 1.
const Env = "THERA_FAULT"

// ProgramVar is the environment variable of a test that names the program of engines
// with faults, in place of this test.
const ProgramVar = "THERA_TEST_PROGRAM"

// Command is a plan's entry for an engine with a fault: this test binary, or the
// program that ProgramVar names.
func Command(fault string) (argv, env []string) {
	program := os.Getenv(ProgramVar)
	if program == "" {
		program, _ = os.Executable()
	}
	return []string{program}, []string{Env + "=" + fault}
}

// Main is the start of a TestMain. It runs the engine if the environment asks
// for one. Otherwise ours is false.
func Main() (code int, ours bool) {
	sandbox.Main()
	fault, ours := os.LookupEnv(Env)
	if !ours {
		return 0, false
	}
	os.Unsetenv(Env)
	return run(fault), true
}

// anyFault picks a random fault, and none one time in four.
func anyFault() string {
	if rand.IntN(4) == 0 {
		return "none"
	}
	names := slices.AppendSeq([]string{"startexit", "silent", "deaf", "fragile", "early"}, maps.Keys(faults[atAnswer]))
	return names[rand.IntN(len(names))]
}

// Engine is the healthy engine of package nim behind a filter that inserts faults.
type Engine struct {
	fault    string
	value    string // of a fault that has one
	at       int    // the question at which the fault occurs
	asked    int
	question string // the last one
	held     string // an answer that is held back
	tried    int    // how many attacks
	out      *os.File
	toIn     *io.PipeWriter
}

// Say writes text unchanged.
func (e *Engine) Say(text string) { _, _ = e.out.WriteString(text) }

// answer passes an answer on.
func (e *Engine) answer(a []byte) { e.Say(string(a) + "\n") }

// run runs the engine with a fault and returns the exit status.
func run(fault string) int {
	if play(fault) {
		return 0
	}
	fault, at, _ := strings.Cut(fault, ":")
	e := &Engine{at: 1, out: os.Stdout}
	e.fault, e.value, _ = strings.Cut(fault, "=")
	if n, err := strconv.Atoi(at); err == nil {
		e.at = n
	}
	if e.fault == "random" {
		e.fault, e.at = anyFault(), 1+rand.IntN(8)
	}
	var failed error
	serve := func(in io.Reader, out io.Writer) {
		failed = nim.New().Serve(context.Background(), nil, in, out, os.Stderr)
	}
	known := func(table map[string]func(*Engine, []byte)) bool { return table[e.fault] != nil }
	switch {
	case e.fault == "none":
		serve(os.Stdin, os.Stdout)
	case !slices.ContainsFunc(faults[:], known):
		failed = fmt.Errorf("unknown fault %q", fault)
	default:
		e.does(atStart, nil)
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		e.toIn = inW
		done := make(chan struct{})
		go func() {
			serve(inR, outW)
			outW.Close()
			close(done)
		}()
		go e.feed()
		e.filter(outR)
		<-done
	}
	if failed != nil {
		fmt.Fprintln(os.Stderr, failed)
		return 1
	}
	return 0
}

// does does what the fault is at a moment, and reports whether it is anything.
func (e *Engine) does(at moment, line []byte) bool {
	do := faults[at][e.fault]
	if do != nil {
		do(e, line)
	}
	return do != nil
}

// feed passes the arena's lines to the engine and counts the questions.
func (e *Engine) feed() {
	scan := bufio.NewScanner(os.Stdin)
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		if bytes.HasPrefix(scan.Bytes(), []byte("go ")) {
			e.asked++
			e.question = scan.Text()
			if e.asked == e.at {
				e.does(atQuestion, scan.Bytes())
			}
		}
		if e.does(atInput, scan.Bytes()) {
			continue
		}
		if e.pass(scan.Bytes()) != nil {
			return
		}
	}
	e.does(atEnd, nil)
	e.toIn.Close()
}

// pass passes a line to the engine.
func (e *Engine) pass(line []byte) error {
	_, err := e.toIn.Write(append(line, '\n'))
	return err
}

// filter passes the engine's lines to the arena and changes the answers.
func (e *Engine) filter(from io.Reader) {
	scan := bufio.NewScanner(from)
	scan.Buffer(nil, 64<<20)
	answers := 0
	for scan.Scan() {
		line := scan.Bytes()
		if e.does(atOutput, line) {
			continue
		}
		if bytes.HasPrefix(line, []byte("move ")) {
			if answers++; answers >= e.at && (e.does(atAnswer, line) || e.does(besides, line)) {
				continue
			}
		}
		e.answer(line)
	}
}
