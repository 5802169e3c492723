package protocol

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"thera/engine/santorini/internal/santorinitest"
)

// FuzzServer checks that the built-in engine answers any input with whole lines of
// JSON and pongs, and still answers a ping at the end.
func FuzzServer(f *testing.F) {
	for _, s := range []string{
		"ping", "stop\nstop", "set_position " + santorinitest.StartText, "set_position " + santorinitest.StartText + " depth 1 final", "next_moves " + winIn1,
		"set_option hash 1", "set_option skill 3\nset_option x", "new_game\r\nquit", "next_moves \x00\nfoo \"\\",
		"set_position " + santorinitest.StartText + " nodes 10 movetime 0.001",
		"next_moves 0000000000000000000000000/1/mortal/bia", "set_position a b c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, input string) {
		if strings.Contains(input, "threads") || strings.Contains(input, "hash") && len(input) > 40 {
			return // threads and gigabytes are not what is tested here
		}
		var out bytes.Buffer
		quits := false
		for _, line := range strings.Split(input, "\n") {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "quit" {
				quits = true
			}
		}
		if err := serveEngine(t.Context(), nil, strings.NewReader(input+"\nping\n"), &out, &out); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		for _, line := range lines {
			if line != "pong" && !json.Valid([]byte(line)) {
				t.Fatalf("%q makes it say %q", input, line)
			}
		}
		if !quits && !strings.Contains(out.String(), "pong") {
			t.Fatalf("%q silences it", input)
		}
	})
}
