//go:build !unix

package proc

import "time"

// OwnCPU is not known here.
func OwnCPU() time.Duration { return 0 }
