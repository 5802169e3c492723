// Package queuetest is what every queue must do. It is for tests only, and knows no
// queue.
package queuetest

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thera/arena"
	"thera/arena/queue"
)

// Bench is a fresh queue under test.
type Bench struct {
	Queue queue.Queue
	// Taker is one more taker, as far from the queue as takers can be, and what
	// happens when its process disappears with a lease.
	Taker func() (source queue.Source, die func(queue.Taken))
}

// Conformance runs all tests, each on a fresh queue.
// hasty asks for a queue that gives leases up early, where takers disappear.
func Conformance(t *testing.T, open func(t *testing.T, hasty bool) Bench) {
	for _, tt := range []struct {
		name  string
		test  func(t *testing.T, b Bench)
		hasty bool
	}{
		{name: "whole", test: whole},
		{name: "in order", test: inOrder},
		{name: "returned", test: returned},
		{name: "lost", test: lost, hasty: true},
		{name: "doubled", test: doubled},
		{name: "late", test: late, hasty: true},
		{name: "acknowledged without games", test: acknowledged},
		{name: "withdrawn", test: withdrawn},
		{name: "closed", test: closed},
		{name: "closed while waiting", test: closedWhileWaiting},
		{name: "cancelled", test: cancelled},
		{name: "each taken once", test: once},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open(t, tt.hasty)) })
	}
}

func offer(t *testing.T, b Bench, leases ...queue.Lease) {
	t.Helper()
	for _, l := range leases {
		if err := b.Queue.Offer(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
}

// lease is the lease of a place; its identities differ from those of others.
func lease(place int) queue.Lease {
	id := string(rune('a'+place%26)) + string(rune('a'+place/26))
	return queue.Lease{Place: place, Jobs: []arena.Job{{ID: id, Pairing: [2]string{"a", "b"}, Pair: place}}, Pair: []string{id}}
}

func take(t *testing.T, s queue.Source) queue.Taken {
	t.Helper()
	l, err := s.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// over wants that nothing is left.
func over(t *testing.T, b Bench) {
	t.Helper()
	b.Queue.Close()
	if l, err := b.Queue.Take(t.Context()); !errors.Is(err, queue.ErrClosed) {
		t.Errorf("left: %v, %v", l, err)
	}
}

func held(t *testing.T, b Bench) map[int]bool {
	t.Helper()
	places, err := b.Queue.Held(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return places
}

func whole(t *testing.T, b Bench) {
	want := queue.Lease{
		Place: 7, Attempt: 2, Pair: []string{"x", "y"},
		Jobs: []arena.Job{{ID: "y", Pairing: [2]string{"a", "b"}, Round: 3, Pair: 2, Leg: 1, Index: 15, Start: 4, Seed: 1<<63 + 1, Opening: "21 1"}},
	}
	offer(t, b, want)
	source, _ := b.Taker()
	if diff := cmp.Diff(want, take(t, source).Lease()); diff != "" {
		t.Error(diff)
	}
}

func inOrder(t *testing.T, b Bench) {
	offer(t, b, lease(3), lease(1), lease(2))
	source, _ := b.Taker()
	for _, want := range []int{3, 1, 2} {
		if got := take(t, source).Lease().Place; got != want {
			t.Errorf("taken %d, want %d", got, want)
		}
	}
}

func returned(t *testing.T, b Bench) {
	offer(t, b, lease(0), lease(1))
	source, _ := b.Taker()
	take(t, source).Return()
	seen := map[int]bool{}
	for range 2 { // in any order: what is given back travels
		l := take(t, source)
		seen[l.Lease().Place] = true
		l.Done()
	}
	if !seen[0] || !seen[1] {
		t.Errorf("taken %v", seen)
	}
	over(t, b)
}

// A taker that disappears loses its lease to another one.
func lost(t *testing.T, b Bench) {
	offer(t, b, lease(4))
	first, die := b.Taker()
	die(take(t, first))
	if places := held(t, b); !places[4] {
		t.Errorf("a lost lease is not held: %v", places)
	}
	second, _ := b.Taker()
	l := take(t, second)
	if l.Lease().Place != 4 {
		t.Errorf("taken %d", l.Lease().Place)
	}
	l.Done()
	over(t, b)
}

// A place that was offered twice, because the runner missed it, is there twice, and
// acknowledged one by one.
func doubled(t *testing.T, b Bench) {
	again := lease(4)
	again.Attempt = 1
	offer(t, b, lease(4), again)
	source, _ := b.Taker()
	first := take(t, source)
	second := take(t, source)
	if first.Lease().Attempt != 0 || second.Lease().Attempt != 1 {
		t.Errorf("attempts %d and %d", first.Lease().Attempt, second.Lease().Attempt)
	}
	second.Done()
	first.Done()
	over(t, b)
}

// An acknowledgement that comes after the lease was lost and taken again is none
// too many: the games are stored.
func late(t *testing.T, b Bench) {
	offer(t, b, lease(4))
	first, die := b.Taker()
	gone := take(t, first)
	die(gone)
	second, _ := b.Taker()
	l := take(t, second)
	gone.Done()
	l.Done()
	over(t, b)
}

// A lease that was acknowledged is not held: the runner, which has no games of it,
// offers it again.
func acknowledged(t *testing.T, b Bench) {
	offer(t, b, lease(1), lease(2), lease(3))
	source, _ := b.Taker()
	one := take(t, source)
	take(t, source)
	one.Done()
	for held(t, b)[1] { // an acknowledgement travels
	}
	if diff := cmp.Diff(map[int]bool{2: true, 3: true}, held(t, b)); diff != "" {
		t.Error(diff)
	}
	again := lease(1)
	again.Attempt = 1
	offer(t, b, again)
	if places := held(t, b); !places[1] {
		t.Errorf("offered again, and not held: %v", places)
	}
	if got := []int{take(t, source).Lease().Place, take(t, source).Lease().Place}; !cmp.Equal(got, []int{3, 1}) {
		t.Errorf("taken %v", got)
	}
}

func withdrawn(t *testing.T, b Bench) {
	offer(t, b, lease(1), lease(2), lease(3))
	source, _ := b.Taker()
	taken := take(t, source)
	b.Queue.Withdraw()
	taken.Done()
	over(t, b)
	if places := held(t, b); places[2] || places[3] {
		t.Errorf("held: %v", places)
	}
}

func closed(t *testing.T, b Bench) {
	offer(t, b, lease(5))
	b.Queue.Close()
	b.Queue.Close()
	if got := take(t, b.Queue).Lease().Place; got != 5 {
		t.Errorf("taken %d after the end, want what was left", got)
	}
	if _, err := b.Queue.Take(t.Context()); !errors.Is(err, queue.ErrClosed) {
		t.Errorf("err = %v", err)
	}
	if err := b.Queue.Offer(t.Context(), lease(6)); !errors.Is(err, queue.ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

func closedWhileWaiting(t *testing.T, b Bench) {
	ended := make(chan error, 1)
	go func() {
		_, err := b.Queue.Take(t.Context())
		ended <- err
	}()
	b.Queue.Close()
	if err := <-ended; !errors.Is(err, queue.ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

func cancelled(t *testing.T, b Bench) {
	source, _ := b.Taker()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := source.Take(ctx)
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if err := b.Queue.Offer(ctx, lease(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
}

func once(t *testing.T, b Bench) {
	const n, takers = 500, 4
	counts := make([]int, n)
	var mu sync.Mutex
	var wg sync.WaitGroup
	all := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	taken := 0
	for range takers {
		source, _ := b.Taker()
		wg.Go(func() {
			for {
				l, err := source.Take(ctx)
				if err != nil {
					return
				}
				mu.Lock()
				counts[l.Lease().Place]++
				if taken++; taken == n {
					close(all)
				}
				mu.Unlock()
				l.Done()
			}
		})
	}
	for i := range n {
		offer(t, b, lease(i))
	}
	<-all
	cancel()
	wg.Wait()
	for i, c := range counts {
		if c != 1 {
			t.Fatalf("lease %d was taken %d times", i, c)
		}
	}
}
