//go:build unix

// Package faultkit supports tests of the arena. It has a filter that turns a
// healthy engine into one with any known fault.
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
	"time"

	"thera/arena/sandbox"
	"thera/engine/gametest/nim"
)

// Env is the environment variable that turns a test binary into an engine:
// "FAULT" or "FAULT:N", where N is the question at which the fault occurs,
// from 1.
const Env = "THERA_FAULT"

// Kit is a healthy engine and what the faults must know about its protocol.
type Kit struct {
	Serve    func(ctx context.Context, args []string, in io.Reader, out, err io.Writer) error
	Question func(line []byte) bool                    // asks for a move
	Answer   func(line []byte) bool                    // is an answer to it
	Illegal  func(line []byte) []byte                  // an answer made illegal
	Args     []string                                  // arguments of Serve
	Extra    map[string]func(e *Engine, answer []byte) // further faults of this protocol
}

// ForNim is the kit of the game of package nim.
func ForNim() Kit {
	return Kit{
		Serve:    nim.New().Serve,
		Question: func(line []byte) bool { return bytes.HasPrefix(line, []byte("go ")) },
		Answer:   func(line []byte) bool { return bytes.HasPrefix(line, []byte("move ")) },
		Illegal: func(line []byte) []byte {
			words := strings.Fields(string(line))
			return []byte("move " + words[1] + " 7")
		},
		Extra: map[string]func(e *Engine, answer []byte){"gamble": gamble, "voiding": voiding},
	}
}

// ProgramVar is the environment variable of a test that names the program of engines
// with faults, in place of this test.
const ProgramVar = "THERA_TEST_PROGRAM"

// Command is a plan's entry for an engine with a fault: this test binary, or the
// program that ProgramVar names.
func Command(fault string) (argv, env []string) {
	program, err := os.Getenv(ProgramVar), error(nil)
	if program == "" {
		program, err = os.Executable()
	}
	if err != nil {
		program = os.Args[0]
	}
	return []string{program}, []string{Env + "=" + fault}
}

// Main is the start of a TestMain. It runs the engine if the environment asks
// for one. Otherwise ours is false.
func Main(kit Kit) (code int, ours bool) {
	sandbox.Main()
	fault, ours := os.LookupEnv(Env)
	if !ours {
		return 0, false
	}
	os.Unsetenv(Env)
	return Run(kit, fault), true
}

// Run runs the engine with a fault, "NAME" or "NAME:N", and returns the exit
// status.
func Run(kit Kit, fault string) int {
	if play(fault) {
		return 0
	}
	name, at, _ := strings.Cut(fault, ":")
	e := &Engine{kit: kit, fault: name, at: 1, out: os.Stdout}
	if n, err := strconv.Atoi(at); err == nil {
		e.at = n
	}
	if name == "random" {
		e.fault, e.at = anyFault(), 1+rand.IntN(8)
	}
	return e.run()
}

// Faults returns the names of all faults, sorted.
func Faults() []string {
	names := []string{"none", "random", "illegal", "score=N", "sleep=MS", "work=MS", "noquit", "unstopped", "noeof"}
	for _, table := range faults {
		names = slices.AppendSeq(names, maps.Keys(table))
	}
	if attacks := Attacks(); len(attacks) > 0 {
		names = append(names, attackWord+"="+strings.Join(attacks, ","))
	}
	slices.Sort(names)
	return names
}

// anyFault picks a random fault, and none one time in four.
func anyFault() string {
	if rand.IntN(4) == 0 {
		return "none"
	}
	names := slices.AppendSeq([]string{"illegal", "startexit", "silent", "deaf", "fragile", "early"}, maps.Keys(faults[atAnswer]))
	return names[rand.IntN(len(names))]
}

// Engine is a healthy engine behind a filter that inserts faults.
type Engine struct {
	kit      Kit
	fault    string
	at       int // the question at which the fault occurs
	asked    int
	question string // the last one
	held     string // an answer that is held back
	tried    int    // how many attacks
	out      *os.File
	toIn     *io.PipeWriter
}

// Say writes text unchanged.
func (e *Engine) Say(text string) { _, _ = e.out.WriteString(text) }

func (e *Engine) run() int {
	if !e.known() {
		fmt.Fprintf(os.Stderr, "unknown fault %q\n", e.fault)
		return 2
	}
	e.does(atStart, nil)
	if e.fault == "none" {
		if err := e.kit.Serve(context.Background(), e.kit.Args, os.Stdin, os.Stdout, os.Stderr); err != nil {
			return 1
		}
		return 0
	}
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	e.toIn = inW
	done := make(chan error, 1)
	go func() {
		err := e.kit.Serve(context.Background(), e.kit.Args, inR, outW, os.Stderr)
		outW.Close()
		done <- err
	}()
	go e.feed()
	e.filter(outR)
	if err := <-done; err != nil {
		return 1
	}
	return 0
}

func (e *Engine) known() bool {
	word, _, valued := strings.Cut(e.fault, "=")
	known := func(name string) bool {
		listed, _, value := strings.Cut(name, "=")
		return listed == word && value == valued
	}
	return e.kit.Extra[e.fault] != nil || slices.ContainsFunc(Faults(), known)
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
		if e.kit.Question(scan.Bytes()) {
			e.asked++
			e.question = scan.Text()
			if e.asked == e.at {
				e.does(atQuestion, scan.Bytes())
			}
		}
		switch e.fault + " " + scan.Text() {
		case "noquit quit":
			continue
		case "unstopped stop": // so late that no busy machine is an excuse
			time.Sleep(2 * time.Second)
		}
		if _, err := e.toIn.Write(append(scan.Bytes(), '\n')); err != nil {
			return
		}
	}
	if e.fault == "noeof" {
		forever()
	}
	e.toIn.Close()
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
		if e.kit.Answer(line) {
			if answers++; answers >= e.at {
				if e.change(line) {
					continue
				}
			}
		}
		e.Say(string(line) + "\n")
	}
}

func (e *Engine) change(line []byte) bool {
	word, value, _ := strings.Cut(e.fault, "=")
	n, _ := strconv.Atoi(value)
	switch {
	case word == "score": // adds a score of the position
		e.Say(string(line) + " score " + value + "\n")
	case word == "sleep": // waits this many milliseconds, without CPU
		time.Sleep(time.Duration(n) * time.Millisecond)
		e.Say(string(line) + "\n")
	case word == "work": // works this many milliseconds, with CPU
		think(time.Duration(n) * time.Millisecond)
		e.Say(string(line) + "\n")
	case word == attackWord: // tries something that it must not, one thing at each question
		e.attack(strings.Split(value, ","))
		e.Say(string(line) + "\n")
	case e.fault == "illegal":
		e.Say(string(e.kit.Illegal(line)) + "\n")
	case e.kit.Extra[e.fault] != nil:
		e.kit.Extra[e.fault](e, line)
	default:
		return e.does(atAnswer, line) || e.does(withProcesses, line)
	}
	return true
}
