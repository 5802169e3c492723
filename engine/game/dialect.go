package game

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Dialect is one protocol that engines of a game speak. It is stateless.
//
// Dialects never touch time: the arena measures from the first byte written
// to the last line read, and arms the Conn's limits before each call.
type Dialect interface {
	Name() string

	// Args are extra command line words for an engine in seat. Where they
	// differ by seat, a process serves one seat only.
	Args(seat Seat) []string

	// Dial starts a conversation with a fresh process.
	Dial(ctx context.Context, conn Conn, opts Options) (Session, Info, error)

	// Bye is the line that asks an engine to end, or "": then it is killed.
	Bye() string
}

// Session is one process's conversation. It remembers the *Line its engine
// was told, the answers the engine still owes, and the options it listed. It
// is used by one goroutine at a time.
type Session interface {
	// Fits says why this engine cannot play from pos (a god, a size or a rule
	// it cannot know), or nil.
	Fits(pos Position) error

	// Seat begins a new game in seat, with its preparation. line.Ply > 0 means
	// a restart within a game, or a saved game.
	Seat(ctx context.Context, seat Seat, line *Line) error

	// Sync tells the engine what it must know before it is asked: new turns,
	// turns taken back, a fence against late answers. It is off the clock and
	// costs the engine nothing.
	Sync(ctx context.Context, line *Line) error

	// Go asks for one action, on the clock. A *Fault is the engine's own.
	Go(ctx context.Context, ask Ask) (Reply, error)

	// End tells that the game is over and gives the engine its time after it.
	// outcome.Reason may name a fault or an adjudication.
	End(ctx context.Context, line *Line, outcome Outcome) error
}

// Phased is a Session whose Seat and End take the engine's time by right
// (PyRat's pre- and postprocessing) instead of the arena's 2 s.
type Phased interface {
	SeatLimit() time.Duration
	EndLimit() time.Duration
}

// Prompter is a Session of a game in which both sides move at once: it can ask
// without waiting, so that both are asked before either is waited for, and
// hear without waiting. Go stays the way that always works.
type Prompter interface {
	// Prompt sends the question of the Go that follows for the same ask, which
	// then only waits. It reports whether it did: not where something else has
	// to be settled with the engine first.
	Prompt(ask Ask) (bool, error)

	// Heard takes what has already come since Prompt; done is false where that
	// is no answer yet.
	Heard(ask Ask) (reply Reply, done bool, err error)
}

// Lister is a Session that can ask its engine for the legal moves of a
// position, as Position.Moves writes them, sorted and distinct.
type Lister interface {
	List(ctx context.Context, pos Position) ([]string, error)
}

// Pinger is a Dialect with a question that an engine answers at once, also
// while it thinks ("ping" and "pong", "isready" and "readyok").
type Pinger interface {
	Ping() (question, answer string)
}

// Timed is a Session that passes limits on to its engine in milliseconds and
// therefore needs to know them before a game (PyRat's timecontrol). It is
// called before Seat.
type Timed interface {
	Control(move, prepare, after time.Duration)
}

// Conn carries lines to and from one engine. The arena arms it before each
// call of a Session with a soft and a hard limit, in wall or CPU time.
type Conn interface {
	// Send queues one line, without its newline. It is flushed by Recv and
	// when the Session's method returns.
	Send(line []byte) error

	// Recv returns the next line without its end, valid until the next Recv or
	// Pending. When the soft limit passes it returns ErrSoft once: the time to
	// send the protocol's stop. When the hard limit passes, the engine dies or
	// a cap is exceeded it returns a *Fault.
	Recv(ctx context.Context) ([]byte, error)

	// Pending returns a line that is already there; it never waits.
	Pending() ([]byte, bool)

	// Warn puts a remark on the game's record.
	Warn(text string)

	// Passed counts and logs a line that was read and had no use: noise,
	// unknown types, answers about another position.
	Passed(line []byte)
}

// ErrSoft is returned once by Conn.Recv when the soft limit is over: ask the
// engine to stop, then keep receiving until the hard limit.
var ErrSoft = errors.New("soft limit reached")

// Options are what a match file says about an engine's conversation.
type Options struct {
	Set      []Option          // engine options, in the file's order
	Protocol map[string]string // dialect settings such as min_move
	Rules    Position          // a start of the match, for dialects that need a size beforehand
	Builtin  bool              // the engine is the game's own: it may be told more than the protocol knows
}

// Option is one engine option with its value.
type Option struct{ Name, Value string }

// Info is what an engine said about itself.
type Info struct {
	Name, Author string
	Protocol     string   // the dialect's generation, as in "v1"
	Features     []string // announced abilities
	Options      []string // names of listed options
	Limits       Limits   // which limits the engine knows
	Resets       bool     // a new game clears all that could leak between games
}

// Limits says which limits an engine obeys by itself.
type Limits struct{ Time, Clock, Depth, Nodes bool }

// Ask is one question. Zero fields do not limit.
type Ask struct {
	Line  *Line
	Time  time.Duration // for this action
	Clock Clock
	Depth int
	Nodes int64
	Watch func(Report) // progress, may be nil
}

// Clock is the state of both clocks, by seat; zero when no clock runs.
type Clock struct {
	Left      [2]time.Duration
	Increment [2]time.Duration
}

// Reply is one action and what the engine said about it. Resigned says that
// the engine gives the game up instead: the other seat wins with the reason
// "resigned", Move is empty and nothing is a fault.
type Reply struct {
	Move     string
	Resigned bool
	Report
}

// Report is what an engine said about its search. Known says that a score was
// given at all.
type Report struct {
	Depth int
	Nodes int64
	Score int // mover's view, in the engine's own unit
	Known bool
	PV    string // as printed by the engine
	Said  *Said  // the rest of what it said, nil where it said no more
}

// Said is what protocols with many kinds of remarks (PyRat's info) let an
// engine say about a move beside what every engine says. It goes into the
// record: a dialect keeps the last of each kind, and bounds every text.
type Said struct {
	Time     time.Duration `json:"time,omitempty"`  // by the engine's own clock, in nanoseconds
	Score    float64       `json:"score,omitempty"` // where it is no whole number, and Report's is cut
	CurrMove string        `json:"currmove,omitempty"`
	CurrLine string        `json:"currline,omitempty"`
	PV       string        `json:"pv,omitempty"`
	Target   string        `json:"target,omitempty"`
	Texts    []string      `json:"string,omitempty"` // its last free remarks, in order
}

// Server is a Game with an engine of its own: it speaks the game's written
// protocol on in and out until quit or end of input.
type Server interface {
	// Serve runs the engine. args are the words after `thera engine GAME`.
	Serve(ctx context.Context, args []string, in io.Reader, out, err io.Writer) error
}

// Configurable is a Server whose engine's options are known without starting
// it: CheckOption says what is wrong with one, or nil.
type Configurable interface {
	CheckOption(name, value string) error
}

// Fault is what an engine did wrong. Any other error is the arena's own.
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

// Protocolf is the fault of an answer that the protocol does not allow.
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
	FaultClosedOut    FaultKind = "closed stdout" // still running, says no more
	FaultClosedIn     FaultKind = "closed stdin"  // still running, hears no more
	FaultMemory       FaultKind = "memory"        // over its allowance; Detail: used, allowed
	FaultStartTimeout FaultKind = "start timeout" // never said that it is ready
	FaultIdle         FaultKind = "idle cpu"      // thought on the opponent's time, where that forfeits
)

// Faults lists all kinds, in the order in which they are documented.
func Faults() []FaultKind {
	return []FaultKind{
		FaultTimeout, FaultCrashed, FaultExited, FaultIllegal, FaultFlood, FaultProtocol,
		FaultClosedOut, FaultClosedIn, FaultMemory, FaultStartTimeout, FaultIdle,
	}
}
