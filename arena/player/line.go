package player

import (
	"time"

	"thera/arena/proc"
	"thera/engine/game"
)

// Pipe is the process that a Conn talks to; *proc.Process is one.
type Pipe interface {
	Read(buf []byte, wait time.Duration) (int, error)
	TryRead(buf []byte) (n int, ok bool, err error)
	Write(b []byte, wait time.Duration) (int, error)
	Wake()
	Exited() (proc.Exit, bool)
	Ending() bool // the process has ended or is ending: it runs no more code
	AwaitEnd(patience time.Duration, cancelled <-chan struct{})
	CPU() time.Duration           // counted now and then, where that is costly
	CPUNow() time.Duration        // counted now
	Threads() map[int]proc.Thread // by number
	OverMemory() int64
	Misuse() string              // what else the arena killed it for
	InputClosed() bool           // no process can read what is written
	Unread() (n int, known bool) // bytes written that no process has read
}

// Limits are the limits of one call of a Session. They count from the first
// byte sent, or from the first Recv if nothing is sent. Zero means no limit;
// Hard must be set.
type Limits struct {
	Soft, Hard       time.Duration
	SoftCPU, HardCPU time.Duration
	Idle             time.Duration  // under HardCPU, without using or awaiting a core: as if HardCPU had passed
	Kind             game.FaultKind // of the fault when Hard or HardCPU passes
	Detail           string         // the fault's detail; "" shows time used, time allowed and CPU time
	Judge            *Judge         // nil: a limit that passes is the engine's doing
	Cores            int            // cores that the engine may use at once, for CPU limits
}

// caps bound an engine's output.
type caps struct {
	line  int // bytes of one line
	bytes int // between two calls of NewMove
}

// mostLines bounds the lines between two calls of NewMove.
const mostLines = 200_000

// The caps during play, and those for a list of all moves in one line.
var (
	playCaps = caps{line: 1 << 20, bytes: 64 << 20}
	listCaps = caps{line: 64 << 20, bytes: 128 << 20}
)

// exitSoon is how long an engine that closed a pipe has to exit before it counts
// as running. If its exit has begun, the wait is longer.
const exitSoon = time.Second

// dying bounds the wait for an exit that has begun; a core dump takes time.
const dying = 30 * time.Second

// pipeSize is the capacity of a pipe, so the most that an engine wrote while
// nobody read.
const pipeSize = 64 << 10
