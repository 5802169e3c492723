package santorini

import (
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"thera/engine/game"
)

// TestLongRandomPlayOfAllPairs: random games of all allowed match-ups, seat by
// seat, through the referee's own path: nothing panics, every state is read
// back equal in both forms, every turn has a chain and is accepted by the
// referee and nobody else's text is. The long form goes on for an hour, or for
// THERA_LONG_MINUTES; the short one plays 53 games, each god in both seats.
func TestLongRandomPlayOfAllPairs(t *testing.T) {
	pairs := allowedPairs()
	begin, length := time.Now(), time.Duration(0)
	if long() {
		length = time.Hour
		if text := os.Getenv("THERA_LONG_MINUTES"); text != "" {
			minutes, err := strconv.ParseFloat(text, 64)
			if err != nil || !(minutes > 0) {
				t.Fatalf("THERA_LONG_MINUTES: %q is no number of minutes", text)
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
	seen := randomHour{t: t, r: r, f: newFrame()}
	ends := map[string]int{}
	games, rounds, told := 0, 0, begin
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
		if time.Since(told) > 5*time.Minute {
			told = time.Now()
			t.Logf("%v: %d games, %d positions", time.Since(begin).Round(time.Second), games, seen.positions)
		}
	}
	t.Logf("%d games, %d rounds of %d pairs, %d positions, %d texts refused, ends %v, in %v",
		games, rounds, len(pairs), seen.positions, seen.refused, ends, time.Since(begin).Round(time.Millisecond))
	if seen.refused == 0 || seen.positions < 10*games || ends["too long"] > games/10 {
		t.Errorf("%d texts refused in %d positions of %d games, %d of them too long", seen.refused, seen.positions, games, ends["too long"])
	}
}

// oneCycle picks pairs so that every god sits once in each seat.
func oneCycle(pairs []matchup) []matchup {
	var list []matchup
	for g := range godCount {
		for shift := range godCount {
			if m := (matchup{g, (g + 17 + shift) % godCount}); banned(m) == nil {
				list = append(list, m)
				break
			}
		}
	}
	return list
}

// randomHour plays the games and counts what it looked at.
type randomHour struct {
	t *testing.T
	r *rand.Rand
	f *frame

	positions, refused int
}

// game plays one game and says how it ended.
func (h *randomHour) game(m matchup) string {
	h.t.Helper()
	pos := box(startOf(m, true))
	for range 400 {
		h.positions++
		p, _ := unbox(pos)
		holdState(h.t, p)
		if end, over := pos.Outcome(); over {
			if pos.ToMove() != 0 || len(pos.Moves(seatOf(p.mover))) != 0 {
				h.t.Errorf("%s: over (%s), and someone is to move", pos, end.Reason)
			}
			if end.Winner != game.Seat(p.winner) || end.Reason == "" {
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

// turn has the referee accept a random turn and refuse a broken one.
func (h *randomHour) turn(pos game.Position, p *state) game.Position {
	h.t.Helper()
	seat := pos.ToMove().Only()
	h.f.generate(p)
	next := blocked(p, formV2)
	if n := len(h.f.moves); n > 0 {
		next = h.f.child(p, h.f.moves[h.r.IntN(n)])
	}
	text := next.text(formV2)
	if h.r.IntN(8) == 0 {
		h.lists(pos, seat, text)
	}
	// Chronus wins without an action where the opponent built the fifth dome.
	if chain, ok := explain(p, &next); !ok || len(chain) == 0 && !fiveDomes(p) {
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

// lists: the turn is among the texts that are listed, sorted and distinct.
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

// breaks changes one byte of a legal text: the referee takes what is listed
// and names the rule that anything else breaks, with a legal turn beside it.
func (h *randomHour) breaks(pos game.Position, seat game.Seat, text string) {
	h.t.Helper()
	const letters = "0123456789ABCDEabcdef:/,#[]^x|SN "
	bad := []byte(text)
	bad[h.r.IntN(len(bad))] = letters[h.r.IntN(len(letters))]
	claimed, _, parses := parse(string(bad))
	legal := false
	if p, _ := unbox(pos); parses == nil {
		_, legal = h.f.find(p, &claimed)
	}
	_, err := pos.Play(game.By(seat, string(bad)))
	var illegal *game.Illegal
	switch {
	case legal && err == nil:
	case legal || err == nil:
		pseudo := isPseudo(&pos.(*position).state, &claimed) && len(h.f.moves) == 0
		if !pseudo {
			h.t.Errorf("%s: %s is legal %v, and the referee says %v", pos, bad, legal, err)
		}
	case !errors.As(err, &illegal) || illegal.Rule == "":
		h.t.Errorf("%s: %s: %v", pos, bad, err)
	case illegal.Near != "":
		h.refused++
		if _, err := pos.Play(game.By(seat, illegal.Near)); err != nil {
			h.t.Errorf("%s: the turn beside %s is refused: %v", pos, bad, err)
		}
	}
}
