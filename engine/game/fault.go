package game

import "fmt"

// Fault is an engine's mistake. Any other error is one of the arena.
type Fault struct {
	Kind   FaultKind
	Detail string
}

func (f *Fault) Error() string {
	if f.Detail == "" {
		return string(f.Kind)
	}
	return string(f.Kind) + ": " + f.Detail
}

// Protocolf returns the fault of an answer that the protocol does not allow.
func Protocolf(format string, args ...any) *Fault {
	return &Fault{Kind: FaultProtocol, Detail: fmt.Sprintf(format, args...)}
}

// FaultKind is the first word of a verdict.
type FaultKind string

// The closed list of faults. arena decides them; a test holds the README to
// this list.
const (
	FaultTimeout      FaultKind = "timeout"       // no answer in time; Detail: used, allowed, CPU
	FaultCrashed      FaultKind = "crashed"       // ended by a signal; Detail: "signal N (NAME)"
	FaultExited       FaultKind = "exited"        // ended by itself; Detail: the exit code
	FaultIllegal      FaultKind = "illegal move"  // Detail: the move and the rule broken
	FaultFlood        FaultKind = "flood"         // output over a cap; Detail: the cap
	FaultProtocol     FaultKind = "protocol"      // unusable answer; Detail: the line quoted
	FaultClosedOut    FaultKind = "closed stdout" // still running, but writes no more
	FaultClosedIn     FaultKind = "closed stdin"  // still running, but reads no more
	FaultMemory       FaultKind = "memory"        // over its allowance; Detail: used, allowed
	FaultStartTimeout FaultKind = "start timeout" // not ready in time
	FaultIdle         FaultKind = "idle cpu"      // thought on the opponent's time, where that forfeits or made it late
)

// Faults lists all kinds, in the order in which they are documented.
func Faults() []FaultKind {
	return []FaultKind{
		FaultTimeout, FaultCrashed, FaultExited, FaultIllegal, FaultFlood, FaultProtocol,
		FaultClosedOut, FaultClosedIn, FaultMemory, FaultStartTimeout, FaultIdle,
	}
}
