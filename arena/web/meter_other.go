//go:build !linux

package web

import "time"

// meter measures how long something takes, which is never less than its CPU time.
type meter time.Time

func startMeter() meter { return meter(time.Now()) }

func (m meter) stop() time.Duration { return time.Since(time.Time(m)) }
