package protocol

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// No input makes the engine panic, hang or end with an error, and it answers
// every isready.
func FuzzServer(f *testing.F) {
	f.Add(strings.Join(smallGame("rat"), "\n") + "\nstartpreprocessing\nmoves rat:STAY python:STAY\ngo\nstop\ngameover\nstartpostprocessing\n")
	f.Add("recover\nmaze height:3 width:4\ncheese (1,2)\nmoves_history UP\ncurrent_position rat:(2,2) python:(1,0)\nscore rat:1 python:0.5\ngo\n")
	f.Add("debug on\nsetoption name Playouts value 3\nsetoption name Strategy value Search\ngo\ntimeout move:STAY\nready?\n")
	f.Fuzz(func(t *testing.T, text string) {
		in := "setoption name Strategy value Greedy\n" + text + "\nisready\n"
		asked := 0
		for _, line := range strings.FieldsFunc(in, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if w := strings.Fields(line); len(w) > 0 && w[0] == "isready" {
				asked++
			}
		}
		var out bytes.Buffer
		if err := (Player{}).Serve(context.Background(), nil, strings.NewReader(in), &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		ready := 0
		for line := range strings.Lines(out.String()) {
			if line == "readyok\n" {
				ready++
			}
		}
		if ready != asked {
			t.Errorf("%d isready, %d readyok: %q", asked, ready, out.String())
		}
	})
}
