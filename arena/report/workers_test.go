package report

import (
	"bytes"
	"strings"
	"testing"

	"thera/arena"
	"thera/engine/gametest"
)

// The table of workers, in CSV and as text; what they call themselves is no formula.
func TestWorkers(t *testing.T) {
	r := New(&arena.Summary{Workers: []arena.WorkerRow{
		{Games: 192, Moves: 3648},
		{Worker: "=1+1", Refused: 1},
		{Worker: "lab1", Games: 8, Voided: 1, Excluded: 1, Audited: 3, Differ: 2, Undecided: 1, Expelled: true},
	}})
	table, err := r.Table(WorkerTable)
	gametest.OK(t, err)
	var text bytes.Buffer
	for _, form := range []Format{CSV, Terminal} {
		gametest.OK(t, table.Write(&text, form))
	}
	for _, want := range []string{
		"\n,192,3648,", "\n'=1+1,0,0,,0,0,1,0,0,0,0,\n", "\nlab1,8,0,,0,1,0,1,3,2,1,expelled\n", "this machine",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is missing in\n%s", want, &text)
		}
	}
}
