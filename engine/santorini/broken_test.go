package santorini

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/santorini/internal/slow"
	"thera/engine/santorini/rules"
)

// TestLongBrokenTexts breaks the texts of positions and moves of all pairs of gods.
// Nothing panics, what is read is written back and read again, and the referee accepts what is listed, or
// is accepted with a warning, and refuses all else with a turn that it accepts. The long form goes on for half an hour.
func TestLongBrokenTexts(t *testing.T) {
	limit := time.Duration(0)
	if gametest.Long(t) {
		limit = 30 * time.Minute
	}
	r := rand.New(rand.NewPCG(16, 4))
	g := New()
	var text string
	defer func() {
		if failed := recover(); failed != nil {
			t.Fatalf("%s: %v", text, failed)
		}
	}()
	begin, positions, read, played := time.Now(), 0, 0, 0
	for round := 0; round == 0 || time.Since(begin) < limit; round++ {
		for a := range rules.GodCount {
			for b := range rules.GodCount {
				if limit == 0 && r.IntN(10) > 0 { // a tenth of the pairs
					continue
				}
				positions++
				text = broken(r, slow.RandomPosition(r, a.String(), b.String()))
				pos, err := g.Parse(text)
				if err != nil {
					continue
				}
				read++
				if again, err := g.Parse(pos.String()); err != nil || again.String() != pos.String() {
					t.Fatalf("%s is read as %s, which is not read again: %v", text, pos, err)
				}
				seat := pos.ToMove().Only()
				if seat == game.None {
					continue
				}
				moves := pos.Moves(seat)
				from := text
				move := broken(r, moves[r.IntN(len(moves))])
				text = from + " -> " + move
				next, err := pos.Play(game.By(seat, move))
				var illegal *game.Illegal
				switch {
				case err == nil && slices.Contains(moves, next.String()) != (g.Warning(next) == ""):
					t.Fatalf("%s: warning %q", text, g.Warning(next))
				case err == nil:
					played++
					next.Moves(next.ToMove().Only())
				case !errors.As(err, &illegal) || illegal.Rule == "":
					t.Fatalf("%s: %v", text, err)
				case illegal.Near != "" && !slices.Contains(moves, illegal.Near):
					t.Fatalf("%s: %s is no turn", text, illegal.Near)
				}
			}
		}
	}
	t.Logf("%d texts, %d of them positions; %d broken moves were legal; %v", positions, read, played, time.Since(begin).Round(time.Second))
	if read == 0 || played == 0 {
		t.Error("every text is refused")
	}
}

// broken changes a text in up to three places, sometimes in none.
func broken(r *rand.Rand, text string) string {
	const letters = "0123456789/#[]:,|^xABCDEnsew "
	out := []byte(text)
	for range r.IntN(4) {
		at := r.IntN(len(out))
		c := letters[r.IntN(len(letters))]
		switch r.IntN(5) {
		case 0, 1:
			out[at] = c
		case 2:
			out[at] = out[r.IntN(len(out))]
		case 3:
			out = append(out[:at], append([]byte{c}, out[at:]...)...)
		default:
			if out = append(out[:at], out[at+1:]...); len(out) == 0 {
				return ""
			}
		}
	}
	return string(out)
}
