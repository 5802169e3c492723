package protocol

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

const flat = "0000000000000000000000000"

// anyText takes all texts but x.
func anyText(text string) (string, error) {
	if text == "x" {
		return "", errors.New("not a text")
	}
	return text, nil
}

// A list as long as the arena takes, with many chains of actions to each state: what
// is kept are the distinct states, not the 64 MiB.
func TestLargeList(t *testing.T) {
	const size, distinct = 64 << 20, 30_000
	chain := strings.Repeat(`{"type":"build","value":"A5"},`, 8)
	var b strings.Builder
	b.Grow(size + 1000)
	b.WriteString(`{"type":"next_moves","start_state":"` + flat + `/1/newgod:B3,D3/mortal:C4,C2","next_states":[`)
	entries := 0
	for ; b.Len() < size; entries++ {
		if entries > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"next_state":"%s/2/newgod[%d]:B3,D3/mortal:C4,C2","actions":[%s{"type":"x"}]}`, flat, entries%distinct, chain)
	}
	b.WriteString("]}")
	line := []byte(b.String())
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	_, states, err := ReadList(line, anyText)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || len(states) != distinct || entries < 3*distinct {
		t.Fatalf("%d states of %d entries, %v", len(states), entries, err)
	}
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 16<<20 {
		t.Errorf("%d MiB are kept of %d states", kept>>20, len(states))
	}
	t.Logf("%d entries, %d MiB allocated meanwhile", entries, (after.TotalAlloc-before.TotalAlloc)>>20)
	runtime.KeepAlive(line)
}

func TestReadList(t *testing.T) {
	const entry = `{"actions":[{"type":"x","value":{"a":[1,"]"]}}],"next_state":"` + flat + `/2/newgod[%]:13,11/mortal:7,17"}`
	line := `{"type":"next_moves","start_state":"S","next_states":[` +
		strings.ReplaceAll(entry, "%", "2") + "," + strings.ReplaceAll(entry, "%", "1") + "," + strings.ReplaceAll(entry, "%", "2") + `],"more":{"x":null}}`
	start, states, err := ReadList([]byte(line), anyText)
	want := flat + "/2/newgod[1]:13,11/mortal:7,17 " + flat + "/2/newgod[2]:13,11/mortal:7,17"
	if err != nil || start != "S" || strings.Join(states, " ") != want {
		t.Errorf("%q, %q, %v", start, states, err)
	}
	for bad, text := range map[string]string{
		`pong`: "not a list", `{"type":"best_move"}`: "not a list",
		`{"type":"next_moves","next_states":[`:                              "EOF",
		`{"type":"next_moves","next_states":[{}]}`:                          "next_states[0]: no next_state",
		`{"type":"next_moves","next_states":[{"next_state":"x"}]}`:          "next_states[0]: not a text",
		`{"type":"next_moves","next_states":{}}`:                            "not an array",
		`{"type":"next_moves","next_states":[]} {}`:                         "more behind its end",
		`{"type":"next_moves","next_states":[{"next_state":{"a":"next"}}]}`: "next_states[0]",
	} {
		if _, _, err := ReadList([]byte(bad), anyText); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q", bad, err, text)
		}
	}
}

// FuzzReadList: no line panics, and what is read is sorted and distinct.
func FuzzReadList(f *testing.F) {
	f.Add([]byte(`{"type":"next_moves","start_state":"S","next_states":[{"next_state":"` + flat + `/2/newgod[2]:13,11/mortal#:7,17"}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		_, states, _ := ReadList(line, anyText)
		for i := range states {
			if i > 0 && states[i] <= states[i-1] {
				t.Fatalf("%q behind %q", states[i], states[i-1])
			}
		}
	})
}
