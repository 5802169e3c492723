package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// delay is the time by which a move may exceed its limit, because the arena that measured it may have
// been delayed.
const delay = time.Second

// Verify plays the game of a job again by the rules of the plan. It returns an error if rec, which
// somebody else made, is false: if it has another identity or start, an illegal move, times beyond the
// limits, or an outcome that does not follow from the rules, the adjudication or the fault. start is the
// position from which the job starts.
//
// Verify cannot see whether the engines made the moves.
func Verify(plan *arena.Plan, job arena.Job, start game.Position, rec *arena.Game) error {
	v := verifier{plan: plan, rec: rec, history: game.Begin(start), plies: rec.Plies}
	for i := range v.limits {
		spec := plan.Engine(job.Engine(game.Seat(i + 1)))
		if spec == nil {
			return fmt.Errorf("the plan has no engine %q", job.Engine(game.Seat(i+1)))
		}
		v.limits[i], v.clocks[i].left = plan.LimitOf(spec), plan.LimitOf(spec).Clock
		v.least[i], _ = time.ParseDuration(spec.Dialect["min_move"])
	}
	if err := v.identity(job); err != nil {
		return err
	}
	for i, move := range rec.Moves {
		if err := v.turn(move); err != nil {
			return fmt.Errorf("ply %d, %s: %w", i+1, arena.Cut(move, 200), err)
		}
	}
	if err := v.outcome(); err != nil {
		return fmt.Errorf("it says winner %d by %q (%s), and %w",
			rec.Outcome.Winner, arena.Cut(rec.Outcome.Reason, 200), arena.Cut(string(rec.Source), 20), err)
	}
	return v.whole()
}

// verifier plays one record again.
type verifier struct {
	plan    *arena.Plan
	rec     *arena.Game
	limits  [2]arena.Limit
	least   [2]time.Duration // the shortest time that a move gets
	clocks  [2]clock
	history *game.History
	plies   []arena.Ply   // not yet played again
	wall    time.Duration // of the plies that were
}

// identity checks what is known before the game.
func (v *verifier) identity(job arena.Job) error {
	rec := v.rec
	switch {
	case rec.ID != job.ID || rec.Pairing != job.Pairing || rec.Pair != job.Pair || rec.Leg != job.Leg:
		return fmt.Errorf("it is game %s (leg %d of pair %d of %q), want game %s",
			arena.Cut(rec.ID, 200), rec.Leg, rec.Pair, rec.Pairing, job.ID)
	case !rec.Status.Counts():
		return errors.New("it has a status that does not count")
	case rec.Start != v.history.Position.String() || rec.Roles != game.RolesOf(v.plan.Game, v.history.Position):
		return fmt.Errorf("it starts from %s, want %s", arena.Cut(rec.Start, 200), v.history.Position)
	}
	return nil
}

// end returns how the game has ended. by is "" if it goes on.
func (v *verifier) end() (outcome game.Outcome, by arena.Source) {
	return ended(v.plan.Game, &v.plan.Adjudicate, v.history, v.rec.Plies[:len(v.rec.Plies)-len(v.plies)])
}

// turn plays a turn.
func (v *verifier) turn(move string) error {
	if end, by := v.end(); by != "" {
		return fmt.Errorf("the game was over: %s", end.Reason)
	}
	seats := v.history.Position.ToMove()
	next, err := v.history.Play(game.ParseTurn(seats, move))
	if err != nil {
		return err
	}
	v.history = next
	return v.times(seats, goesOn(seats, next.Position))
}

// times checks the times of the moves of seats, and subtracts them from the clocks.
func (v *verifier) times(seats game.Seats, again bool) error {
	var longest time.Duration
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if !seats.Has(seat) {
			continue
		}
		if len(v.plies) == 0 {
			return errors.New("the figures of a move are missing")
		}
		p := &v.plies[0]
		v.plies = v.plies[1:]
		l, c := &v.limits[seat.Index()], &v.clocks[seat.Index()]
		wall, cpu := c.allowed(l, v.least[seat.Index()])
		switch {
		case p.Seat != seat:
			return fmt.Errorf("a move of seat %d, but it is the turn of seat %d", p.Seat, seat)
		case p.Wall < 0 || p.CPU < 0 || p.Nodes < 0 || p.Depth < 0:
			return errors.New("a negative time, depth or number of nodes")
		case p.Wall > wall+l.Grace+delay || cpu > 0 && p.CPU > cpu+l.Grace+delay:
			return fmt.Errorf("it took %v and %v of CPU time under the limit %s", p.Wall, p.CPU, l.Text())
		}
		c.charge(l, p.Wall, p.CPU, again)
		longest = max(longest, p.Wall)
	}
	v.wall += longest
	return nil
}

// outcome checks the end by the rules.
func (v *verifier) outcome() error {
	rec := v.rec
	end, by := v.end()
	faulted := rec.Source == arena.Faulted || rec.Source == arena.Stalled
	switch {
	case faulted != (rec.Fault != nil):
		return errors.New("its source and its fault contradict each other")
	case by != "" && (rec.Source != by || rec.Outcome != end):
		return fmt.Errorf("by the rules it is winner %d by %q", end.Winner, end.Reason)
	case by != "":
		return nil
	case faulted:
		return v.fault()
	case rec.Source == arena.Natural && rec.Outcome.Reason == game.Resigned:
		seat := v.history.Position.ToMove().Only()
		if seat == game.None || rec.Outcome != (game.Outcome{Winner: seat.Other(), Reason: game.Resigned}) {
			return fmt.Errorf("seat %d was to move", seat)
		}
		return v.times(game.SeatsOf(seat), false) // the time of the move that it did not make
	}
	return errors.New("by the rules the game goes on")
}

// fault checks what follows from a fault.
func (v *verifier) fault() error {
	rec := v.rec
	if !slices.Contains(game.Faults(), rec.Fault.Kind) || rec.Blamed != game.First && rec.Blamed != game.Second {
		return fmt.Errorf("there is no fault %q of seat %d", arena.Cut(string(rec.Fault.Kind), 50), rec.Blamed)
	}
	want := game.Outcome{Winner: rec.Blamed.Other(), Reason: reasonOf(rec.Fault)}
	together := len(rec.Moves) == 0 || v.history.Position.ToMove() == game.Both // both may fail at once
	switch {
	case rec.Source == arena.Stalled:
		want = game.Outcome{Reason: "stalled"}
	case together && strings.HasPrefix(rec.Outcome.Reason, "both: "+want.Reason+", "):
		want = game.Outcome{Reason: rec.Outcome.Reason}
	}
	switch {
	case rec.Outcome != want:
		return fmt.Errorf("the fault of seat %d is %q", rec.Blamed, arena.Cut(rec.Fault.Error(), 200))
	case rec.Fault.Kind == game.FaultIllegal && !Forbidden(v.history.Position, rec):
		return fmt.Errorf("the rules do not say that of %q", arena.Cut(rec.Fault.Detail, 200))
	}
	return v.timeout()
}

// Forbidden reports whether the rules refuse the illegal move at the end of a game with the words of its
// fault, which names the whole move. pos is the last position.
func Forbidden(pos game.Position, rec *arena.Game) bool {
	seat := rec.Blamed
	if rec.Fault == nil || rec.Fault.Kind != game.FaultIllegal {
		return false
	}
	if seat != game.First && seat != game.Second || !pos.ToMove().Has(seat) {
		return false
	}
	var turn game.Turn
	if pos.ToMove() == game.Both {
		turn = game.By(seat.Other(), pos.Moves(seat.Other())[0])
	}
	detail := rec.Fault.Detail
	for at := 0; ; at++ {
		next := strings.Index(detail[at:], ": ")
		if next < 0 {
			return false
		}
		at += next
		turn[seat.Index()] = detail[:at]
		_, err := pos.Play(turn)
		ill := &game.Illegal{}
		if rule := detail[at+2:]; errors.As(err, &ill) && ill.Rule == rule || err != nil && err.Error() == rule {
			return true
		}
	}
}

// timeout checks that a late move took as long as its limit. CPU time may pass faster than the clock. No
// record says how long an engine may take to be ready.
func (v *verifier) timeout() error {
	rec, i := v.rec, v.rec.Blamed.Index()
	if rec.Fault.Kind != game.FaultTimeout || v.limits[i].CPU > 0 || strings.HasPrefix(rec.Fault.Detail, notReady) {
		return nil
	}
	wall, _ := v.clocks[i].allowed(&v.limits[i], v.least[i])
	if whole := time.Duration(rec.Seconds * float64(time.Second)); whole < v.wall+wall {
		return fmt.Errorf("the game took %v: less than its moves and the %v of the one that was late", whole, wall)
	}
	return nil
}

// whole checks the figures of the whole game.
func (v *verifier) whole() error {
	rec := v.rec
	switch {
	case len(v.plies) > 0:
		return fmt.Errorf("it has %d moves, and says something about %d more", len(rec.Moves), len(v.plies))
	case !(rec.Seconds >= 0 && rec.Seconds <= 1e7) || v.wall.Seconds() > rec.Seconds+delay.Seconds(): // it may be NaN
		return fmt.Errorf("its moves took %v, and the game %v s", v.wall, rec.Seconds)
	case rec.Idle[0] < 0 || rec.Idle[1] < 0 || rec.Passed < 0:
		return errors.New("a negative time or number of lines")
	case rec.Dispute != nil:
		return errors.New("a dispute about rules that are known")
	}
	return nil
}
