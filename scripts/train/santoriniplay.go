package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"

	"thera/engine/game"
	"thera/engine/santorini/player"
	"thera/engine/santorini/player/net"
	"thera/engine/santorini/rules"
	"thera/engine/train"
)

// santoriniGames reads positions of Santorini. It has no shape, because fit.py fits the net.
var santoriniGames = train.Recipe[rules.State, net.Net]{
	Name: "santorini",
	Position: func(text string) (rules.State, error) {
		p, _, err := rules.Parse(text)
		return p, err
	},
}

// playSantorini declares the flags of self-play.
func playSantorini(flags *flag.FlagSet) func() (playing, error) {
	list := flags.String("gods", "mortal", "gods, separated by commas, each of which meets each; all for every god that engines play")
	prepare := selfPlay(flags, 6, 1000, nil, func(nodes int64, byHand bool, _ *net.Net) (*train.Self[*rules.State], error) {
		return santoriniSelf(nodes, byHand, strings.Split(*list, ","))
	})
	return func() (playing, error) {
		p, err := prepare()
		p.header += ", gods " + *list
		return p, err
	}
}

// santoriniSelf plays match-ups of gods, each against each. Games begin with all workers
// placed at random. Only quiet positions are written, because a search solves the others.
func santoriniSelf(nodes int64, byHand bool, gods []string) (*train.Self[*rules.State], error) {
	matchups, err := matchupsOf(gods)
	if err != nil {
		return nil, err
	}
	engine, list := player.New(), rules.NewMoveList()
	eval := "net"
	if byHand {
		eval = "hand"
	}
	if err := errors.Join(engine.Set("hash", "4"), engine.Set("eval", eval)); err != nil {
		return nil, err
	}
	after := func(p *rules.State, random *rand.Rand) *rules.State {
		list.Generate(p)
		next := list.Child(p, list.Moves[random.IntN(len(list.Moves))])
		return &next
	}
	outcome := func(p *rules.State) (game.Seat, bool) {
		if p.Winner != 0 {
			return game.Seat(p.Winner), true
		}
		list.Generate(p)
		return game.Seat(2 - p.Mover&1), len(list.Moves) == 0
	}
	return &train.Self[*rules.State]{
		Start: func(random *rand.Rand) *rules.State {
			p := rules.Start(matchups[random.IntN(len(matchups))], random.IntN(2) == 0)
			at := &p
			for at.Placing() {
				if _, over := outcome(at); over {
					break
				}
				at = after(at, random)
			}
			return at
		},
		Outcome: outcome,
		Mover:   func(p *rules.State) game.Seat { return game.Seat(p.Mover&1 + 1) },
		Random:  after,
		Search: func(ctx context.Context, p *rules.State) (*rules.State, int) {
			r := engine.Search(ctx, p, player.Limits{Nodes: nodes}, nil)
			return &r.Next, r.Score
		},
		NewGame:  func() error { engine.NewGame(); return nil },
		Text:     func(p *rules.State) string { return rules.Text(p, rules.V2) },
		Keep:     func(p *rules.State) bool { return quiet(list, p) },
		MaxPlies: 300,
	}, nil
}

// matchupsOf lists the match-ups of gods that are played, as in a match file.
func matchupsOf(names []string) ([]rules.Matchup, error) {
	chosen, problems := (&rules.GodOpenings{List: names, Matchups: "all"}).Choose("")
	if len(problems) > 0 {
		return nil, fmt.Errorf("-gods: %w", problems[0].Err)
	}
	list := make([]rules.Matchup, len(chosen))
	for i, m := range chosen {
		var known bool
		if list[i], known = m.Gods(); !known {
			return nil, fmt.Errorf("-gods: unknown god in %q", m)
		}
	}
	return list, nil
}

// quiet reports whether neither side could win with one turn.
func quiet(list *rules.MoveList, p *rules.State) bool {
	for side := range uint8(2) {
		q := *p
		q.Mover = side
		if list.GenerateWins(&q); len(list.Moves) > 0 {
			return false
		}
	}
	return true
}
