// Package sandbox starts engines with what they need and nothing else: their
// own processes, no network, a private temporary folder, no files of others,
// limits, and no system calls that reach beyond.
//
// It is complete on Linux, without root. It refuses to guess: each protection
// is tried on this machine (Probe), and what does not hold is named. Elsewhere
// nothing holds, and Probe says so.
package sandbox

import "strings"

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
	Network bool   // IP sockets outside the engine's own loopback
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

// Protection is one promise, and whether it holds on this machine.
type Protection struct {
	Name string // what an engine cannot do, for users
	Miss string // why it does not hold; "" if it holds
}

// Report is what Probe found.
type Report struct {
	Protections []Protection
	Uncounted   string // what no limit of CPU time counts on this machine, "" if all is counted
}

// Missing are the names of the protections that do not hold, with the reason.
func (r Report) Missing() []string {
	var lines []string
	for _, p := range r.Protections {
		if p.Miss != "" {
			lines = append(lines, p.Name+" ("+p.Miss+")")
		}
	}
	return lines
}

// String is one line: what holds, what does not, and what is not counted.
func (r Report) String() string {
	var holds []string
	for _, p := range r.Protections {
		if p.Miss == "" {
			holds = append(holds, p.Name)
		}
	}
	line := strings.Join(holds, ", ")
	if missing := r.Missing(); len(holds) == 0 {
		line = "nothing holds: " + strings.Join(missing, ", ")
	} else if len(missing) > 0 {
		line += "; does not hold: " + strings.Join(missing, ", ")
	}
	if r.Uncounted != "" {
		line += "; not counted: " + r.Uncounted
	}
	return line
}
