//go:build !unix

package web

import "time"

// ownCPU is not known here: streams are paced by the clock alone.
func ownCPU() time.Duration { return 0 }
