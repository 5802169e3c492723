//go:build !linux

package proc

import "time"

// Await does not wait: the caller does so for each process by itself.
func Await(a, b *Process, wait time.Duration) {}
