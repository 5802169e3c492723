//go:build !unix

package player

import "time"

// ownCPU is not known here: the clock replaces it.
func ownCPU() time.Duration { return time.Since(started) }
