package gametest

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Verdict is a row of testdata/transcripts.tsv: the referee's verdict on a
// recorded session.
type Verdict struct {
	File     string
	Verdict  string // ok, fault, refused, or another word of the game
	Reason   string
	Moves    int // moves accepted
	Passed   int // lines passed over
	Warnings int
}

const verdictHeader = "file\tverdict\treason\tmoves\tpassed\twarnings"

func (v Verdict) row() string {
	return fmt.Sprintf("%s\t%s\t%s\t%d\t%d\t%d", v.File, v.Verdict, v.Reason, v.Moves, v.Passed, v.Warnings)
}

// Transcripts replays every recorded session in dir and compares the verdicts
// with transcripts.tsv in dir's parent, which has one row a file. With
// THERA_UPDATE=1 it writes the table; read it before you commit it.
func Transcripts(t *testing.T, dir string, replay func(t *testing.T, path string) Verdict) {
	t.Helper()
	table := filepath.Join(filepath.Dir(dir), "transcripts.tsv")
	files, err := filepath.Glob(filepath.Join(dir, "*.txt*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded sessions in %s (%v)", dir, err)
	}
	slices.Sort(files)
	var rows []string
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			v := replay(t, path)
			v.File = filepath.Base(path)
			v.Reason = strings.Map(oneLine, v.Reason)
			rows = append(rows, v.row())
		})
	}
	if Update(t) {
		text := verdictHeader + "\n" + strings.Join(rows, "\n") + "\n"
		if err := os.WriteFile(table, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := readRows(table)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("%s and the sessions differ (-table +replayed):\n%s", table, diff)
	}
}

func oneLine(r rune) rune {
	if r == '\t' || r == '\n' {
		return ' '
	}
	return r
}

func readRows(path string) ([]string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: write it with THERA_UPDATE=1 and read it", err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var rows []string
	scan := bufio.NewScanner(f)
	for n := 1; scan.Scan(); n++ {
		switch {
		case n == 1 && scan.Text() != verdictHeader:
			return nil, fmt.Errorf("%s:1: want the header %q", path, verdictHeader)
		case n > 1:
			rows = append(rows, scan.Text())
		}
	}
	return rows, scan.Err()
}
