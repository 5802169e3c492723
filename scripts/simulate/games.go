package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/engine/game"
	"thera/engine/santorini"
)

// What the recorded games are like.
const (
	openings     = 8
	openingPlies = 4
	leastPlies   = 25 // after the opening
	mostPlies    = 35
	limitNodes   = 20_000
)

// book has one recorded game for each opening. It is the same for every process that
// makes it from one seed.
type book struct {
	positions []string
	games     map[string]*arena.Game // by the opening
}

// newBook plays random legal moves.
func newBook(seed uint64) (*book, error) {
	dice := rand.New(rand.NewPCG(seed, 1))
	b := &book{games: map[string]*arena.Game{}}
	for len(b.positions) < openings {
		start, err := santorini.New().Start(0, 0)
		if err != nil {
			return nil, err
		}
		pos, _, err := wander(start, openingPlies, dice)
		if err != nil {
			return nil, err
		}
		if _, over := pos.Outcome(); over || b.games[pos.String()] != nil {
			continue
		}
		rec, err := recorded(pos, dice)
		if err != nil {
			return nil, err
		}
		b.positions = append(b.positions, pos.String())
		b.games[pos.String()] = rec
	}
	return b, nil
}

// wander plays at most so many random plies.
func wander(pos game.Position, plies int, dice *rand.Rand) (game.Position, []string, error) {
	var played []string
	for range plies {
		if _, over := pos.Outcome(); over {
			break
		}
		seat := pos.ToMove().Only()
		moves := pos.Moves(seat)
		turn := game.By(seat, moves[dice.IntN(len(moves))])
		next, err := pos.Play(turn)
		if err != nil {
			return nil, nil, err
		}
		pos, played = next, append(played, turn.String())
	}
	return pos, played, nil
}

// recorded is a random game of a usual length from a position, with the figures that an
// engine would give.
func recorded(start game.Position, dice *rand.Rand) (*arena.Game, error) {
	best := &arena.Game{}
	for len(best.Moves) < leastPlies || len(best.Moves) > mostPlies {
		end, moves, err := wander(start, 1000, dice)
		if err != nil {
			return nil, err
		}
		best.Moves = moves
		best.Outcome, _ = end.Outcome()
	}
	seat := start.ToMove().Only()
	for range best.Moves { // mortals move in turn
		wall := time.Duration(40+dice.IntN(50)) * time.Millisecond
		best.Plies = append(best.Plies, arena.Ply{
			Seat: seat, Wall: wall, CPU: wall - time.Duration(dice.IntN(1_000_000)), Depth: 5 + dice.IntN(5),
			Nodes: limitNodes - int64(dice.IntN(200)), Score: dice.IntN(600) - 300, Scored: true,
		})
		best.Seconds += wall.Seconds()
		seat = seat.Other()
	}
	best.Start, best.Source = start.String(), arena.Natural
	best.Roles = santorini.New().RolesIn(start)
	return best, nil
}

// record is the recorded game of a job, or nil if there is none from its start.
func (b *book) record(job arena.Job, start string) *arena.Game {
	of := b.games[start]
	if of == nil {
		return nil
	}
	rec := *of
	rec.Job = job
	rec.Moves, rec.Plies = slices.Clone(of.Moves), slices.Clone(of.Plies)
	return &rec
}

// plan is a run of so many games from the openings of the book.
func (b *book) plan(games int, seed uint64) *arena.Plan {
	sum := sha256.Sum256([]byte(strings.Join(b.positions, "\n")))
	plan := &arena.Plan{
		Name: "simulate", Game: santorini.New(), Seed: seed, Concurrency: 1,
		Format:   arena.Format{Name: "round-robin", Rounds: (games + 1) / 2, Pairs: true},
		Openings: arena.Openings{Positions: b.positions, Count: len(b.positions), Hash: hex.EncodeToString(sum[:]), Repeat: true},
		Limit:    arena.Limit{Nodes: limitNodes},
	}
	for _, name := range []string{"a", "b"} {
		plan.Engines = append(plan.Engines, arena.EngineSpec{Name: name, Command: []string{"engine-" + name}, OnFault: arena.FaultForfeit})
	}
	return plan
}
