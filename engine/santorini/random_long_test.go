package santorini

import (
	"errors"
	"math/bits"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// TestLongRandomPlayOfAllPairs plays random games of all allowed match-ups as the
// referee would. It checks that every state is read back equal in both forms, that
// every turn has a chain, and that the referee accepts legal texts and refuses all
// others. The long form takes an hour, or THERA_LONG_MINUTES; the short one plays
// each god in both seats once.
func TestLongRandomPlayOfAllPairs(t *testing.T) {
	gametest.Sequential(t)
	all, problems := New().With(nil, &Openings{Gods: GodOpenings{List: []string{"all"}, Matchups: "all", Start: "empty"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var pairs []rules.Matchup
	for _, m := range all.(*Game).starts {
		gods, _ := m.gods()
		pairs = append(pairs, gods)
	}
	begin, length := time.Now(), time.Duration(0)
	if gametest.Long(t) {
		length = time.Hour
		if text := os.Getenv("THERA_LONG_MINUTES"); text != "" {
			minutes, err := strconv.ParseFloat(text, 64)
			if err != nil || !(minutes > 0) {
				t.Fatalf("THERA_LONG_MINUTES: %q is not a number of minutes", text)
			}
			length = time.Duration(minutes * float64(time.Minute))
		}
		if end, ok := t.Deadline(); ok && end.Before(begin.Add(length)) {
			t.Fatalf("%v of random play do not fit before the test's timeout: run it with -timeout 0", length)
		}
	} else {
		pairs = oneCycle(pairs)
	}
	r := rand.New(rand.NewPCG(60, 53))
	seen := randomHour{t: t, r: r, f: rules.NewMoveList()}
	ends := map[string]int{}
	games, rounds, logged := 0, 0, begin
	for going := true; going; {
		for _, m := range pairs {
			ends[seen.game(m)]++
			if games++; t.Failed() {
				t.Fatalf("in game %d, %s against %s", games, m[0], m[1])
			}
			if going = length > 0 && time.Since(begin) < length; !going && length > 0 {
				break
			}
		}
		rounds++
		if time.Since(logged) > 5*time.Minute {
			logged = time.Now()
			t.Logf("%v: %d games, %d positions", time.Since(begin).Round(time.Second), games, seen.positions)
		}
	}
	t.Logf("%d games, %d rounds of %d pairs, %d positions, %d texts refused, ends %v, in %v",
		games, rounds, len(pairs), seen.positions, seen.refused, ends, time.Since(begin).Round(time.Millisecond))
	if seen.refused == 0 || seen.positions < 10*games || ends["too long"] > games/10 {
		t.Errorf("%d texts refused in %d positions of %d games, %d of them too long", seen.refused, seen.positions, games, ends["too long"])
	}
}

// oneCycle picks match-ups so that every god has each seat once.
func oneCycle(pairs []rules.Matchup) []rules.Matchup {
	var list []rules.Matchup
	for g := range rules.GodCount {
		for shift := range rules.GodCount {
			if m := (rules.Matchup{g, (g + 17 + shift) % rules.GodCount}); rules.Banned(m) == nil {
				list = append(list, m)
				break
			}
		}
	}
	return list
}

// randomHour plays the games and counts what it checked.
type randomHour struct {
	t *testing.T
	r *rand.Rand
	f *rules.MoveList

	positions, refused int
}

// game plays one game and returns how it ended.
func (h *randomHour) game(m rules.Matchup) string {
	h.t.Helper()
	pos := box(rules.Start(m, true), wire.V2)
	for range 400 {
		h.positions++
		p, _ := unbox(pos)
		h.readBack(p)
		if end, over := pos.Outcome(); over {
			if pos.ToMove() != 0 || len(pos.Moves(seatOf(p.Mover))) != 0 {
				h.t.Errorf("%s: over (%s), and someone is to move", pos, end.Reason)
			}
			if end.Winner != game.Seat(p.Winner) || end.Reason == "" {
				h.t.Errorf("%s: ends %+v", pos, end)
			}
			return end.Reason
		}
		next := h.turn(pos, p)
		if h.t.Failed() {
			return "failed"
		}
		pos = next
	}
	return "too long"
}

// readBack holds the text of p, in both forms, to p.
func (h *randomHour) readBack(p *rules.State) {
	h.t.Helper()
	for _, f := range []wire.Form{wire.V1, wire.V2} {
		text := wire.Text(p, f)
		if back, _, err := wire.Parse(text); err != nil || back != *p {
			h.t.Errorf("%s is read back as %s: %v", text, wire.Text(&back, f), err)
		}
	}
}

// turn plays a random turn, and sometimes an illegal one.
func (h *randomHour) turn(pos game.Position, p *rules.State) game.Position {
	h.t.Helper()
	seat := pos.ToMove().Only()
	h.f.Generate(p)
	next := wire.Blocked(p, wire.V2)
	if n := len(h.f.Moves); n > 0 {
		next = h.f.Child(p, h.f.Moves[h.r.IntN(n)])
	}
	text := wire.Text(&next, wire.V2)
	if h.r.IntN(8) == 0 {
		h.lists(pos, seat, text)
	}
	// Chronus wins without an action if the opponent built the fifth dome.
	if chain, ok := rules.Explain(p, &next); !ok || len(chain) == 0 && bits.OnesCount32(p.Above[3]) < 5 {
		h.t.Errorf("%s: no chain leads to %s", pos, text)
	}
	if h.r.IntN(4) == 0 {
		h.breaks(pos, seat, text)
	}
	after, err := pos.Play(game.By(seat, text))
	if err != nil {
		h.t.Errorf("%s: its own turn is refused: %v", pos, err)
		return pos
	}
	if got, _ := unbox(after); *got != next {
		h.t.Errorf("%s: %s leads to %s", pos, text, after)
	}
	return after
}

// lists checks that the listed texts are sorted and distinct and have the turn.
func (h *randomHour) lists(pos game.Position, seat game.Seat, text string) {
	h.t.Helper()
	found := 0
	moves := pos.Moves(seat)
	for i, move := range moves {
		if i > 0 && moves[i-1] >= move {
			h.t.Errorf("%s: %s is listed before %s", pos, moves[i-1], move)
		}
		if move == text {
			found++
		}
	}
	if found != 1 {
		h.t.Errorf("%s: %s is listed %d times", pos, text, found)
	}
	if pos.(*position).Draw(game.By(seat, text), false) == "" {
		h.t.Errorf("%s: no drawing", pos)
	}
}

// breaks changes one byte of a legal text. The referee must accept it only if it is
// still legal, and otherwise name the broken rule and a legal turn.
func (h *randomHour) breaks(pos game.Position, seat game.Seat, text string) {
	h.t.Helper()
	const letters = "0123456789ABCDEabcdef:/,#[]^x|SN "
	bad := []byte(text)
	bad[h.r.IntN(len(bad))] = letters[h.r.IntN(len(letters))]
	claimed, _, parses := wire.Parse(string(bad))
	legal := false
	if p, _ := unbox(pos); parses == nil {
		_, legal = h.f.Find(p, &claimed)
	}
	_, err := pos.Play(game.By(seat, string(bad)))
	var illegal *game.Illegal
	switch {
	case legal && err == nil:
	case legal || err == nil:
		pseudo := rules.IsAfterBlocked(&pos.(*position).State, &claimed) && len(h.f.Moves) == 0
		if !pseudo {
			h.t.Errorf("%s: %s is legal %v, and the referee says %v", pos, bad, legal, err)
		}
	case !errors.As(err, &illegal) || illegal.Rule == "":
		h.t.Errorf("%s: %s: %v", pos, bad, err)
	case illegal.Near != "":
		h.refused++
		if _, err := pos.Play(game.By(seat, illegal.Near)); err != nil {
			h.t.Errorf("%s: the turn proposed for %s is refused: %v", pos, bad, err)
		}
	}
}
