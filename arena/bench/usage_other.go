//go:build !unix

package bench

import "time"

// ownCPU is not measured here.
func ownCPU() time.Duration { return 0 }

// ownMemory is not measured here.
func ownMemory() int64 { return 0 }
