package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/gametest"
)

// exported returns a run of three games as a file, and its games.
func exported(t *testing.T) (file string, games []*arena.Game) {
	t.Helper()
	var b bytes.Buffer
	e, err := NewExporter(&b, ExportHead{RunInfo: arena.RunInfo{Name: "trial", Game: "pebbles", State: "finished"}, Engines: []arena.EngineSpec{{Name: "a"}, {Name: "b"}}})
	gametest.OK(t, err)
	for i := range 3 {
		rec := &arena.Game{
			Job:    arena.Job{ID: fmt.Sprint("id", i), Pairing: [2]string{"a", "b"}, Round: 1, Pair: i / 2, Leg: i % 2, Index: i},
			Status: arena.StatusCounted, Start: "start <1>", Moves: []string{"x", "y"}, Outcome: game.Outcome{Winner: 1, Reason: "won"}, Source: arena.Natural, Started: time.UnixMilli(0).UTC(),
		}
		games = append(games, rec)
		gametest.OK(t, e.Game(rec))
	}
	gametest.OK(t, e.Close(0))
	return b.String(), games
}

func readAll(file string) (games []*arena.Game, end *ExportEnd, err error) {
	end, err = ReadExport("x.jsonl", strings.NewReader(file), 1<<20, func(ExportHead) error { return nil }, func(rec *arena.Game) error {
		games = append(games, rec)
		return nil
	})
	return games, end, err
}

func TestExportsComeBack(t *testing.T) {
	file, want := exported(t)
	for name, file := range map[string]string{
		"as written": file, "line ends of another system": strings.ReplaceAll(file, "\n", "\r\n"), "an empty line at the end": file + "\n",
	} {
		got, end, err := readAll(file)
		if err != nil || end == nil || end.Games != 3 {
			t.Errorf("%s: %+v %v", name, end, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCutAndChangedExportsAreRefused(t *testing.T) {
	file, _ := exported(t)
	lines := strings.SplitAfter(strings.TrimSuffix(file, "\n"), "\n")
	if len(lines) != 5 {
		t.Fatalf("%d lines", len(lines))
	}
	for n := range len(lines) {
		cut := strings.Join(lines[:n], "")
		if _, _, err := readAll(cut); err == nil || n > 0 && !strings.Contains(err.Error(), fmt.Sprintf("x.jsonl:%d: the file ends after %d games, without its closing line: it is truncated", n, n-1)) {
			t.Errorf("%d lines: err = %v", n, err)
		}
	}
	for n := 1; n < len(file)-1; n++ {
		if _, _, err := readAll(file[:n]); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(file))
		}
	}
	for want, file := range map[string]string{
		"x.jsonl:4: the closing line counts 3 games, the file has 2":  lines[0] + lines[1] + lines[2] + lines[4],
		"x.jsonl:5: the lines were changed":                           strings.Replace(file, `"won"`, `"ran"`, 1),
		"x.jsonl:6: a line after the closing line":                    file + lines[2],
		"x.jsonl:1: version 3 of exported runs, this program reads 2": strings.Replace(file, `"thera":2`, `"thera":3`, 1),
		"x.jsonl:2: not a game":                                       lines[0] + "{]\n" + lines[4],
		"x.jsonl:2: no id":                                            lines[0] + "{}\n" + lines[4],
		"x.jsonl: empty, want the output of thera export":             "",
		"x.jsonl:2: bufio.Scanner: token too long":                    lines[0] + strings.Repeat("x", 2<<20),
	} {
		if _, _, err := readAll(file); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("err = %v, want %s", err, want)
		}
	}
}
