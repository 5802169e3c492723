package player

import (
	"context"
	"math/rand/v2"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/gyges/rules"
	"thera/engine/search"
)

// chooser picks a legal move of a position that is not over.
type chooser func(p *rules.Position) rules.Move

// searcher is the built-in player with its own limits.
func searcher(t testing.TB, limits search.Limits, eval string) chooser {
	p := New(4 << 20)
	if err := p.Set(OptionEval, eval); err != nil {
		t.Fatal(err)
	}
	return func(pos *rules.Position) rules.Move {
		return p.Search(context.Background(), Task(pos), limits, nil).Move
	}
}

func randomMover(seed uint64) chooser {
	rng, w := rand.New(rand.NewPCG(seed, 5)), rules.NewGenerator()
	return func(p *rules.Position) rules.Move {
		moves := w.Moves(p.Board(), p.Mover(), nil)
		return moves[rng.IntN(len(moves))]
	}
}

// playGame returns the first chooser's points: 1, 0.5 or 0.
func playGame(p *rules.Position, first, second chooser) float64 {
	for p.ToMove() != 0 {
		mover := first
		if p.Mover() == game.Second {
			mover = second
		}
		next, err := p.Play(game.By(p.Mover(), mover(p).String()))
		if err != nil {
			panic(err)
		}
		p = next.(*rules.Position)
	}
	switch o, _ := p.Outcome(); o.Winner {
	case game.First:
		return 1
	case game.Second:
		return 0
	}
	return 0.5
}

// playPairs plays each of some random placements twice, with changed seats, and
// returns a's points.
func playPairs(t testing.TB, games int, a, b chooser) float64 {
	points := 0.0
	for i := range games / 2 {
		board := rules.RandomPlacement(rand.New(rand.NewPCG(uint64(i), 0x67796765)))
		pos := rules.Settings{NoMove: "loss", MaxPlies: 200}.NewPosition(board, game.First)
		points += playGame(pos, a, b)
		points += 1 - playGame(pos, b, a)
	}
	return points
}

func TestPlayerBeatsRandomLong(t *testing.T) {
	gametest.Sequential(t)
	games := 10
	if gametest.Long(t) {
		games = 100
	}
	if points := playPairs(t, games, searcher(t, search.Limits{Nodes: 2000}, "net"), randomMover(1)); points != float64(games) {
		t.Errorf("%v points of %d games", points, games)
	}
}

// The net is worth more than the evaluation by hand. Under node limits the games are the
// same on every machine.
func TestNetBeatsHandLong(t *testing.T) {
	gametest.Sequential(t)
	games, nodes, share := 20, int64(200), 0.55
	if gametest.Long(t) {
		games, nodes, share = 200, 2000, 0.65
	}
	limits := search.Limits{Nodes: nodes}
	points := playPairs(t, games, searcher(t, limits, "net"), searcher(t, limits, "hand"))
	t.Logf("%v of %d games", points, games)
	if points < share*float64(games) {
		t.Errorf("%v points of %d games, want %v", points, games, share*float64(games))
	}
}

func TestSignature(t *testing.T) {
	gametest.Sequential(t)
	signature := func(switches map[string]string) int64 {
		n, err := Builtin{}.Signature(context.Background(), switches)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := signature(nil)
	if again := signature(map[string]string{"history": "true"}); again != first {
		t.Errorf("%d nodes, then %d", first, again)
	}
	if other := signature(map[string]string{"history": "false"}); other == first {
		t.Errorf("%d nodes with and without history", other)
	}
	if _, err := (Builtin{}).Signature(context.Background(), map[string]string{"magic": "true"}); err == nil {
		t.Error("an unknown switch is accepted")
	}
}

func read(t *testing.T, text string) *rules.Position {
	t.Helper()
	p, err := rules.Default().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExpect(t *testing.T) {
	expect := func(text string) float64 {
		e, err := Builtin{}.Expect(context.Background(), read(t, text), 3000)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for text, want := range map[string]float64{
		"000000/000000/000000/000000/222333/111123 1":        1, // wins at once
		"303030/222211/000001/130000/000000/000000 1":        0, // has no move
		"000000/000000/000000/000000/222033/111123 2 goal:1": 1,
		"023000/000003/301011/000000/220321/000000 1":        0, // every move loses
	} {
		if got := expect(text); got < want-0.01 || got > want+0.01 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	if a, b := expect("start 1"), expect("start 2"); a+b < 0.99 || a+b > 1.01 || a < 0.2 || a > 0.8 {
		t.Errorf("the mirrored starts are worth %v and %v to the first seat", a, b)
	}
}
