// Package sandbox starts engines with what they need and nothing else: their
// own processes, no network, a private temporary folder, no files of others,
// limits, and no system calls that reach beyond.
//
// It is complete on Linux, without root. It refuses to guess: each protection
// is tried on this machine (Open), and what does not hold is named. Elsewhere
// nothing holds.
package sandbox

import (
	"slices"
	"strings"
)

// The values of an engine's key sandbox.
const (
	Auto    = "auto"    // what this machine can do
	Require = "require" // everything, or nothing is started
	Off     = "off"
)

// Policy is what one engine may touch. Paths are absolute; a folder includes
// everything below it.
type Policy struct {
	Dir     string `json:"-"` // working folder
	Read    words  // and execute
	List    words  // folders whose names it may see, and those below
	Write   words  // and read
	Network bool   // IP sockets outside the engine's loopback
	Self    bool   // read and execute the arena's program, wherever it is by now
}

// words are strings of the system, which may have any bytes but 0. Those of JSON may not.
type words []string

// The limits of one engine with everything that it starts.
const (
	tmpBytes  = 64 << 20 // of the temporary folder
	tmpFiles  = 4096     // in the temporary folder
	openFiles = 4096     // of each process
	pending   = 1024     // signals and timers, of which a user has a number
)

// The protections, as users read them.
const (
	holdsProcesses = "other processes out of reach"
	holdsNetwork   = "no network"
	holdsFiles     = "files of others out of reach"
	holdsTmp       = "a temporary folder of its own"
	holdsCount     = "a limit of processes"
	holdsCalls     = "dangerous system calls refused"
)

// Report is what holds on this machine. The zero value is that of engines without a sandbox.
type Report struct {
	holds     []string
	missing   []string // with the reason
	Uncounted string   // what no limit of CPU time counts on this machine, "" if all is counted
}

// Missing are the names of the protections that do not hold, with the reason.
func (r Report) Missing() []string { return slices.Clone(r.missing) }

// String is one line: what holds, what does not, and what is not counted.
func (r Report) String() string {
	line, missing := strings.Join(r.holds, ", "), strings.Join(r.missing, ", ")
	switch {
	case missing == "":
	case line == "":
		line = "nothing holds: " + missing
	default:
		line += "; does not hold: " + missing
	}
	if r.Uncounted != "" {
		line += "; not counted: " + r.Uncounted
	}
	return line
}
