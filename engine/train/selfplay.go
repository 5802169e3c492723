package train

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"

	"thera/engine/game"
)

// Self is a player that plays against itself.
type Self[P any] struct {
	Start    func(random *rand.Rand) P
	Outcome  func(p P) (winner game.Seat, over bool)
	Mover    func(p P) game.Seat
	Random   func(p P, random *rand.Rand) P // after a random move
	Search   func(ctx context.Context, p P) (next P, score int)
	NewGame  func() error
	Text     func(p P) string // as Recipe.Position reads it
	MaxPlies int              // after which a game is drawn
}

// repetitions of a position draw a game.
const repetitions = 5

// line is a position as a game is played.
type line struct {
	text  string
	mover game.Seat
	score int
	aside bool // it stands beside the game, after a random move
}

// Play writes games, one position a line: the number of the game, the score of the search
// for the side to move, how the game ended for it (1, 0 or -1, or ? after a random move),
// and the position. A game begins with one to plies random moves. The same seed gives the
// same games.
func (s *Self[P]) Play(ctx context.Context, w io.Writer, games, plies int, seed uint64) error {
	for g := range games {
		if err := s.NewGame(); err != nil {
			return err
		}
		lines, winner, err := s.one(ctx, plies, rand.New(rand.NewPCG(seed, uint64(g))))
		if err != nil {
			return err
		}
		for _, l := range lines {
			if _, err := fmt.Fprintf(w, "%d %d %s %s\n", g, l.score, l.outcome(winner), l.text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *line) outcome(winner game.Seat) string {
	switch {
	case l.aside:
		return "?"
	case winner == game.None:
		return "0"
	case winner == l.mover:
		return "1"
	}
	return "-1"
}

func (s *Self[P]) one(ctx context.Context, plies int, random *rand.Rand) (lines []line, winner game.Seat, err error) {
	search := func(p P, aside bool) (next P) {
		next, score := s.Search(ctx, p)
		lines = append(lines, line{s.Text(p), s.Mover(p), score, aside})
		return next
	}
	p := s.Start(random)
	for range 1 + random.IntN(plies) {
		if _, over := s.Outcome(p); over {
			break
		}
		p = s.Random(p, random)
	}
	seen := map[string]int{}
	for ply := range s.MaxPlies {
		if winner, over := s.Outcome(p); over {
			return lines, winner, nil
		}
		if seen[s.Text(p)]++; seen[s.Text(p)] == repetitions {
			break
		}
		next := search(p, false)
		if ply%3 == 2 {
			other := s.Random(p, random)
			if _, over := s.Outcome(other); !over {
				search(other, true)
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		p = next
	}
	return lines, game.None, nil
}
