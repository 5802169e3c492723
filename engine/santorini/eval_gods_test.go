package santorini

import (
	"math/rand/v2"
	"testing"
)

// TestMayWinMissesNothing: where the quick look says no, the rules list no win.
func TestMayWinMissesNothing(t *testing.T) {
	games := 4
	if long() {
		games = 200
	}
	r := rand.New(rand.NewPCG(53, 53))
	f, looked, yes, wins := newFrame(), 0, 0, 0
	missed := map[God]string{}
	for g := range godCount {
		for i := range games {
			m := matchup{g, God(r.IntN(int(godCount)))}
			if i%2 == 1 {
				m[0], m[1] = m[1], m[0]
			}
			if banned(m) != nil {
				continue
			}
			p, _ := startOf(m, true)
			for p.winner == 0 {
				looked++
				may := mayWin(&p, p.mover)
				f.winning(&p)
				if len(f.moves) > 0 {
					wins++
				}
				if may {
					yes++
				} else if len(f.moves) > 0 {
					missed[p.god[p.mover&1]] = p.text(formV2)
				}
				if f.generate(&p); len(f.moves) == 0 {
					break
				}
				// Random, but up where possible: wins are rare otherwise.
				m := f.moves[r.IntN(len(f.moves))]
				for range 5 {
					if other := f.moves[r.IntN(len(f.moves))]; other.climbs() && !other.wins() {
						m = other
					}
				}
				p = f.child(&p, m)
			}
		}
	}
	for g, text := range missed {
		t.Errorf("%s wins at once: %s", g, text)
	}
	t.Logf("%d positions, %d may be won, %d are", looked, yes, wins)
	if wins < 100 || yes > looked*2/3 {
		t.Errorf("%d positions, %d may be won, %d are", looked, yes, wins)
	}
}
