package match

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
)

// late is by how much a time may exceed its limit: whoever measured it may have been
// delayed.
const late = time.Second

// Verify plays the game of a job again by the rules of the plan and returns what is
// false about rec, which somebody else made: another identity or start, an illegal
// move, an outcome that the rules, the adjudication or the fault do not lead to, or
// times beyond the limits. start is where the job starts.
//
// It cannot see whether the moves are those of the engines.
func Verify(plan *arena.Plan, job arena.Job, start game.Position, rec *arena.Game) error {
	v := verifier{plan: plan, rec: rec, line: game.Begin(start)}
	for i := range v.limits {
		spec := plan.Engine(job.Engine(game.Seat(i + 1)))
		if spec == nil {
			return fmt.Errorf("the plan has no engine %q", job.Engine(game.Seat(i+1)))
		}
		v.specs[i], v.limits[i] = spec, plan.LimitOf(spec)
		v.clocks[i].left = v.limits[i].Clock
	}
	if err := v.identity(job); err != nil {
		return err
	}
	for i := range rec.Moves {
		if err := v.turn(i); err != nil {
			return err
		}
	}
	if err := v.outcome(); err != nil {
		return err
	}
	return v.whole()
}

// verifier plays one record again.
type verifier struct {
	plan   *arena.Plan
	rec    *arena.Game
	specs  [2]*arena.EngineSpec
	limits [2]arena.Limit
	clocks [2]clock
	line   *game.Line
	plies  int           // so many were played again
	wall   time.Duration // that they took
}

// identity compares what is known before the game.
func (v *verifier) identity(job arena.Job) error {
	rec := v.rec
	switch {
	case rec.ID != job.ID:
		return fmt.Errorf("it is game %s, and game %s was to be played", rec.ID, job.ID)
	case rec.Pairing != job.Pairing || rec.Pair != job.Pair || rec.Leg != job.Leg:
		return fmt.Errorf("it says leg %d of pair %d of %s - %s, and that game is leg %d of pair %d of %s - %s",
			rec.Leg, rec.Pair, rec.Pairing[0], rec.Pairing[1], job.Leg, job.Pair, job.Pairing[0], job.Pairing[1])
	case !rec.Status.Counts():
		return errors.New("it says that it was set aside")
	case rec.Start != v.line.Position.String():
		return fmt.Errorf("it starts from %s, and the job from %s", clip(rec.Start, 200), v.line.Position)
	}
	var roles [2]string
	if catalog, ok := v.plan.Game.(game.RoleCatalog); ok {
		roles = catalog.RolesIn(v.line.Position)
	}
	if rec.Roles != roles {
		return fmt.Errorf("it has the roles %q, and the start has %q", rec.Roles, roles)
	}
	return nil
}

// turn plays a turn.
func (v *verifier) turn(i int) error {
	pos, move := v.line.Position, v.rec.Moves[i]
	if _, over := pos.Outcome(); over {
		return fmt.Errorf("ply %d, %s: the game was over", i+1, clip(move, 200))
	}
	seats := pos.ToMove()
	next, err := v.line.Play(game.ParseTurn(seats, move))
	if err != nil {
		return fmt.Errorf("ply %d: %w", i+1, err)
	}
	v.line = next
	after := next.Position.ToMove()
	if err := v.times(seats, seats == after && seats != game.Both); err != nil {
		return fmt.Errorf("ply %d: %w", i+1, err)
	}
	if _, over := next.Position.Outcome(); over || i+1 == len(v.rec.Moves) {
		return nil
	}
	if outcome, ended := adjudicated(v.plan.Game, &v.plan.Adjudicate, v.line, v.rec.Plies[:v.plies]); ended {
		return fmt.Errorf("ply %d: it goes on, and is %s", i+1, outcome.Reason)
	}
	return nil
}

// times checks what the moves of seats took, and books it.
func (v *verifier) times(seats game.Seats, again bool) error {
	var longest time.Duration
	for _, seat := range [2]game.Seat{game.First, game.Second} {
		if !seats.Has(seat) {
			continue
		}
		if v.plies == len(v.rec.Plies) {
			return errors.New("nothing is said about the move")
		}
		p := &v.rec.Plies[v.plies]
		v.plies++
		i := seat.Index()
		wall, cpu := v.clocks[i].most(&v.limits[i], v.specs[i])
		switch {
		case p.Seat != seat:
			return fmt.Errorf("a move of seat %d, and seat %d was to move", p.Seat, seat)
		case p.Wall < 0 || p.CPU < 0 || p.Nodes < 0 || p.Depth < 0:
			return errors.New("a negative time, depth or number of nodes")
		case p.Wall > wall+late:
			return fmt.Errorf("it took %v, and %v was the most", p.Wall, wall)
		case cpu > 0 && p.CPU > cpu+late:
			return fmt.Errorf("it used %v of CPU time, and %v was the most", p.CPU, cpu)
		}
		v.clocks[i].charge(&v.limits[i], p.Wall, p.CPU, again)
		longest = max(longest, p.Wall)
	}
	v.wall += longest
	return nil
}

// most is how long the next move may take, by the clock and in CPU time; 0 is no limit
// of CPU time.
func (c *clock) most(l *arena.Limit, spec *arena.EngineSpec) (wall, cpu time.Duration) {
	least, _ := time.ParseDuration(spec.Dialect["min_move"])
	switch {
	case l.Move > 0:
		wall = max(rest(l.Move, c.stretch), least)
	case l.Clock > 0:
		wall = max(c.left, least)
	default:
		wall = max(l.Longest(), least)
	}
	if l.CPU > 0 {
		cpu = max(rest(l.CPU, c.cpu), least) + l.Grace
	}
	return wall + l.Grace, cpu
}

// outcome compares the end with the rules.
func (v *verifier) outcome() error {
	rec, got := v.rec, v.rec.Outcome
	natural, over := v.line.Position.Outcome()
	expected, ended := game.Outcome{}, false
	if !over && len(rec.Moves) > 0 {
		expected, ended = adjudicated(v.plan.Game, &v.plan.Adjudicate, v.line, rec.Plies[:v.plies])
	}
	says := fmt.Sprintf("it says winner %d by %q (%s)", got.Winner, clip(got.Reason, 200), clip(string(rec.Source), 20))
	if over != (rec.Source == arena.Natural && got.Reason != game.Resigned) {
		if over {
			return fmt.Errorf("%s, and by the rules it is winner %d by %q", says, natural.Winner, natural.Reason)
		}
		return fmt.Errorf("%s, and by the rules the game goes on", says)
	}
	if (rec.Source == arena.Faulted || rec.Source == arena.Stalled) != (rec.Fault != nil) {
		return fmt.Errorf("%s, and its fault does not fit", says)
	}
	switch rec.Source {
	case arena.Natural:
		if over && got != natural {
			return fmt.Errorf("%s, and by the rules it is winner %d by %q", says, natural.Winner, natural.Reason)
		}
		return v.resignation(says, over)
	case arena.Adjudicated:
		if !ended || got != expected {
			return fmt.Errorf("%s, and the adjudication of this run does not say so", says)
		}
		return nil
	case arena.Faulted:
		if ended && rec.Fault.Kind != game.FaultIdle {
			return fmt.Errorf("%s, and before that the game was %s", says, expected.Reason)
		}
		return v.fault(says)
	case arena.Stalled:
		return v.fault(says)
	}
	return fmt.Errorf("it ended by %q, which is no end of a game that a worker plays", rec.Source)
}

// resignation checks who resigned, in a game that is not over by the rules.
func (v *verifier) resignation(says string, over bool) error {
	if over {
		return nil
	}
	seat := v.line.Position.ToMove().Only()
	if seat == game.None || v.rec.Outcome != (game.Outcome{Winner: seat.Other(), Reason: game.Resigned}) {
		return fmt.Errorf("%s, and seat %d was to move", says, seat)
	}
	return v.times(game.SeatsOf(seat), false) // of the move that it did not make
}

// fault checks what a fault leads to.
func (v *verifier) fault(says string) error {
	rec := v.rec
	if !slices.Contains(game.Faults(), rec.Fault.Kind) {
		return fmt.Errorf("%s, and there is no fault %q", says, clip(string(rec.Fault.Kind), 50))
	}
	if rec.Blamed != game.First && rec.Blamed != game.Second {
		return fmt.Errorf("%s, and nobody is at fault", says)
	}
	want := game.Outcome{Winner: rec.Blamed.Other(), Reason: Reason(rec.Fault)}
	together := len(rec.Moves) == 0 || v.line.Position.ToMove() == game.Both // then both may fail at once
	both := strings.HasPrefix(rec.Outcome.Reason, "both: "+want.Reason+", ")
	switch {
	case rec.Source == arena.Stalled:
		want = game.Outcome{Reason: "stalled"}
	case both && together:
		want = game.Outcome{Reason: rec.Outcome.Reason}
	}
	switch {
	case rec.Outcome != want:
		return fmt.Errorf("%s, and the fault of seat %d is %q", says, rec.Blamed, clip(rec.Fault.Error(), 200))
	case rec.Fault.Kind == game.FaultIllegal && !Forbidden(v.line.Position, rec):
		return fmt.Errorf("%s, and the rules do not say that of %q", says, clip(rec.Fault.Detail, 200))
	}
	return v.timeout(says)
}

// Forbidden reports whether the rules refuse the illegal move at the end of a game, all of
// which its fault names, with the words of the fault. pos is the last position.
func Forbidden(pos game.Position, rec *arena.Game) bool {
	seat := rec.Blamed
	if rec.Fault == nil || rec.Fault.Kind != game.FaultIllegal || seat != game.First && seat != game.Second || !pos.ToMove().Has(seat) {
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

// timeout checks that a move that was late took as long as its limit. CPU time may pass
// faster than the clock, and how long an engine may take to be ready is in no record.
func (v *verifier) timeout(says string) error {
	rec, i := v.rec, v.rec.Blamed.Index()
	if rec.Fault.Kind != game.FaultTimeout || v.limits[i].CPU > 0 || strings.HasPrefix(rec.Fault.Detail, notReady) {
		return nil
	}
	wall, _ := v.clocks[i].most(&v.limits[i], v.specs[i])
	wall -= v.limits[i].Grace
	if whole := time.Duration(rec.Seconds * float64(time.Second)); whole < v.wall+wall {
		return fmt.Errorf("%s, and the game took %v: less than its moves and the %v of the one that was late", says, whole, wall)
	}
	return nil
}

// whole checks the figures of the whole game.
func (v *verifier) whole() error {
	rec := v.rec
	switch {
	case v.plies != len(rec.Plies):
		return fmt.Errorf("it has %d moves, and says something about %d", v.plies, len(rec.Plies))
	case math.IsNaN(rec.Seconds) || rec.Seconds < 0 || rec.Seconds > 1e7:
		return fmt.Errorf("it took %v s", rec.Seconds)
	case v.wall.Seconds() > rec.Seconds+late.Seconds():
		return fmt.Errorf("its moves took %v, and the game %.3f s", v.wall, rec.Seconds)
	case rec.Idle[0] < 0 || rec.Idle[1] < 0 || rec.Passed < 0:
		return errors.New("a negative time or number of lines")
	case rec.Dispute != nil:
		return errors.New("a dispute about rules that are known")
	}
	return nil
}
