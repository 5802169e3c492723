//go:build !linux

package sandbox

import "runtime"

// Host is what this machine can do: nothing.
type Host struct{}

// Box is the sandbox of one engine; it does not exist here.
type Box struct{}

// Main does nothing here: no engine has an init.
func Main() {}

// Open says that nothing holds.
func Open() (*Host, error) { return &Host{}, nil }

// Report says that nothing holds.
func (h *Host) Report() Report {
	var r Report
	for _, name := range []string{holdsProcesses, holdsNetwork, holdsFiles, holdsTmp, holdsCount, holdsCalls} {
		r.missing = append(r.missing, name+" (not on "+runtime.GOOS+")")
	}
	return r
}

// Box is nil here: the engine is started without one.
func (h *Host) Box(Policy) *Box { return nil }

// refuseUnreadable refuses nothing here, where no engine has a box.
func refuseUnreadable([]string) error { return nil }
