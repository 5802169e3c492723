package game

import (
	"context"
	"errors"
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

	// Ping is a question that an engine answers at once, also while it thinks,
	// and the answer; both are empty where the protocol has none.
	Ping() (question, answer string)

	// Bye is the line that asks an engine to exit. Where it is empty the
	// process is killed.
	Bye() string
}

// Session is the conversation with one process. It keeps the *History that its
// engine knows, the answers that are still to come, and the options that the
// engine listed. It is used by one goroutine at a time.
type Session interface {
	// Fits returns why this engine cannot play from pos (a god, a size or a
	// rule that it does not know), or nil.
	Fits(pos Position) error

	// Seat begins a new game in seat, including the engine's preparation.
	// history.Ply > 0 means a restart within a game, or a saved game.
	Seat(ctx context.Context, seat Seat, history *History) error

	// Sync brings the engine up to date before it is asked: new turns, turns
	// taken back, a fence against late answers. It is off the clock and costs
	// the engine nothing.
	Sync(ctx context.Context, history *History) error

	// Ask sends the question for one action. It does not wait.
	Ask(ask Ask) error

	// Answer waits for the answer to the last Ask, on the clock. A *Fault is
	// the engine's own; the SearchInfo with it holds what it sent before.
	//
	// In games in which both seats move at once Conn.Recv may return
	// ErrNoLine. Then Answer returns it, and goes on when it is called again.
	Answer(ctx context.Context) (Reply, error)

	// End tells the engine that the game is over, and gives it the time after
	// the game. outcome.Reason may name a fault or an adjudication.
	End(ctx context.Context, history *History, outcome Outcome) error
	// List asks the engine for the legal moves of pos, as Position.Moves writes them,
	// sorted and distinct. It is ErrNoLists where the protocol has no such question,
	// and ErrUnlisted where the engine refuses pos or answers nothing.
	List(ctx context.Context, pos Position) ([]string, error)
}

// The errors of Session.List.
var (
	ErrNoLists  = errors.New("the protocol has no list of moves")
	ErrUnlisted = errors.New("the engine lists no moves for this position")
)

// Conn carries lines to and from one engine. The arena arms it before each
// call of a Session with a soft and a hard limit, in wall or CPU time.
type Conn interface {
	// Send queues one line, without its newline. It is flushed by Recv and
	// when the Session's method returns.
	Send(line []byte) error

	// Recv returns the next line without its end, valid until the next Recv or
	// Pending. When the soft limit passes it returns ErrSoft once: the time to
	// send the protocol's stop. When the hard limit passes, the engine dies or
	// a cap is exceeded it returns a *Fault. Where the arena must not wait for
	// one of two engines it returns ErrNoLine instead of waiting.
	Recv(ctx context.Context) ([]byte, error)

	// Pending returns a line that has already come; it never waits.
	Pending() ([]byte, bool)

	// Warn adds a warning to the game's record.
	Warn(text string)

	// Passed counts and logs a line that had no use: noise, unknown types,
	// answers about another position.
	Passed(line []byte)
}

// ErrSoft is returned once by Conn.Recv when the soft limit is over: ask the
// engine to stop, then keep receiving until the hard limit.
var ErrSoft = errors.New("soft limit reached")

// ErrNoLine is returned by Conn.Recv, and by Session.Answer, instead of
// waiting.
var ErrNoLine = errors.New("no line yet")

// ErrLimit is returned by Session.Answer where only an answer shows which limits an engine
// knows, and it does not know the one of depth or nodes that it was asked under.
var ErrLimit = errors.New("the engine does not know such limits")

// Options are the part of a match file that a conversation depends on.
type Options struct {
	Set      []Option          // engine options, in the file's order
	Protocol map[string]string // dialect settings such as min_move
	Rules    Position          // a start of the match, for dialects that need a size or a rule beforehand
	MoveTime time.Duration     // of each move; under a limit of CPU time the most that the clock allows; 0 under others
	Builtin  bool              // the engine is the built-in one, which knows more than the protocol
}

// Option is one engine option with its value.
type Option struct{ Name, Value string }

// Info is what an engine announced about itself.
type Info struct {
	Name, Author string
	Protocol     string   // the dialect's generation, as in "v1"
	Features     []string // announced abilities
	Options      []string // names of listed options
	Limits       Limits   // which limits the engine knows
	Resets       bool     // a new game clears everything that could leak between games

	// Silent is whether the protocol has no word for ready. Then a new process is
	// ready when it has read what was sent to it before its first game.
	Silent bool

	// SlowFirst is whether the first search of a process takes much longer than
	// the others, or ignores stop. The arena lets it search once off the clock.
	SlowFirst bool

	// MinMove is the least time, by either clock, that the engine survives; a
	// move that would get less gets this.
	MinMove time.Duration

	// The time that the engine has for itself in Seat and in End (PyRat's
	// pre- and postprocessing); 0 is the arena's limit.
	Preparation, Afterwards time.Duration
}

// Limits are the kinds of limits that an engine obeys by itself.
type Limits struct{ Time, Clock, Depth, Nodes bool }

// Ask is one question. Zero fields do not limit.
type Ask struct {
	History *History
	Time    time.Duration // for this action
	CPU     time.Duration // CPU time of the engine; where the protocol has no word for it, Recv says when to stop
	Clock   Clock
	Depth   int
	Nodes   int64
	Watch   func(SearchInfo) // progress, may be nil
}

// Clock is the state of both clocks, by seat; zero when no clock runs.
type Clock struct {
	Left      [2]time.Duration
	Increment [2]time.Duration
	ToGo      [2]int // moves until more time is added, counting the next one; 0 if none is added
}

// Parts returns the number of moves among which to divide the time that seat has left: most,
// or fewer if more time is added sooner.
func (c *Clock) Parts(seat Seat, most int) int {
	if n := c.ToGo[seat.Index()]; n > 0 {
		return min(n, most)
	}
	return most
}

// Reply is one action and the SearchInfo of the search for it. Resigned means that
// the engine resigns instead: the other seat wins with the reason "resigned",
// Move is empty and nothing is a fault.
type Reply struct {
	Move     string
	Resigned bool
	SearchInfo
}

// SearchInfo is what an engine reported of its search. Known is whether it gave a
// score at all.
type SearchInfo struct {
	Depth   int
	Nodes   int64
	Score   int // mover's view, in the engine's unit
	Known   bool
	PV      string   // as printed by the engine
	Details *Details // nil where it reported nothing else
}

// Details are the parts of a report that only protocols with many kinds of
// info have (PyRat's). They go into the record: a dialect keeps the last of
// each kind, and bounds every text.
type Details struct {
	Time     time.Duration `json:"time,omitempty"`  // by the engine's clock, in nanoseconds
	Score    float64       `json:"score,omitempty"` // where it is not a whole number, and SearchInfo's is cut
	CurrMove string        `json:"currmove,omitempty"`
	CurrLine string        `json:"currline,omitempty"`
	PV       string        `json:"pv,omitempty"`
	Target   string        `json:"target,omitempty"`
	Texts    []string      `json:"string,omitempty"` // its last free texts, in order
}
