//go:build unix

package match

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"thera/arena"
	"thera/arena/arenatest"
	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gametest/nim"
)

// honest is a game of nim from a heap of 21 that the first seat wins.
func honest(t *testing.T, p *arena.Plan) *arena.Game {
	t.Helper()
	w := (&arenatest.Workers{Strength: map[string]int{"good": 100}}).New(0)
	defer w.Close()
	rec, err := w.Play(t.Context(), job(0), start(t, p.Game))
	gametest.OK(t, err)
	rec.Seconds = 1
	return rec
}

// cut ends a game early by a fault of the seat to move.
func cut(rec *arena.Game, plies int, kind game.FaultKind, detail string) {
	seat := game.First
	if plies%2 == 1 {
		seat = game.Second
	}
	rec.Moves, rec.Plies = rec.Moves[:plies], rec.Plies[:plies]
	rec.Source, rec.Fault, rec.Blamed = arena.Faulted, &game.Fault{Kind: kind, Detail: detail}, seat
	rec.Outcome = game.Outcome{Winner: seat.Other(), Reason: reasonOf(rec.Fault)}
}

// stopped ends a game after some moves, of which one may be without its answer, with an outcome.
func stopped(moves, plies int, source arena.Source, winner game.Seat, reason string) func(*arena.Game) {
	return func(r *arena.Game) {
		r.Moves, r.Plies = r.Moves[:moves], r.Plies[:plies]
		r.Source, r.Outcome = source, game.Outcome{Winner: winner, Reason: reason}
	}
}

// faulted ends a game after some moves by a fault of the seat to move.
func faulted(plies int, kind game.FaultKind, detail string) func(*arena.Game) {
	return func(r *arena.Game) { cut(r, plies, kind, detail) }
}

// A claim that the rules can check is checked, and one that they cannot is at least consistent.
func TestVerify(t *testing.T) {
	late := func(seconds float64, detail string) func(r *arena.Game) {
		return func(r *arena.Game) {
			cut(r, 2, game.FaultTimeout, detail)
			r.Seconds = seconds
		}
	}
	for _, tt := range []struct {
		name string
		want string // "": it is true
		plan func(p *arena.Plan)
		tell func(rec *arena.Game)
	}{
		{"honest", "", nil, func(*arena.Game) {}},
		{"another identity", "want game", nil, func(r *arena.Game) { r.ID = "z" }},
		{"another leg", "leg 1 of", nil, func(r *arena.Game) { r.Leg = 1 }},
		{"another pairing", `["bad" "good"]`, nil, func(r *arena.Game) { r.Pairing = [2]string{"bad", "good"} }},
		{"another start", "it starts from 4 1", nil, func(r *arena.Game) { r.Start = "4 1" }},
		{"roles", "it starts from", nil, func(r *arena.Game) { r.Roles[0] = "pan" }},
		{"void", "does not count", nil, func(r *arena.Game) { r.Status = arena.StatusVoid }},
		{"illegal move", "ply 1, 4: illegal move \"4\"", nil, func(r *arena.Game) { r.Moves[0] = "4" }},
		{"a move after the end", "the game was over", nil, func(r *arena.Game) { r.Moves = append(r.Moves, "1") }},
		{"a move less", "by the rules the game goes on", nil, func(r *arena.Game) { r.Moves = r.Moves[:len(r.Moves)-1] }},
		{"other moves to the same end", "and says something about", nil, func(r *arena.Game) { r.Plies = append(r.Plies, r.Plies[0]) }},
		{"nothing about a move", "figures of a move are missing", nil, func(r *arena.Game) { r.Plies = r.Plies[:1] }},
		{"the other wins", "by the rules it is winner", nil, func(r *arena.Game) { r.Outcome.Winner = r.Outcome.Winner.Other() }},
		{"another reason", "by the rules it is", nil, func(r *arena.Game) { r.Outcome.Reason = "magic" }},
		{"points", "by the rules it is", nil, func(r *arena.Game) { r.Outcome.Points[0] = 1 }},
		{"resigned after the end", "by the rules it is", nil, func(r *arena.Game) { r.Outcome.Reason = game.Resigned }},
		{"unrated", "the game goes on", nil, func(r *arena.Game) { cut(r, 3, game.FaultExited, "3"); r.Fault = nil; r.Source = arena.Unrated }},
		{"a fault of a game that is over", "by the rules it is", nil, func(r *arena.Game) {
			plies, moves := r.Plies, r.Moves
			cut(r, 1, game.FaultExited, "3")
			r.Plies, r.Moves = plies, moves
		}},
		{"exited", "", nil, faulted(3, game.FaultExited, "3")},
		{"the innocent loses", "the fault of seat 1", nil, func(r *arena.Game) { cut(r, 3, game.FaultExited, "3"); r.Blamed = game.First }},
		{"nobody loses", "the fault of seat 2", nil, func(r *arena.Game) { cut(r, 3, game.FaultExited, "3"); r.Outcome.Winner = game.None }},
		{"nobody is to blame", "no fault \"exited\" of seat 0", nil, func(r *arena.Game) { cut(r, 3, game.FaultExited, "3"); r.Blamed = 0 }},
		{"no such fault", "there is no fault", nil, faulted(3, "laziness", "")},
		{"no fault", "contradict each other", nil, func(r *arena.Game) { cut(r, 3, game.FaultExited, "3"); r.Fault = nil }},
		{"a fault and a natural end", "contradict each other", nil, func(r *arena.Game) { r.Fault = &game.Fault{Kind: game.FaultExited} }},
		{"an illegal move", "", nil, faulted(2, game.FaultIllegal, "9: take 1 to 3")},
		{"a long illegal move", "", nil, faulted(2, game.FaultIllegal, strings.Repeat("9", 1500)+": take 1 to 3")},
		{"a legal move called illegal", "the rules do not say that", nil, faulted(2, game.FaultIllegal, "1: takes too much")},
		{"a shortened move", "the rules do not say that", nil, faulted(2, game.FaultIllegal, "a1…: anything")},
		{"a shortened rule", "the rules do not say that", nil, faulted(2, game.FaultIllegal, "9: take…")},
		{"both failed, where one moves", "the fault of seat 1 is", nil, func(r *arena.Game) {
			cut(r, 2, game.FaultExited, "3")
			r.Outcome = game.Outcome{Reason: "both: exited: 3, exited: 3"}
		}},
		{"late at once", "less than its moves and the 1s of the one that was late", oneSecond, late(0.5, "used 1.1s of 1s, CPU 1s")},
		{"late", "", oneSecond, late(1.3, "used 1.1s of 1s, CPU 1s")},
		{"never ready", "", oneSecond, late(0.5, "not ready (used 1s of 1s, CPU 0s)")},
		{"stalled", "", nil, func(r *arena.Game) {
			cut(r, 2, game.FaultTimeout, "late")
			r.Source, r.Outcome, r.Seconds = arena.Stalled, game.Outcome{Reason: "stalled"}, 61
		}},
		{"stalled and won", "the fault of seat 1", nil, func(r *arena.Game) { cut(r, 2, game.FaultTimeout, "late"); r.Source = arena.Stalled }},
		{"resigned", "", nil, stopped(2, 3, arena.Natural, game.Second, game.Resigned)},
		{"the other resigned", "seat 1 was to move", nil, stopped(2, 3, arena.Natural, game.First, game.Resigned)},
		{"adjudicated", "", plyCap, stopped(3, 3, arena.Adjudicated, game.None, "adjudicated: ply cap")},
		{"adjudicated too early", "the game goes on", plyCap, stopped(2, 2, arena.Adjudicated, game.None, "adjudicated: ply cap")},
		{"adjudicated otherwise", "by the rules it is winner 0", plyCap, stopped(3, 3, arena.Adjudicated, game.First, "adjudicated: ply cap")},
		{"not adjudicated", "the game was over: adjudicated", plyCap, func(*arena.Game) {}},
		{"a fault after adjudication", "by the rules it is winner 0", plyCap, faulted(3, game.FaultExited, "3")},
		{"too slow", "it took 3s and", oneSecond, func(r *arena.Game) { r.Plies[1].Wall, r.Seconds = 3*time.Second, 3 }},
		{"as slow as may be", "", oneSecond, func(r *arena.Game) { r.Plies[1].Wall, r.Seconds = 1100*time.Millisecond, 3 }},
		{"over its clock", "under the limit", func(p *arena.Plan) { p.Limit = arena.Limit{Control: arena.Control{Clock: 2 * time.Second}} }, func(r *arena.Game) {
			for i := range r.Plies {
				r.Plies[i].Wall = 1500 * time.Millisecond
			}
			r.Seconds = 100
		}},
		{"over its CPU time", "of CPU time", func(p *arena.Plan) { p.Limit = arena.Limit{CPU: time.Second} }, func(r *arena.Game) { r.Plies[0].CPU = 3 * time.Second }},
		{"a negative time", "a negative time", oneSecond, func(r *arena.Game) { r.Plies[0].Wall = -1 }},
		{"a negative idle time", "a negative time", oneSecond, func(r *arena.Game) { r.Idle[0] = -1 }},
		{"the other one's move", "seat 2, but it is the turn of seat 1", nil, func(r *arena.Game) { r.Plies[0].Seat = game.Second }},
		{"longer than the game", "its moves took", nil, func(r *arena.Game) { r.Plies[0].Wall = 20 * time.Second }},
		{"no time at all", "the game NaN s", nil, func(r *arena.Game) { r.Seconds = math.NaN() }},
	} {
		p := plan(nim.New(21), "none")
		p.Limit, p.Engines[0].Limit = arena.Limit{Depth: 1}, arena.Limit{}
		if tt.plan != nil {
			tt.plan(p)
		}
		rec := honest(t, p)
		rec.Plies = slices.Clone(rec.Plies)
		tt.tell(rec)
		err := Verify(p, job(0), start(t, p.Game), rec)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: err = %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Where both seats move at once, a claim about one of them is checked as well.
func TestHole13ClaimsAboutBoth(t *testing.T) {
	p := plan(nim.NewBoth(21, 0), "none")
	for detail, want := range map[string]bool{"a1: anything": false, "9: take 1 to 3": true, "1: take 1 to 3": false} {
		rec := &arena.Game{
			Job: job(0), Start: start(t, p.Game).String(), Source: arena.Faulted, Blamed: game.Second,
			Fault: &game.Fault{Kind: game.FaultIllegal, Detail: detail},
		}
		rec.Outcome = game.Outcome{Winner: game.First, Reason: reasonOf(rec.Fault)}
		if err := Verify(p, job(0), start(t, p.Game), rec); (err == nil) != want {
			t.Errorf("%s: %v", detail, err)
		}
	}
}

func plyCap(p *arena.Plan) { p.Adjudicate.MaxPlies = 3 }

func oneSecond(p *arena.Plan) {
	p.Limit = arena.Limit{Move: time.Second, Grace: 100 * time.Millisecond}
}
