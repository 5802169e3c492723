package search

import (
	"context"
	"slices"
	"testing"
)

// The deepest thread decides, and says so in a last report.
func TestDeepestThreadDecides(t *testing.T) {
	var reports []Result[int8]
	d := &deepening[int8]{main: &worker[int8]{}, report: func(r Result[int8]) { reports = append(reports, r) }}
	d.result = Result[int8]{Move: 1, Score: 5, Depth: 6, PV: []int8{1}}
	d.adopt([]finished[int8]{{}, {6, 9, []int8{2}}})
	if d.result.Move != 1 || len(reports) != 0 {
		t.Errorf("a helper that is no deeper decides: %+v, %d reports", d.result, len(reports))
	}
	d.adopt([]finished[int8]{{7, 9, []int8{2, 3}}, {8, -4, []int8{4, 5}}, {7, 1, []int8{6}}})
	if r := d.result; r.Move != 4 || r.Score != -4 || r.Depth != 8 || !slices.Equal(r.PV, []int8{4, 5}) {
		t.Errorf("result %+v, want that of the deepest helper", r)
	}
	if len(reports) != 1 || reports[0].Move != 4 {
		t.Errorf("reports %+v, want the result", reports)
	}
}

// A fixed depth is reached by all threads and exceeded by none.
func TestThreadsKeepTheDepth(t *testing.T) {
	e := New(func() Board[int8] { return &endless{} })
	for threads := 1; threads <= 4; threads++ {
		e.Options.Threads = threads
		got := e.Search(context.Background(), func(Board[int8]) {}, Limits{Depth: 5}, nil)
		if !got.Found || got.Depth != 5 {
			t.Errorf("%d threads: %+v", threads, got)
		}
	}
}
