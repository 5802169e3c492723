package hex

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"thera/engine/gametest"
)

func botOf(t testing.TB, options ...string) *bot {
	t.Helper()
	b := newBot()
	for i := 0; i < len(options); i += 2 {
		if err := b.set(options[i], options[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// playGame returns the winning colour.
func playGame(p *position, bots map[colour]*bot) colour {
	for _, b := range bots {
		b.reset(p.rules.Size)
	}
	for p.winner == none {
		c := bots[p.turn].choose(context.Background(), p.rules.Size, p.stones.cells, p.turn)
		p = p.put(c.cell)
	}
	return p.winner
}

// playPairs plays from single first stones, each both ways, and returns a's
// wins.
func playPairs(t testing.TB, size, games int, a, b *bot) int {
	t.Helper()
	wins := 0
	empty := sized(t, size, false).empty()
	for i := range games / 2 {
		first := (i*17 + 3) % (size * size)
		if playGame(empty.put(first), map[colour]*bot{black: a, white: b}) == black {
			wins++
		}
		if playGame(empty.put(first), map[colour]*bot{black: b, white: a}) == white {
			wins++
		}
		if gametest.Long(t) && i%5 == 4 {
			t.Logf("%d wins of %d games", wins, 2*i+2)
		}
	}
	return wins
}

func TestPlayerBeatsRandomLong(t *testing.T) {
	size, games := 7, 6
	if gametest.Long(t) {
		size, games = 11, 100
	}
	wins := playPairs(t, size, games, botOf(t, "playouts", "60"), botOf(t, "bot", "random"))
	if wins != games {
		t.Errorf("%d wins of %d games", wins, games)
	}
}

// The shipped two-distance bot, on 11 x 11. A second a move is well over
// 5,000 playouts on one core; these must do.
func TestPlayerBeatsTwoDistanceLong(t *testing.T) {
	size, games, playouts, share := 7, 4, "200", 0.5
	if gametest.Long(t) {
		size, games, playouts, share = 11, 100, "5000", 0.9
	}
	begin := time.Now()
	wins := playPairs(t, size, games, botOf(t, "playouts", playouts), botOf(t, "bot", "two-distance"))
	t.Logf("%d wins of %d games in %v", wins, games, time.Since(begin))
	if float64(wins) < share*float64(games) {
		t.Errorf("%d wins of %d games, want %v", wins, games, share*float64(games))
	}
}

// Ten times the playouts, which is ten times the time.
func TestPlayerBeatsItsTenthLong(t *testing.T) {
	size, games, much, little, share := 6, 4, "400", "40", 0.5
	if gametest.Long(t) {
		size, games, much, little, share = 9, 100, "2000", "200", 0.65
	}
	begin := time.Now()
	wins := playPairs(t, size, games, botOf(t, "playouts", much, "seed", "1"), botOf(t, "playouts", little, "seed", "2"))
	t.Logf("%d wins of %d games in %v", wins, games, time.Since(begin))
	if float64(wins) < share*float64(games) {
		t.Errorf("%d wins of %d games, want %v", wins, games, share*float64(games))
	}
}

// Positions in which the mover wins with one stone, or must stop the opponent
// from it, are played right: from our own recorded games, and from the strong
// bot's where they are present.
func TestPlayerSeesWinsAndLossesInOneLong(t *testing.T) {
	games := readGames(t, "testdata/games.jsonl.gz")
	if _, err := os.Stat(wolvePath); err == nil {
		games = append(games, readGames(t, wolvePath)...)
	}
	step := 40
	if gametest.Long(t) {
		step = 1
	}
	wins, blocks := 0, 0
	for i := 0; i < len(games); i += step {
		p := sized(t, games[i].Size, false).empty()
		var before []*position
		for _, word := range strings.Fields(games[i].Moves) {
			before = append(before, p)
			next, why := p.step(word)
			if why != "" {
				t.Fatal(why)
			}
			if p = next; p.winner != none {
				break
			}
		}
		if p.winner == none || len(before) < 2 {
			continue
		}
		b := botOf(t, "playouts", "1")
		if c := b.choose(context.Background(), p.rules.Size, before[len(before)-1].stones.cells, p.winner); before[len(before)-1].put(c.cell).winner != p.winner {
			t.Errorf("%s: %s does not win", before[len(before)-1], cellName(c.cell, p.rules.Size))
		}
		wins++
		// One move earlier the loser could still have taken the winning cell,
		// and should unless there were two, or it had a win of its own.
		q := before[len(before)-2]
		if winsInOne(q, p.winner) != 1 || winsInOne(q, q.turn) > 0 {
			continue
		}
		if c := b.choose(context.Background(), q.rules.Size, q.stones.cells, q.turn); winsInOne(q.put(c.cell), p.winner) != 0 {
			t.Errorf("%s: %s lets %v win", q, cellName(c.cell, q.rules.Size), p.winner)
		}
		blocks++
	}
	if wins == 0 || blocks == 0 {
		t.Errorf("%d wins and %d blocks seen", wins, blocks)
	}
	t.Logf("%d wins in one, %d losses in one", wins, blocks)
}

// winsInOne counts the cells on which c would win at once.
func winsInOne(p *position, c colour) int {
	n := 0
	for cell, holds := range p.stones.cells {
		if holds == none {
			s := p.stones.clone()
			if s.put(cell, c) {
				n++
			}
		}
	}
	return n
}

// The search proves small boards: the first player wins from the middle.
func TestSearchProvesSmallBoards(t *testing.T) {
	th := newThinker(3, 1)
	c := th.search(context.Background(), make([]colour, 9), black, budget{playouts: 50_000})
	if !c.proven || c.value != 1 {
		t.Errorf("3 x 3: %+v", c)
	}
	board := make([]colour, 9)
	board[4] = black // b2 wins for whoever put it there
	if c := th.search(context.Background(), board, white, budget{playouts: 50_000}); !c.proven || c.value != 0 {
		t.Errorf("after b2: %+v", c)
	}
}

func TestSearchIsRepeatable(t *testing.T) {
	first := newThinker(7, 5).search(context.Background(), make([]colour, 49), black, budget{playouts: 300})
	again := newThinker(7, 5).search(context.Background(), make([]colour, 49), black, budget{playouts: 300})
	if first != again || first.playouts != 300 {
		t.Errorf("%+v, then %+v", first, again)
	}
}

func TestPlayoutsFillTheBoard(t *testing.T) {
	for _, bridges := range []bool{false, true} {
		f := newField(6, 3)
		wins := map[colour]int{}
		for range 2000 {
			f.load(make([]colour, 36))
			won := f.playout(black, bridges)
			cells := make([]colour, 36)
			stones := map[colour]int{}
			for i, at := range f.inner {
				cells[i] = f.cells[at]
				stones[cells[i]]++
			}
			if stones[black] != 18 || stones[white] != 18 || slowWinner(cells, 6) != won {
				t.Fatalf("stones %v, winner %v, by flood fill %v", stones, won, slowWinner(cells, 6))
			}
			wins[won]++
		}
		if wins[black] < 900 || wins[white] < 600 {
			t.Errorf("bridges %v: wins %v", bridges, wins)
		}
	}
}

// Two-distances on boards that can be told by hand.
func TestPotential(t *testing.T) {
	m := newMeter(3)
	if least, ways := m.potential(black); least != 4 || ways == 0 {
		t.Errorf("empty 3 x 3: %d, %d", least, ways)
	}
	m.board[4] = black // bridges to both edges
	if least, _ := m.potential(black); least != 3 {
		t.Errorf("with the middle: %d", least)
	}
	m.board[1], m.board[7] = black, black
	if least, _ := m.potential(black); least != 0 {
		t.Errorf("joined: %d", least)
	}
	if least, _ := m.potential(white); least < far {
		t.Errorf("white, cut off: %d", least)
	}
}

func TestSignature(t *testing.T) {
	signature := func(switches map[string]string) int64 {
		switches["playouts"] = "60"
		n, err := New().Signature(context.Background(), switches)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	first := signature(map[string]string{})
	if again := signature(map[string]string{"swap": "true"}); again != first || first < 100 {
		t.Errorf("%d nodes, then %d", first, again)
	}
	if other := signature(map[string]string{"seed": "9"}); other == first {
		t.Errorf("%d nodes with either seed", other)
	}
	if _, err := New().Signature(context.Background(), map[string]string{"magic": "1"}); err == nil {
		t.Error("an unknown switch is accepted")
	}
}

func TestExpect(t *testing.T) {
	expect := func(text string) float64 {
		e, err := New().Expect(context.Background(), parse(t, sized(t, 3, true), text), 200_000)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	for text, want := range map[string]float64{
		"3 b2":                     1, // white to move has lost
		"3 b2 swap":                0, // and is the first program now
		"2 a1 b2 b1":               1, // over
		"3 a1 swap c3 b1 c2 c1":    0,
		"3":                        1, // black moves to the middle
		"4 d4 c1 d3 c2 d2 c3 a1":   0, // white wins on c4
		"3 a1 a2 a3 b1":            1,
		"2 a1 b1 b2":               0, // white's a2 joins
		"3 a1 b1 a2 b2 a3":         0, // b3
		"5 c3 a1 b4 a2 d2 a3 a5":   1, // bridges to both edges
		"5 c3 swap a1 b4 a2 d2 a3": 0,
	} {
		if got := expect(text); got < want-0.05 || got > want+0.05 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
