package search

import (
	"context"
	"testing"
)

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
