package all

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
)

// A baseline is an opponent for years: what it plays must not change unseen.
func TestBaselinesStayTheSame(t *testing.T) {
	gametest.Sequential(t)
	for _, g := range Games() {
		for _, b := range Player(g.Name()).Baselines() {
			t.Run(g.Name()+" "+b.Name, func(t *testing.T) {
				random, hash := rand.New(rand.NewPCG(7, 11)), sha256.New()
				for i := range 2 {
					history := start(t, g, uint64(i))
					for history.Ply < 4 {
						var err error
						if history, err = history.Play(game.RandomTurn(history.Position, random.IntN)); err != nil {
							t.Fatal(err)
						}
					}
					baseline := side{b.Options, game.Ask{Nodes: b.Nodes}}
					played, outcome := playGame(t, g, g.Dialects()[0], history, [2]side{baseline, baseline}, 60)
					fmt.Fprintln(hash, played.Turns(), outcome)
				}
				if plays := fmt.Sprintf("%x", hash.Sum(nil)[:8]); plays != b.Plays {
					t.Errorf("%s plays %s, not %s: give it options with which it plays as before, or write down the new hash: "+
						"then it is another baseline", b.Name, plays, b.Plays)
				}
			})
		}
	}
}

func start(t *testing.T, g game.Game, seed uint64) *game.History {
	t.Helper()
	pos, err := g.Start(0, seed)
	if err != nil {
		t.Fatal(err)
	}
	return game.Begin(pos)
}
