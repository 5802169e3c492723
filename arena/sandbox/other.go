//go:build !linux

package sandbox

import (
	"errors"
	"runtime"
)

// Main does nothing here.
func Main() {}

// Host is what this machine can do: nothing.
type Host struct{}

// Box is the sandbox of one engine; it does not exist here.
type Box struct{}

// Open says that nothing holds.
func Open() (*Host, error) { return &Host{}, nil }

// Report says that nothing holds.
func (h *Host) Report() Report {
	var r Report
	for _, name := range []string{holdsProcesses, holdsNetwork, holdsFiles, holdsTmp, holdsCount, holdsCalls} {
		r.Protections = append(r.Protections, Protection{Name: name, Miss: "not on " + runtime.GOOS})
	}
	return r
}

// Box is nil here: the engine is started without one.
func (h *Host) Box(Policy) *Box { return nil }

// ErrNotReady is not returned here.
var ErrNotReady = errors.New("sandbox: not on " + runtime.GOOS)
