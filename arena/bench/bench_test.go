package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// recorded is a conversation with two engines, in the order of the trace.
func recorded() []message {
	var all []message
	for _, line := range []string{
		"a<hello", "b<hello", "a>new", "a>ping", "a<pong", "b>new", "b>ping", "b<pong",
		"a>go 1", "a<info", "a<move x", "b>go 2", "b<move y", "a>go 1", "a<move z", "a>quit", "b>quit",
	} {
		all = append(all, message{line[:1], line[1], line[2:]})
	}
	return all
}

func TestScriptOf(t *testing.T) {
	s := scriptOf(recorded(), [2][]string{{"black"}, {"white"}})
	want := &script{
		{[]string{"black"}, []string{"hello"}, []turn{
			{"new", ""}, {"ping", "pong\n"}, {"go 1", "info\nmove x\n"}, {"go 1", "move z\n"}, {"quit", ""},
		}},
		{[]string{"white"}, []string{"hello"}, []turn{{"new", ""}, {"ping", "pong\n"}, {"go 2", "move y\n"}, {"quit", ""}}},
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
}

// Both engines are asked before either answer is read, in any order of the
// trace.
func TestSimultaneously(t *testing.T) {
	all := recorded()
	slices.SortStableFunc(all, func(x, y message) int { return strings.Compare(x.engine, y.engine) })
	var text []string
	for _, e := range simultaneously(all) {
		text = append(text, fmt.Sprintf("%d%s%d", e.engine, strings.ReplaceAll(string(e.question), "\n", ";"), e.together))
	}
	if diff := cmp.Diff([]string{"02", "10", "0new;ping;2", "1new;ping;0", "0go 1;2", "1go 2;0", "0go 1;1"}, text); diff != "" {
		t.Error(diff)
	}
}

func TestTurnsOf(t *testing.T) {
	var text []string
	moves := 0
	for _, e := range turnsOf(recorded()) {
		text = append(text, strings.ReplaceAll(string(e.question), "\n", ";")+strings.Repeat("<", e.answers))
		if e.move {
			moves++
		}
	}
	want := []string{"<", "<", "new;ping;<", "new;ping;<", "go 1;<<", "go 2;<", "go 1;<"}
	if diff := cmp.Diff(want, text); diff != "" || moves != 3 {
		t.Errorf("%d moves\n%s", moves, diff)
	}
}

func TestInstantEngine(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "script.json")
	text, err := json.Marshal(scriptOf(recorded(), [2][]string{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	in := strings.NewReader("new\nping\ngo 1\ngo 2\ngo 1\ngo 1\nquit\ngo 2\n")
	if err := serveScript(path, folder, nil, in, &out); err != nil {
		t.Fatal(err)
	}
	if want := "hello\npong\ninfo\nmove x\nmove y\ninfo\nmove x\nmove z\n"; out.String() != want {
		t.Errorf("answered %q, want %q", out.String(), want)
	}
	files, err := filepath.Glob(filepath.Join(folder, "[0-9]*.json"))
	if err != nil || len(files) != 1 {
		t.Fatalf("stamps %q, %v", files, err)
	}
	var stamps []int64
	if text, err = os.ReadFile(files[0]); err == nil {
		err = json.Unmarshal(text, &stamps)
	}
	if err != nil || len(stamps) != 10 || time.Since(time.Unix(0, stamps[9])) > time.Minute {
		t.Errorf("stamps %v, %v: want a pair for each of five answers", stamps, err)
	}
}
