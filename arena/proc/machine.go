package proc

import "time"

// Thread is what the system counts of a thread.
type Thread struct {
	Ran      time.Duration
	Waited   time.Duration // for a core, up to when it got one last
	Sleeps   int64         // how often it gave its core back by itself
	Runnable bool          // it runs or waits for a core
	Reads    bool          // it waits for a disk
}

// Machine reads what the system counts of its processors.
type Machine struct{}

// Usage is what some processors did since the system started.
type Usage struct {
	CPUs   int           // how many
	Busy   time.Duration // in use by anybody, all of them together
	Stolen time.Duration // that the hypervisor gave to other machines
	Waited time.Duration // by the thread that asks, for a core
}
