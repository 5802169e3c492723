package gametest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Mark is the kind of an entry of a transcript.
type Mark byte

// The marks of a transcript.
const (
	Sent   Mark = '>' // to the engine
	Said   Mark = '<' // on its stdout
	Noise  Mark = '!' // on its stderr
	Remark Mark = '#'
)

// Entry is one line of a transcript.
type Entry struct {
	Mark Mark
	Text string
}

// Transcript is a recorded session of a real engine.
type Transcript struct {
	Entries []Entry
	Exit    *int // exit status or minus the signal, where recorded
}

var (
	entryForm = regexp.MustCompile(`^\s*(?:\d+(?:\.\d+)?)?\s*([<>!#])(?: (.*))?$`)
	exitForm  = regexp.MustCompile(`exit (?:code|status)[^:]*?(?:: | )(-?\d+)\s*$`)
)

// ReadTranscript reads a transcript, lines of time, mark and text. A file whose
// name ends in .gz is unzipped.
func ReadTranscript(path string) (*Transcript, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".gz") {
		zip, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if raw, err = io.ReadAll(zip); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	t := &Transcript{}
	scan := bufio.NewScanner(bytes.NewReader(raw))
	scan.Buffer(nil, 64<<20)
	for n := 1; scan.Scan(); n++ {
		text := scan.Text()
		if strings.TrimSpace(text) == "" {
			continue
		}
		m := entryForm.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%s:%d: no mark in %q", path, n, text)
		}
		e := Entry{Mark: Mark(m[1][0]), Text: m[2]}
		if e.Mark == Remark {
			if m := exitForm.FindStringSubmatch(e.Text); m != nil {
				status, err := strconv.Atoi(m[1])
				if err != nil {
					return nil, fmt.Errorf("%s:%d: %w", path, n, err)
				}
				t.Exit = &status
			}
		}
		t.Entries = append(t.Entries, e)
	}
	return t, scan.Err()
}

// Sends are the lines that were sent, in order.
func (t *Transcript) Sends() []string {
	var sends []string
	for _, e := range t.Entries {
		if e.Mark == Sent {
			sends = append(sends, e.Text)
		}
	}
	return sends
}
