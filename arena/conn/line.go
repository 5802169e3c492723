// Package conn carries lines to and from one engine: it implements game.Conn
// over a process's pipes, with absolute deadlines, caps on what an engine may
// say, and the last lines of the conversation kept for a fault's report.
//
// It knows no protocol. It refuses to buffer: an engine that talks while
// nobody asked fills its pipe and waits. It has no goroutine of its own.
package conn

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
	Ending() bool // it has ended, or is on its way: it runs no more of its own code
	AwaitEnd(patience time.Duration, cancelled <-chan struct{})
	CPU() time.Duration
	RunDelay() time.Duration
	OverMemory() int64
	InputClosed() bool // nobody can read what is written
}

// Limits are the limits of one call of a Session, counted from the first byte
// sent, or from the first Recv where nothing is sent. A zero limit does not
// limit; Hard must be set.
type Limits struct {
	Soft, Hard       time.Duration
	SoftCPU, HardCPU time.Duration
	Kind             game.FaultKind // of the fault when Hard or HardCPU passes
	Detail           string         // its detail; "" is used, allowed and CPU
	Judge            bool           // gather proof of a stall of the machine
	Cores            int            // that the engine may use at once, for CPU limits
}

// Caps bound what an engine may say. A zero Caps is DefaultCaps.
type Caps struct {
	Line  int // bytes of one line
	Bytes int // between two calls of NewMove
	Lines int
}

// The caps of play, and those of a list of all moves.
var (
	playCaps = Caps{Line: 1 << 20, Bytes: 64 << 20, Lines: 200_000}
	listCaps = Caps{Line: 64 << 20, Bytes: 128 << 20, Lines: 200_000}
)

// PlayCaps are the caps of play: 1 MiB a line, 64 MiB and 200,000 lines a
// move.
func PlayCaps() Caps { return playCaps }

// ListCaps allow lists of all legal moves in one line of up to 64 MiB.
func ListCaps() Caps { return listCaps }

// settle is how long an engine that closed a pipe has to end by itself before
// it counts as one that runs on. An end that has begun is waited for longer.
const settle = time.Second

// dying bounds the wait for an end that has begun: a core dump takes its time.
const dying = 30 * time.Second

// pipeSize is what a pipe holds: what an engine said while nobody looked.
const pipeSize = 64 << 10
