package main

import "testing"

// The built-in engines start once a game, and each start builds the command tree.
func TestCommandTreeIsCheap(t *testing.T) {
	const most = 2_000
	if n := testing.AllocsPerRun(5, func() { newRoot(nil) }); n > most {
		t.Errorf("%v allocations before a command begins, at most %d are expected", n, most)
	}
}
