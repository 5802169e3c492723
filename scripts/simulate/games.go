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

// The shape of the recorded games.
const (
	openings     = 8
	openingPlies = 4
	leastPlies   = 25 // after the opening
	mostPlies    = 35
	limitNodes   = 20_000
)

// book has one recorded game for each opening. The same seed gives the same book in every
// process.
type book struct {
	positions []string
	games     map[string]*arena.Game // by the opening
}

// newBook makes a book of random legal moves with random figures, as an engine reports them.
func newBook(seed uint64) (*book, error) {
	dice := rand.New(rand.NewPCG(seed, 1))
	b := &book{games: map[string]*arena.Game{}}
	for len(b.positions) < openings {
		pos, err := santorini.New().Start(0, 0)
		if err != nil {
			return nil, err
		}
		g := &arena.Game{Source: arena.Natural}
		for ply, over := 0, false; !over; ply++ {
			if ply == openingPlies {
				g.Start, g.Roles = pos.String(), santorini.New().RolesIn(pos)
				g.Moves, g.Plies, g.Seconds = nil, nil, 0
			}
			seat, wall := pos.ToMove().Only(), time.Duration(40+dice.IntN(50))*time.Millisecond // mortals move in turn
			moves := pos.Moves(seat)
			turn := game.By(seat, moves[dice.IntN(len(moves))])
			if pos, err = pos.Play(turn); err != nil {
				return nil, err
			}
			g.Moves, g.Seconds = append(g.Moves, turn.String()), g.Seconds+wall.Seconds()
			g.Plies = append(g.Plies, arena.Ply{
				Seat: seat, Wall: wall, CPU: wall - time.Duration(dice.IntN(1_000_000)), Depth: 5 + dice.IntN(5),
				Nodes: limitNodes - int64(dice.IntN(200)), Score: dice.IntN(600) - 300, Scored: true,
			})
			g.Outcome, over = pos.Outcome()
		}
		if n := len(g.Moves); g.Start != "" && n >= leastPlies && n <= mostPlies && b.games[g.Start] == nil {
			b.positions = append(b.positions, g.Start)
			b.games[g.Start] = g
		}
	}
	return b, nil
}

// record returns the recorded game of a job, or nil if none begins at its start.
func (b *book) record(job arena.Job, start string) *arena.Game {
	if b.games[start] == nil {
		return nil
	}
	g := *b.games[start]
	g.Job, g.Moves, g.Plies = job, slices.Clone(g.Moves), slices.Clone(g.Plies)
	return &g
}

// plan is a run of games from the openings of the book.
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
