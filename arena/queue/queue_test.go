package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestLocal(t *testing.T) {
	conformance(t, func() Queue { return NewLocal() })
}

// conformance is what every queue must do.
func conformance(t *testing.T, open func() Queue) {
	ctx := context.Background()
	take := func(t *testing.T, q Queue) int {
		t.Helper()
		l, err := q.Take(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return l.Place
	}
	fill := func(t *testing.T, places ...int) Queue {
		t.Helper()
		q := open()
		for _, p := range places {
			if err := q.Offer(ctx, Lease{Place: p}); err != nil {
				t.Fatal(err)
			}
		}
		return q
	}
	t.Run("in order", func(t *testing.T) {
		q := fill(t, 3, 1, 2)
		if got := []int{take(t, q), take(t, q), take(t, q)}; !cmp.Equal(got, []int{3, 1, 2}) {
			t.Errorf("taken %v", got)
		}
	})
	t.Run("returned comes first", func(t *testing.T) {
		q := fill(t, 0, 1)
		l, err := q.Take(ctx)
		if err != nil {
			t.Fatal(err)
		}
		q.Return(l)
		q.Return(l) // a second time changes nothing
		if got := []int{take(t, q), take(t, q)}; !cmp.Equal(got, []int{0, 1}) {
			t.Errorf("taken %v", got)
		}
		q.Done(0)
		q.Return(Lease{Place: 0}) // acknowledged: too late
		q.Close()
		if l, err := q.Take(ctx); !errors.Is(err, ErrClosed) {
			t.Errorf("left %v, %v", l, err)
		}
	})
	t.Run("closed", func(t *testing.T) {
		q := fill(t, 5)
		q.Close()
		q.Close()
		if got := take(t, q); got != 5 {
			t.Errorf("taken %d after the end, want what was left", got)
		}
		if _, err := q.Take(ctx); !errors.Is(err, ErrClosed) {
			t.Errorf("err = %v", err)
		}
		if err := q.Offer(ctx, Lease{}); !errors.Is(err, ErrClosed) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		q := open()
		time.AfterFunc(time.Millisecond, cancel)
		if _, err := q.Take(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("withdrawn", func(t *testing.T) {
		q := fill(t, 1, 2)
		take(t, q)
		q.Withdraw()
		q.Close()
		if l, err := q.Take(ctx); !errors.Is(err, ErrClosed) {
			t.Errorf("still there: %v, %v", l, err)
		}
	})
	t.Run("each taken once", func(t *testing.T) {
		q := open()
		const n, takers = 500, 4
		counts := make([]int, n)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range takers {
			wg.Go(func() {
				for {
					l, err := q.Take(ctx)
					if err != nil {
						return
					}
					mu.Lock()
					counts[l.Place]++
					mu.Unlock()
					q.Done(l.Place)
				}
			})
		}
		for i := range n {
			if err := q.Offer(ctx, Lease{Place: i}); err != nil {
				t.Fatal(err)
			}
		}
		q.Close()
		wg.Wait()
		for i, c := range counts {
			if c != 1 {
				t.Fatalf("lease %d was taken %d times", i, c)
			}
		}
	})
}
