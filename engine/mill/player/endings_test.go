package player

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill/player/tables"
	"thera/engine/mill/rules"
	"thera/engine/search"
)

// ending is a position with these men, none in hand.
func ending(t testing.TB, s *rules.State) *rules.Position {
	t.Helper()
	var b strings.Builder
	for at := range rules.Point(rules.Points) {
		if at > 0 && at%8 == 0 {
			b.WriteByte('/')
		}
		switch men := at.Set(); {
		case s.Men[rules.White]&men != 0:
			b.WriteByte('O')
		case s.Men[rules.Black]&men != 0:
			b.WriteByte('@')
		default:
			b.WriteByte('*')
		}
	}
	p, err := rules.Parse(rules.Default(), fmt.Sprintf("%s w m s %d 0 %d 0 0 0 0 0 0 0 0 0 50", b.String(), s.Men[0].Len(), s.Men[1].Len()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fewest plays a won or lost position to its end with the player on one side and the best
// defence or attack by tables on the other, and returns the turns it took and who won.
func fewest(t *testing.T, with *tables.Tables, from *rules.Position, o *Options, side rules.Side, rng *rand.Rand) (turns int, winner game.Seat) {
	t.Helper()
	pl, p := New(), from
	for {
		if outcome, over := p.Outcome(); over {
			return turns, outcome.Winner
		}
		s := p.State()
		m := rules.Move(0)
		if s.Turn == side {
			m = pl.Think(context.Background(), p, o, &Goal{Nodes: 2000}, nil).Move
		} else {
			best := with.Best(&s)
			m = best[rng.IntN(len(best))]
		}
		p = p.Next(m)
		if next := p.State(); next.Turn != s.Turn || next.Action == rules.Won {
			turns++
		}
	}
}

// checkFewest plays up to n random endings of n men. Those of some turns are rare
// in some tables.
func checkFewest(t *testing.T, with *tables.Tables, o *Options, mine, theirs, n int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(mine), uint64(theirs)))
	seen, total := map[string]int{}, 0
	for range 500_000 {
		if total == n {
			break
		}
		s := randomEnding(rng, mine, theirs)
		v, ok := with.Lookup(&s)
		if !ok {
			t.Fatalf("%+v is not in the tables", s)
		}
		kind := "draw"
		switch {
		case v == 0 && seen[kind] < n/10:
		case v.Won() && v.Turns() >= 3:
			kind = "win"
		case v.Lost() && v.Turns() >= 2:
			kind = "loss"
		default:
			continue
		}
		seen[kind]++
		total++
		turns, winner := fewest(t, with, ending(t, &s), o, rules.White, rng)
		want := map[string]game.Seat{"draw": game.None, "win": game.First, "loss": game.Second}[kind]
		if winner != want || v != 0 && turns != v.Turns() {
			t.Fatalf("%+v: winner %v after %d turns, the tables promise %v in %d", s, winner, turns, want, v.Turns())
		}
	}
	if seen["win"]+seen["loss"] < min(n/2, 10) {
		t.Errorf("%d-%d: only %v found", mine, theirs, seen)
	}
	t.Logf("%d-%d: %v", mine, theirs, seen)
}

// The tables that are part of the player win all won endings in the fewest turns, put off
// lost ones as long as possible, and hold drawn ones, whatever the opponent does. So do
// tables that the user makes: in full, those up to 5-4.
func TestPlaysEndingsPerfectlyLong(t *testing.T) {
	o := strong(1)
	o.Endings = true
	n := 20
	if gametest.Long(t) {
		n = 400
	}
	for _, men := range [][2]int{{3, 3}, {3, 4}, {4, 3}} {
		checkFewest(t, tables.Embedded(), &o, men[0], men[1], n)
	}
	o.Endings, o.Tables = false, tables.Embedded()
	checkFewest(t, o.Tables, &o, 3, 4, n)
	if !gametest.Long(t) {
		return
	}
	more := tables.New(true)
	needs, err := tables.Needs(5, 4)
	for _, pair := range needs {
		if err == nil {
			_, err = more.Solve(context.Background(), pair[0], pair[1])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	o.Tables = more
	for _, men := range [][2]int{{4, 4}, {5, 3}, {3, 5}, {5, 4}, {4, 5}} {
		checkFewest(t, more, &o, men[0], men[1], n)
	}
}

// Tables of few men are part of the player at full strength only, where the side with
// three men flies, and only in sight of such endings.
func TestEndings(t *testing.T) {
	few := position(t, "O@OO***@/*@******/******** w m s 3 0 3 0 0 0 0 0 0 0 0 0 50")
	many := position(t, slidingFEN)
	grounded, err := rules.Parse(rules.Rules{QuietPlies: 100}, few.String())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		pos    *rules.Position
		want   bool
	}{
		{"few men", func(*Options) {}, few, true},
		{"switched off", func(o *Options) { o.Endings = false }, few, false},
		{"a weaker level", func(o *Options) { o.Skill-- }, few, false},
		{"many men", func(*Options) {}, many, false},
		{"without flying", func(*Options) {}, grounded, false},
	} {
		o := strong(1)
		o.Endings = true
		tt.change(&o)
		if got := o.endings(tt.pos) != nil; got != tt.want {
			t.Errorf("%s: tables %v, want %v", tt.name, got, tt.want)
		}
	}
	with := thinkAt(t, few.String(), Goal{Depth: 1}, func(o *Options) { o.Endings = true })
	if sign, _ := search.Proven(with.Score); sign != 1 {
		t.Errorf("score %d of a won ending", with.Score)
	}
	// Among the moves that a goal names, the best ones are considered, if any is named.
	s := few.State()
	best, all := tables.Embedded().Best(&s), moves(few)
	if len(best) == 0 || len(best) == len(all) {
		t.Fatalf("%d of %d moves are best", len(best), len(all))
	}
	bad := slices.DeleteFunc(slices.Clone(all), func(m rules.Move) bool { return slices.Contains(best, m) })
	for _, tt := range []struct{ named, want []rules.Move }{
		{nil, best},
		{bad, bad},
		{append(slices.Clone(bad), best[0]), best[:1]},
	} {
		o := strong(1)
		if got := perfect(few, &o, &Goal{Moves: tt.named}, tables.Embedded()); !slices.Equal(got, tt.want) {
			t.Errorf("named %v: considers %v, want %v", tt.named, got, tt.want)
		}
	}
}

// randomEnding returns a state with n men on random points.
func randomEnding(rng *rand.Rand, mine, theirs int) rules.State {
	var s rules.State
	for i, p := range rng.Perm(rules.Points)[:mine+theirs] {
		side := rules.White
		if i >= mine {
			side = rules.Black
		}
		s.Men[side] |= rules.Point(p).Set()
	}
	return s
}
