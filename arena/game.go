package arena

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"thera/engine/game"
)

// Job is one game to be played. Two jobs of one pair share opening and roles
// of each seat; the engines change seats.
type Job struct {
	ID      string    `json:"id"`                    // identity: hash of playing conditions, pair and leg
	Pairing [2]string `json:"pairing,omitzero"`      // engine names in the plan's order
	Round   int       `json:"round"`                 // from 1
	Pair    int       `json:"pair"`                  // from 0 within the pairing, counting over all rounds
	Leg     int       `json:"leg"`                   // 0: Pairing[0] in the first seat; 1: swapped
	Index   int       `json:"index"`                 // place in job order, from 0
	Start   int       `json:"number"`                // which of the game's starts
	Seed    uint64    `json:"seed,string,omitempty"` // the opening's
	Opening string    `json:"opening,omitempty"`     // a position from a file, "" when drawn from Start and Seed
}

// Engine is the name of the engine in seat.
func (j Job) Engine(seat game.Seat) string { return j.Pairing[(seat.Index()+j.Leg)%2] }

// Seat is the seat of Pairing[i].
func (j Job) Seat(i int) game.Seat { return game.Seat((i+j.Leg)%2 + 1) }

// Source is who ended a game.
type Source string

// The sources of a verdict.
const (
	Natural     Source = "natural"     // the game's rules
	Faulted     Source = "fault"       // an engine's fault
	Adjudicated Source = "adjudicated" // an adjudication rule
	Stalled     Source = "stalled"     // nobody: the machine stalled, and its pair is void
	Unrated     Source = "unrated"     // the rules are not known: the pair is in no score
)

// Status says whether a stored game counts. A game that is not stored yet has none.
type Status string

// The statuses of games.
const (
	StatusCounted  Status = "counted"
	StatusVoid     Status = "void"     // the machine stalled, and its pair was played again
	StatusExcluded Status = "excluded" // with games of a worker
)

// Counts reports whether the game counts. One that is not stored yet does.
func (s Status) Counts() bool { return s == StatusCounted || s == "" }

// Game is one game that was played. GameLine is its JSON. A game that is Bare is
// without its start, moves and conversation, and has what follows from them.
type Game struct {
	Job
	game.Outcome
	Start  string    `json:"start,omitempty"` // position text after the opening
	Roles  [2]string `json:"roles,omitzero"`  // by seat; "" where the game has none
	Status Status    `json:"status"`
	// Attempt is, from 1, of a void game the attempt at its pair; of an excluded one the number of the exclusion.
	Attempt  int              `json:"attempt,omitempty"`
	Source   Source           `json:"source"`
	Moves    []string         `json:"moves,omitzero"` // game.Turn.String of each turn
	Seconds  float64          `json:"seconds"`
	Started  time.Time        `json:"started,omitzero"`
	Plies    []Ply            `json:"asked,omitzero"`   // per asked move, in order
	Idle     [2]time.Duration `json:"idle"`             // CPU used outside its turns, by seat
	Passed   int              `json:"passed,omitempty"` // lines passed over
	Warnings []string         `json:"warnings,omitempty"`
	Fault    *game.Fault      `json:"-"`                // the engine's fault, when Source is Faulted or Stalled
	Blamed   game.Seat        `json:"-"`                // the engine at fault
	Detail   string           `json:"detail,omitempty"` // everything known about the fault, several lines
	// Tail is, by seat, the end of the conversation, kept for faults: "> " sent, "< " received.
	Tail   [2][]string `json:"tail,omitzero"`
	Stderr [2]string   `json:"stderr,omitzero"` // by seat, its end, kept for faults
	// Input is, by seat, all that its process was sent at its start and in this game, kept for faults.
	Input   [2]string `json:"input,omitzero"`
	Dispute *Dispute  `json:"dispute,omitempty"` // of an unrated game whose engines list different moves
	By      *By       `json:"by,omitempty"`      // the worker elsewhere that played it; nil: this machine

	// What follows from the rest, in a game that is Bare.
	Turns     int       `json:"-"`
	Sides     [2]Effort `json:"-"` // by seat; Failed is 1 for the engine at fault
	StartHash uint64    `json:"-"`
	Sameness  uint64    `json:"-"` // equal for games that add no information
}

// By is a worker on another machine, when it played a game.
type By struct {
	Worker  string `json:"worker"`
	Sandbox string `json:"sandbox,omitempty"` // what its sandbox held
}

// Dispute is a position of which two engines list different moves.
type Dispute struct {
	Position string      `json:"position"`
	Engines  [2]string   `json:"engines"`
	Listed   [2]int      `json:"listed"`         // moves of each list
	Only     [2]int      `json:"only"`           // of them, those that the other list does not have
	OnlyIn   [2][]string `json:"only_in"`        // the first of those
	Lists    [2][]string `json:"lists,omitzero"` // the first moves of each list
}

// Size orders disputes: few moves that differ first, then short lists.
func (d *Dispute) Size() int { return (d.Only[0]+d.Only[1])<<20 + d.Listed[0] + d.Listed[1] }

// Ply is what one asked move took.
type Ply struct {
	Seat   game.Seat     `json:"seat"`
	Wall   time.Duration `json:"wall"`
	CPU    time.Duration `json:"cpu"`
	Depth  int           `json:"depth"`
	Nodes  int64         `json:"nodes"`
	Score  int           `json:"score"`
	Scored bool          `json:"scored"`
	Said   *game.Details `json:"said,omitempty"` // nil where the engine said no more than that
}

// GameLine is a game as JSON, with what follows from it. It is the one form in
// which games are exported, listed for scripts, sent and stored. It can be judged
// without its run.
type GameLine struct {
	Run    string        `json:"run,omitempty"` // where a game is not with its run
	First  string        `json:"first"`         // engines by seat
	Second string        `json:"second"`
	Fault  *GameFault    `json:"fault,omitempty"`
	Plies  int           `json:"plies"`
	Sides  [2]SeatTotals `json:"sides"` // by seat
	Game
}

// GameFault is the fault that ended a game.
type GameFault struct {
	Seat   game.Seat      `json:"seat"`
	Engine string         `json:"engine"`
	Kind   game.FaultKind `json:"kind,omitempty"`
	Detail string         `json:"detail"`
}

// SeatTotals is what the engine in one seat used in a game: sums, and the mean
// depth.
type SeatTotals struct {
	Moves  int64    `json:"moves"`
	Ms     float64  `json:"ms"`
	CPUMs  float64  `json:"cpu_ms"`
	Depth  *float64 `json:"depth"` // null if it reported none
	Nodes  int64    `json:"nodes"`
	IdleMs float64  `json:"idle_ms"`
}

// Line returns the game as JSON has it. run is the name of its run, "" where
// the game is with its run. That of a bare game is without what the game is without.
func (r *Game) Line(run string) *GameLine {
	l := &GameLine{
		Run: run, First: r.Engine(game.First), Second: r.Engine(game.Second),
		Plies: max(len(r.Moves), r.Turns), Game: *r,
	}
	l.Pairing = [2]string{} // First and Second say it
	l.Status, l.Started = cmp.Or(r.Status, StatusCounted), r.Started.UTC()
	if l.Moves == nil && r.Turns == 0 {
		l.Moves = []string{}
	}
	if f := cmp.Or(r.Fault, &game.Fault{}); r.Fault != nil || r.Blamed != game.None {
		l.Fault = &GameFault{Seat: r.Blamed, Kind: f.Kind, Detail: f.Detail}
		if r.Blamed != game.None {
			l.Fault.Engine = r.Engine(r.Blamed)
		}
	}
	for i, seat := range [...]game.Seat{game.First, game.Second} {
		e := r.effort(seat)
		l.Sides[i] = SeatTotals{Moves: e.Moves, Ms: ms(e.Wall), CPUMs: ms(e.CPU), Nodes: e.Nodes, IdleMs: ms(e.Idle)}
		if e.Depths > 0 {
			l.Sides[i].Depth = new(float64(e.Depth) / float64(e.Depths))
		}
	}
	return l
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Checked returns the game that the line was made of.
func (l *GameLine) Checked() (*Game, error) {
	statuses, sources := []Status{"", StatusCounted, StatusVoid, StatusExcluded}, []Source{Natural, Adjudicated, Faulted, Stalled, Unrated}
	switch {
	case l.ID == "":
		return nil, fmt.Errorf("no id")
	case l.First == "" || l.Second == "":
		return nil, fmt.Errorf("game %s: an engine has no name", l.ID)
	case l.Leg != 0 && l.Leg != 1:
		return nil, fmt.Errorf("game %s: leg %d, want 0 or 1", l.ID, l.Leg)
	case l.Outcome.Winner > game.Second:
		return nil, fmt.Errorf("game %s: winner %d, want 0, 1 or 2", l.ID, l.Outcome.Winner)
	case l.Fault != nil && l.Fault.Seat > game.Second:
		return nil, fmt.Errorf("game %s: fault of seat %d, want 1 or 2", l.ID, l.Fault.Seat)
	case !slices.Contains(sources, l.Source):
		return nil, fmt.Errorf("game %s: source %q, want one of %v", l.ID, l.Source, sources)
	case !slices.Contains(statuses, l.Status):
		return nil, fmt.Errorf("game %s: status %q, want one of %v", l.ID, l.Status, statuses)
	}
	r := l.Game
	r.Pairing = [2]string{l.First, l.Second}
	if l.Leg == 1 {
		r.Pairing = [2]string{l.Second, l.First}
	}
	if f := l.Fault; f != nil {
		r.Fault, r.Blamed = &game.Fault{Kind: f.Kind, Detail: f.Detail}, f.Seat
	}
	return &r, nil
}

// Bare is the game as decisions and tables need it, and as Load of the store returns it:
// without its moves, and with what follows from them. It is small, so that a million of them
// can be kept.
func (g *Game) Bare() Game {
	b := Game{
		Job: g.Job, Roles: g.Roles, Status: cmp.Or(g.Status, StatusCounted), Attempt: g.Attempt,
		Source: g.Source, Outcome: g.Outcome, Blamed: g.Blamed, Warnings: g.Warnings, Seconds: g.Seconds, By: g.By,
		Turns: len(g.Moves), Sameness: g.sameness(),
	}
	h := fnv.New64a()
	h.Write([]byte(g.Start))
	b.StartHash, b.Job.Start, b.Seed, b.Job.Opening = h.Sum64(), 0, 0, ""
	for i := range b.Sides {
		b.Sides[i] = g.effort(game.Seat(i + 1))
	}
	return b
}

// Both reports whether both engines were at fault. Such a game is void of points.
func (g *Game) Both() bool { return g.Source == Faulted && g.Outcome.Winner == game.None }

// Winner is the index in Pairing of the winner, -1 for a draw.
func (g *Game) Winner() int { return g.index(g.Outcome.Winner) }

// Guilty is the index in Pairing of the engine that faulted, or was late in a stalled game; -1
// for none or both.
func (g *Game) Guilty() int {
	if g.Source == Faulted && !g.Both() || g.Source == Stalled {
		return g.index(g.Blamed)
	}
	return -1
}

// index is the index in Pairing of who has a seat, -1 for nobody.
func (g *Game) index(seat game.Seat) int {
	switch seat {
	case g.Seat(0):
		return 0
	case g.Seat(1):
		return 1
	}
	return -1
}

// Side is what Pairing[i] spent and did wrong.
func (g *Game) Side(i int) *Effort { return &g.Sides[g.Seat(i).Index()] }

// Turned is the same game with its pairing named the other way round.
func (g *Game) Turned() *Game {
	t := *g
	t.Pairing[0], t.Pairing[1] = g.Pairing[1], g.Pairing[0]
	t.Leg = 1 - g.Leg
	return &t
}

// effort is what the engine in seat spent and did wrong.
func (g *Game) effort(seat game.Seat) Effort {
	if g.Turns > len(g.Moves) { // it is bare
		return g.Sides[seat.Index()]
	}
	e := Effort{Idle: g.Idle[seat.Index()]}
	if g.Source == Faulted && (g.Blamed == seat || g.Both()) {
		e.Failed = 1
	}
	for _, p := range g.Plies {
		if p.Seat != seat {
			continue
		}
		e.Moves++
		e.Wall += p.Wall
		e.CPU += p.CPU
		e.Nodes += p.Nodes
		if p.Depth > 0 {
			e.Depth += int64(p.Depth)
			e.Depths++
		}
	}
	return e
}

// sameness is the hash of start, moves and result, whoever sat where: equal for
// games that add no information, as the two of a pair in which both engines play the same
// moves. The detail of a fault (such as milliseconds used) is not part of it.
func (g *Game) sameness() uint64 {
	h := fnv.New64a()
	var kind game.FaultKind
	if g.Fault != nil {
		kind = g.Fault.Kind
	}
	for _, word := range [...]string{
		g.Start, string(rune('0' + g.Outcome.Winner)), string(g.Source), string(kind),
	} {
		h.Write([]byte(word))
		h.Write([]byte{0})
	}
	for _, move := range g.Moves {
		h.Write([]byte(move))
		h.Write([]byte{0})
	}
	return h.Sum64()
}

// End is how tables count the end of a game: the reason, for faults their kind alone where
// the detail differs from game to game.
func (g *Game) End() string {
	if g.Source != Faulted {
		return g.Outcome.Reason
	}
	if g.Both() {
		return "both at fault"
	}
	kind, _, _ := strings.Cut(g.Outcome.Reason, ": ")
	switch game.FaultKind(kind) {
	case game.FaultCrashed, game.FaultExited: // the detail is the signal or the status
		return g.Outcome.Reason
	}
	return kind
}
