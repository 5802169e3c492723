package train

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"thera/engine/game"
)

// Self is a player that plays against itself.
type Self[P any] struct {
	Start    func(random *rand.Rand) P
	Outcome  func(p P) (winner game.Seat, over bool)
	Mover    func(p P) game.Seat
	Random   func(p P, random *rand.Rand) P // the position after a random move
	Search   func(ctx context.Context, p P) (next P, score int)
	NewGame  func() error
	Text     func(p P) string // as Recipe.Position reads it
	Keep     func(p P) bool   // whether a position is written, nil for all
	MaxPlies int              // after which a game is drawn
}

// repetitions is how often a position must occur to draw a game.
const repetitions = 5

// line is a position of a game that is being played.
type line struct {
	text     string
	mover    game.Seat
	score    int
	detached bool // as in Sample
}

// Player plays a game and returns its lines.
type Player func(ctx context.Context, game int) ([]byte, error)

// Play writes games in order. The players play at the same time, and share the games.
func Play(ctx context.Context, w io.Writer, games int, players []Player) error {
	type played struct {
		text []byte
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	done := make([]chan played, len(players)) // game g is of player g modulo their number
	for i, play := range players {
		done[i] = make(chan played, 1)
		wait.Go(func() {
			for g := i; g < games && ctx.Err() == nil; g += len(players) {
				text, err := play(ctx, g)
				select {
				case done[i] <- played{text, err}:
				case <-ctx.Done():
				}
			}
		})
	}
	for g := range games {
		select {
		case p := <-done[g%len(players)]:
			if p.err != nil {
				return p.err
			}
			if _, err := w.Write(p.text); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Player returns a player that writes one position a line: the number of the game, the
// search's score for the side to move, the outcome for that side (1, 0 or -1, or ? if the
// position is detached), and the position. A game begins with one to plies random moves. The
// same seed and number give the same game.
func (s *Self[P]) Player(plies int, seed uint64) Player {
	return func(ctx context.Context, game int) (text []byte, err error) {
		if err := s.NewGame(); err != nil {
			return nil, err
		}
		lines, winner, err := s.one(ctx, plies, rand.New(rand.NewPCG(seed, uint64(game))))
		for _, l := range lines {
			text = fmt.Appendf(text, "%d %d %s %s\n", game, l.score, l.outcome(winner), l.text)
		}
		return text, err
	}
}

func (l *line) outcome(winner game.Seat) string {
	switch {
	case l.detached:
		return "?"
	case winner == game.None:
		return "0"
	case winner == l.mover:
		return "1"
	}
	return "-1"
}

func (s *Self[P]) one(ctx context.Context, plies int, random *rand.Rand) (lines []line, winner game.Seat, err error) {
	search := func(p P, detached bool) (next P) {
		next, score := s.Search(ctx, p)
		if s.Keep == nil || s.Keep(p) {
			lines = append(lines, line{s.Text(p), s.Mover(p), score, detached})
		}
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
			if _, over := s.Outcome(other); !over && (s.Keep == nil || s.Keep(other)) {
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
