package player

import (
	"context"
	"testing"
	"time"

	"thera/engine/gametest"
	"thera/engine/hex/rules"
)

func botOf(t testing.TB, options ...string) *Player {
	t.Helper()
	b := New()
	for i := 0; i < len(options); i += 2 {
		if err := b.Set(options[i], options[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// playGame returns the winning colour.
func playGame(p *rules.Position, bots map[rules.Colour]*Player) rules.Colour {
	for _, b := range bots {
		b.Reset(p.Size())
	}
	for p.Winner() == rules.None {
		c := bots[p.Turn()].Choose(context.Background(), p.Size(), p.Cells(), p.Turn())
		p = p.Put(c.Cell)
	}
	return p.Winner()
}

// playPairs plays from single first stones, each twice with changed seats, and
// returns a's wins.
func playPairs(t testing.TB, size, games int, a, b *Player) int {
	t.Helper()
	wins := 0
	empty := rules.Settings{Size: size}.Empty()
	for i := range games / 2 {
		first := (i*17 + 3) % (size * size)
		if playGame(empty.Put(first), map[rules.Colour]*Player{rules.Black: a, rules.White: b}) == rules.Black {
			wins++
		}
		if playGame(empty.Put(first), map[rules.Colour]*Player{rules.Black: b, rules.White: a}) == rules.White {
			wins++
		}
		if gametest.Long(t) && i%5 == 4 {
			t.Logf("%d wins of %d games", wins, 2*i+2)
		}
	}
	return wins
}

func TestPlayerBeatsRandomLong(t *testing.T) {
	gametest.Sequential(t)
	size, games := 7, 6
	if gametest.Long(t) {
		size, games = 11, 100
	}
	wins := playPairs(t, size, games, botOf(t, "playouts", "60"), botOf(t, "bot", "random"))
	if wins != games {
		t.Errorf("%d wins of %d games", wins, games)
	}
}

// Ten times the playouts, which is ten times the time.
func TestPlayerBeatsItsTenthLong(t *testing.T) {
	gametest.Sequential(t)
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

func TestSignature(t *testing.T) {
	gametest.Sequential(t)
	signature := func(switches map[string]string) int64 {
		switches["playouts"] = "60"
		n, err := (Builtin{}).Signature(context.Background(), switches)
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
	if _, err := (Builtin{}).Signature(context.Background(), map[string]string{"magic": "1"}); err == nil {
		t.Error("an unknown switch is accepted")
	}
}

func parse(t *testing.T, text string) *rules.Position {
	t.Helper()
	p, err := rules.Settings{Size: 3, Swap: true}.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExpect(t *testing.T) {
	expect := func(text string) float64 {
		e, err := (Builtin{}).Expect(context.Background(), parse(t, text), 200_000)
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
