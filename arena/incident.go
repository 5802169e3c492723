package arena

import "time"

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
