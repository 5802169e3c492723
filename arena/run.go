package arena

import (
	"context"
	"time"

	"thera/engine/game"
)

// Past is what is there of a run that is resumed.
type Past struct {
	Games   []Game    // those that do not count as well, in job order
	Earlier []Earlier // see Plan
}

// Store is what a run needs of the store. A Store is safe for concurrent
// use.
type Store interface {
	// Begin opens the plan's run, new or resumed, and returns what is there of it. If there are
	// games, changed playing conditions are refused with what differs, such as another program
	// under the name of an engine.
	Begin(ctx context.Context, plan *Plan) (run int64, was Past, err error)

	// Put stores a finished game and returns after it is durable. Putting an
	// identity twice keeps the first record.
	Put(ctx context.Context, run int64, rec *Game) error

	// Void stores a game that stalled. No game of the pair, given by identities, counts any
	// more. It returns after that is durable.
	Void(ctx context.Context, run int64, stalled *Game, pair []string) error

	// Exclude excludes games of a worker on another machine, those with these identities or
	// all of them: they no longer count. The reason is a remark of the run. It returns the
	// number of games; without any, nothing is changed.
	Exclude(ctx context.Context, run int64, worker string, only []string, reason string) (int, error)

	// Finished returns the games that Begin returns.
	Finished(ctx context.Context, run int64) ([]Game, error)

	// Stored returns a stored game; nil if there is none.
	Stored(ctx context.Context, run int64, id string) (*Game, error)

	// Incident keeps what happened with a worker, and about an audit nothing twice in succession: a pair
	// whose games are excluded is played and audited again. Incidents are all that was kept.
	Incident(ctx context.Context, run int64, i Incident) error
	Incidents(ctx context.Context, run int64) ([]Incident, error)

	// Abandon removes the run if it has no games: nothing was begun.
	Abandon(ctx context.Context, run int64) error

	// Note changes the run's state: "running", "finished", "interrupted", and
	// adds a remark for people. What is decided about a run is not kept: it
	// follows from the games.
	Note(ctx context.Context, run int64, state, remark string) error
}

// Worker plays games in one slot of the run's concurrency, keeping engines
// alive between games where it may. It is used by one goroutine.
type Worker interface {
	// Play plays job from a start. An engine's fault is in the record; an error
	// is the arena's own or ctx's.
	Play(ctx context.Context, job Job, start game.Position) (*Game, error)

	// Close ends all engines of the slot.
	Close() error
}

// EventKind is the kind of an Event.
type EventKind string

// The kinds of events, as `--events` writes them.
const (
	RunStarted   EventKind = "run_started"
	GameStarted  EventKind = "game_started"
	GameFinished EventKind = "game_finished"
	Warned       EventKind = "warning"
	Progressed   EventKind = "progress" // standings changed, at most a few a second
	RunFinished  EventKind = "run_finished"
)

// Event is something a watcher of a run may want to show. Fields that do not
// apply are zero.
type Event struct {
	Kind    EventKind     `json:"event"`
	Time    time.Time     `json:"time"`
	Run     string        `json:"run"`
	Job     *Job          `json:"job,omitempty"`
	Record  *Game         `json:"-"`
	Played  int           `json:"played"`          // games finished, kept games included
	Total   int           `json:"total,omitempty"` // games planned as far as known, 0 if unknown
	Kept    int           `json:"kept,omitempty"`  // games kept from an earlier start of the run
	Moves   int64         `json:"moves"`           // moves played since this start
	Elapsed time.Duration `json:"-"`
	Workers int           `json:"workers,omitempty"` // on other machines, where the event has a summary
	// Games at a time, theirs and those of this machine; 0: all are of this machine.
	Slots int        `json:"slots,omitempty"`
	Text  string     `json:"text,omitempty"` // warning, or the reason why the run ended
	Test  *TestState `json:"sprt,omitempty"` // of formats with a sequential test
	// Of RunStarted, Progressed and RunFinished: what is decided so far, and the tables.
	Summary *Summary `json:"-"`
}

// Watcher receives the events of a run, one at a time, in order. It must not
// block for long.
type Watcher interface {
	Event(Event)
}

// Incident is something that happened with a worker on another machine. It is kept with
// the run.
type Incident struct {
	Time   time.Time
	Worker string
	Kind   IncidentKind
	Game   string // identity; of an audit that of its pair's first game
	Text   string
}

// IncidentKind says what happened.
type IncidentKind string

// The kinds of incidents. An audit is a pair of the worker that is played again
// elsewhere; it is due until one of the others is noted for it.
const (
	GameRefused    IncidentKind = "refused"         // a game that it handed in is false
	Expelled       IncidentKind = "expelled"        // from the run
	Excluded       IncidentKind = "excluded"        // from all its starts, with its games
	AuditDue       IncidentKind = "audit due"       // of a pair that it handed in
	AuditEqual     IncidentKind = "audit equal"     // the pair is the same elsewhere
	AuditDiffers   IncidentKind = "audit differs"   // it is another one, also for the host
	AuditUndecided IncidentKind = "audit undecided" // it is another one, and the host plays it in two ways itself
	AuditFalse     IncidentKind = "audit false"     // it played another's pair again, and differently from the host
)

// Audit reports whether an incident says of an audit that it is due, or that it is over.
func (k IncidentKind) Audit() (due, audit bool) {
	switch k {
	case AuditDue:
		return true, true
	case AuditEqual, AuditDiffers, AuditUndecided:
		return false, true
	}
	return false, false
}
