//go:build !linux

package proc

import "time"

// Await does not wait; the caller waits for each process separately.
func Await(a, b *Process, wait time.Duration) {}
