//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thera/engine/gametest"
)

// keys adds the paths of all keys in a JSON value to set; an action's path
// names its type.
func keys(set map[string]bool, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		if kind, ok := v["type"].(string); ok && path != "" {
			path += "(" + kind + ")"
		}
		for k, w := range v {
			set[path+"."+k] = true
			keys(set, path+"."+k, w)
		}
	case []any:
		for _, w := range v {
			keys(set, path, w)
		}
	}
}

// formOf is the sorted keys of a line, as one text.
func formOf(t *testing.T, line string) (form string, v map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		t.Fatalf("%v in %q", err, line)
	}
	set := map[string]bool{}
	keys(set, "", v)
	return strings.Join(slices.Sorted(maps.Keys(set)), " "), v
}

// The questions of the recorded sessions give lines of the recorded forms:
// the same keys, the same kinds of actions with the same keys, a recorded
// trigger, the position rewritten alike; and silence where there was silence.
// Questions about positions that are none are left out where the recorded
// engines answered: ours refuses them.
func TestRecordedForms(t *testing.T) {
	g := santorini(t)
	for _, protocol := range []string{"v1", "v2"} {
		t.Run(protocol, func(t *testing.T) {
			e := openRecorded(t, protocol)
			compared := map[string]int{}
			triggers := map[string]bool{}
			for _, part := range []string{"02", "03", "05", "06", "07"} {
				files, err := filepath.Glob("../../engine/santorini/testdata/transcripts/" + protocol + "_" + part + "_*.txt")
				if err != nil || len(files) != 1 {
					t.Fatalf("%v, %v", files, err)
				}
				transcript, err := gametest.ReadTranscript(files[0])
				if err != nil {
					t.Fatal(err)
				}
				entries := transcript.Entries
				for i, entry := range entries {
					if entry.Mark != gametest.Sent || entry.Text == "quit" || entry.Text == "stop" {
						continue
					}
					var recorded []string
					for _, later := range entries[i+1:] {
						if later.Mark == gametest.Sent && later.Text != "stop" && (later.Text != "ping" || !strings.HasPrefix(entry.Text, "set_")) {
							break
						}
						if later.Mark == gametest.Said && (later.Text != "pong" || !strings.HasPrefix(entry.Text, "set_")) {
							recorded = append(recorded, later.Text)
						}
					}
					words := strings.Fields(entry.Text)
					search := len(words) == 2 && words[0] == "set_position"
					if len(recorded) > 0 && len(words) == 2 {
						if _, err := g.Parse(words[1]); err != nil {
							continue
						}
					}
					ours := e.ask(entry.Text, search && len(recorded) > 0)
					switch {
					case len(recorded) == 0:
						compared["silence"]++
						if len(ours) > 0 {
							t.Errorf("%s: %q, recorded silence", entry.Text, ours[0])
						}
						continue
					case len(ours) == 0:
						t.Errorf("%s: silence, recorded %q", entry.Text, recorded[0])
						continue
					case !strings.HasPrefix(recorded[0], "{"):
						compared["word"]++
						if ours[0] != recorded[0] {
							t.Errorf("%s: %q, recorded %q", entry.Text, ours[0], recorded[0])
						}
						continue
					}
					compared[words[0]]++
					for _, line := range recorded {
						if _, v := formOf(t, line); v["trigger"] != nil {
							triggers[fmt.Sprint(v["trigger"])] = true
						}
					}
					want, theirs := formOf(t, recorded[len(recorded)-1])
					form, v := formOf(t, ours[len(ours)-1])
					if form != want {
						t.Errorf("%s:\n%s\nrecorded\n%s", entry.Text, form, want)
					}
					for _, key := range []string{"original_str", "start_state"} {
						if v[key] != theirs[key] {
							t.Errorf("%s: %s %v, recorded %v", entry.Text, key, v[key], theirs[key])
						}
					}
					for _, line := range ours {
						if _, v := formOf(t, line); v["trigger"] != nil && !triggers[fmt.Sprint(v["trigger"])] {
							t.Errorf("%s: trigger %v is in no recording so far (%v)", entry.Text, v["trigger"], triggers)
						}
					}
				}
			}
			for _, kind := range []string{"silence", "next_moves", "set_position", "word"} {
				if compared[kind] == 0 {
					t.Errorf("no %s was compared", kind)
				}
			}
			t.Log(compared, triggers)
		})
	}
}

// session is an engine of recorded manners in this process.
type session struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *bufio.Scanner
}

func openRecorded(t *testing.T, protocol string) *session {
	server, err := engineOf("santorini")
	if err != nil {
		t.Fatal(err)
	}
	toRead, in := io.Pipe()
	out, toWrite := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- serveRecorded(context.Background(), server, protocol, 0, toRead, toWrite, io.Discard)
		toWrite.Close()
	}()
	s := &session{t: t, in: in, lines: bufio.NewScanner(out)}
	s.lines.Buffer(nil, 16<<20)
	t.Cleanup(func() {
		s.send("quit")
		_, _ = io.Copy(io.Discard, out)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	if first := s.next(); first != `{"type":"started"}` {
		t.Fatalf("first line %q", first)
	}
	return s
}

func (s *session) send(line string) { _, _ = io.WriteString(s.in, line+"\n") }

func (s *session) next() string {
	s.t.Helper()
	if !s.lines.Scan() {
		s.t.Fatalf("end of output: %v", s.lines.Err())
	}
	return s.lines.Text()
}

// ask returns the answer to one question: of a search up to its last line, else
// all before the answer to a ping, which comes in turn.
func (s *session) ask(question string, search bool) (all []string) {
	s.send(question)
	for search {
		line := s.next()
		all = append(all, line)
		if len(all) == 1 {
			s.send("stop")
		}
		if _, v := formOf(s.t, line); v["trigger"] == "stop_flag" || v["trigger"] == "end_of_line" {
			return all
		}
	}
	if !strings.EqualFold(question, "ping") {
		s.send("ping")
	}
	for {
		line := s.next()
		switch {
		case line != "pong":
			all = append(all, line)
		case strings.EqualFold(question, "ping"):
			return []string{line}
		default:
			return all
		}
	}
}
