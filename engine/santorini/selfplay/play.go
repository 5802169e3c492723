package selfplay

import (
	"context"
	"fmt"
	"math/rand/v2"

	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// maxPlies ends games that go on, which a few match-ups of gods allow.
const maxPlies = 300

// author plays games with one player.
type author struct {
	header   Header
	matchups []rules.Matchup
	player   *player.Player
	list     *rules.MoveList
}

func newAuthor(h Header, matchups []rules.Matchup) (*author, error) {
	a := &author{header: h, matchups: matchups, player: player.New(), list: rules.NewMoveList()}
	if err := a.player.Set("hash", "4"); err != nil {
		return nil, err
	}
	for name, value := range h.Options {
		if err := a.player.Set(name, value); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// matchupsOf lists the match-ups of the gods of h that are played.
func matchupsOf(h Header) ([]rules.Matchup, error) {
	gods, err := rules.ParseGods(h.Gods)
	if err != nil {
		return nil, err
	}
	var list []rules.Matchup
	for _, first := range gods {
		for _, second := range gods {
			if m := (rules.Matchup{first, second}); rules.Banned(m) == nil {
				list = append(list, m)
			}
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no match-up of %q is played", h.Gods)
	}
	return list, nil
}

// play plays game number n.
func (a *author) play(ctx context.Context, n int64) (*Game, error) {
	random := rand.New(rand.NewPCG(a.header.Seed, uint64(n)))
	at, g := a.opening(random)
	a.player.NewGame()
	for at.Winner == 0 && g.Plies < maxPlies && ctx.Err() == nil {
		r := a.player.Search(ctx, &at, player.Limits{Nodes: a.header.Nodes}, nil)
		if r.Found && a.quiet(&at) {
			g.Samples = append(g.Samples, Sample{State: at, Score: r.Score})
		}
		if sign, _ := search.Proven(r.Score); sign != 0 { // the outcome is known, also of a blocked mover
			g.Winner = int(at.Mover&1) + 1
			if sign < 0 {
				g.Winner = 3 - g.Winner
			}
			return g, ctx.Err()
		}
		if random.IntN(asideEvery) == 0 {
			a.aside(ctx, &at, random, g)
		}
		at = r.Next
		g.Plies++
	}
	g.Winner = int(at.Winner)
	return g, ctx.Err()
}

// asideEvery is how often, one turn in so many, a random turn is looked at too. Most
// leaves of a search come after poor turns, which no game shows.
const asideEvery = 3

// aside adds the position after a random turn from at, if it is quiet.
func (a *author) aside(ctx context.Context, at *rules.State, random *rand.Rand, g *Game) {
	a.list.Generate(at)
	next := a.list.Child(at, a.list.Moves[random.IntN(len(a.list.Moves))])
	if next.Winner != 0 || !a.quiet(&next) {
		return
	}
	if r := a.player.Search(ctx, &next, player.Limits{Nodes: a.header.Nodes}, nil); r.Found {
		g.Samples = append(g.Samples, Sample{State: next, Score: r.Score, Aside: true})
	}
}

// opening plays random turns, an odd or an even number, until one ends in a position
// that is not decided yet.
func (a *author) opening(random *rand.Rand) (rules.State, *Game) {
	for {
		m := a.matchups[random.IntN(len(a.matchups))]
		at := rules.Start(m, random.IntN(2) == 0)
		plies := a.header.Plies + random.IntN(2)
		g := &Game{Gods: m}
		for at.Winner == 0 {
			if !at.Placing() {
				if g.Plies == plies {
					return at, g
				}
				g.Plies++
			}
			a.list.Generate(&at)
			if len(a.list.Moves) == 0 {
				break
			}
			at = a.list.Child(&at, a.list.Moves[random.IntN(len(a.list.Moves))])
		}
	}
}

// quiet reports whether neither side could win with one turn.
func (a *author) quiet(p *rules.State) bool {
	if p.Placing() {
		return false
	}
	for side := range uint8(2) {
		q := *p
		q.Mover = side
		if a.list.GenerateWins(&q); len(a.list.Moves) > 0 {
			return false
		}
	}
	return true
}
