package santorini_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thera/engine/game"
	"thera/engine/santorini"
)

var firstGods = []string{"mortal", "pan", "artemis", "hephaestus"}

// randomBoard is a position in form v2 with any heights: workers also stand
// on level 3, which play does not reach.
func randomBoard(r *rand.Rand) string {
	w := world{god: [2]string{firstGods[r.IntN(4)], firstGods[r.IntN(4)]}, mover: r.IntN(2)}
	most := 2 + r.IntN(4)
	for s := range w.height {
		w.height[s] = min(r.IntN(most), 4)
	}
	w.height[r.IntN(25)] = 1
	for _, s := range r.Perm(25) {
		i := len(w.workers[0]) / 2
		if len(w.workers[1]) == 2 {
			break
		}
		if w.height[s] < 4 {
			w.workers[i] = append(w.workers[i], s)
		}
	}
	for len(w.workers[1]) < 2 { // hardly any square was free
		return randomBoard(r)
	}
	return w.String()
}

// randomGame gives the positions of one game of random turns.
func randomGame(t *testing.T, r *rand.Rand) []string {
	t.Helper()
	text := fmt.Sprintf("0000000000000000000000000/1/%s:B3,D3/%s:C4,C2", firstGods[r.IntN(4)], firstGods[r.IntN(4)])
	var seen []string
	for {
		seen = append(seen, text)
		pos := parsed(t, text)
		if pos.ToMove() == 0 {
			return seen
		}
		moves := pos.Moves(pos.ToMove().Only())
		text = moves[r.IntN(len(moves))]
	}
}

func parsed(t *testing.T, text string) game.Position {
	t.Helper()
	pos, err := santorini.New().Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := pos.String(); got != text {
		t.Fatalf("%s reads back as %s", text, got)
	}
	return pos
}

// rulesNext is what the package lists.
func rulesNext(t *testing.T, text string) []string {
	t.Helper()
	pos := parsed(t, text)
	if pos.ToMove() == 0 {
		return nil
	}
	return pos.Moves(pos.ToMove().Only())
}

// agrees compares the game's moves with a model's.
func agrees(t *testing.T, m model, text string) bool {
	t.Helper()
	got := rulesNext(t, text)
	want := m.next(text)
	if len(want) == 0 && len(got) == 1 {
		// Blocked: the same board, the opponent marked.
		q := readWorld(text)
		q.winner = 2 - q.mover
		want = []string{q.String()}
	}
	return slices.Equal(got, want)
}

// TestLongRandomAgreement: the rules and the slow model list the same states
// over random games and random boards. The long form visits 100,000.
func TestLongRandomAgreement(t *testing.T) {
	most := 2000
	if os.Getenv("THERA_LONG") == "1" {
		most = 100000
	}
	r := rand.New(rand.NewPCG(3, 14))
	begin, visited, games := time.Now(), 0, 0
	for visited < most {
		games++
		for _, text := range append(randomGame(t, r), randomBoard(r), randomBoard(r)) {
			visited++
			if !agrees(t, model{}, text) {
				t.Fatalf("%s: rules and model differ (-model +rules):\n%s", text, cmp.Diff(model{}.next(text), rulesNext(t, text)))
			}
		}
	}
	t.Logf("%d positions of %d games and as many pairs of boards in %v", visited, games, time.Since(begin).Round(time.Millisecond))
}

// TestModelCatchesMutations: each deliberate fault in the model shows within
// 1,000 positions.
func TestModelCatchesMutations(t *testing.T) {
	mutations := map[string]knobs{
		"climbs two levels":                 {climbTwo: true},
		"falls one level at most":           {fallOne: true},
		"never builds where it came from":   {noVacated: true},
		"builds on domes":                   {buildOnDome: true},
		"a step from 3 to 3 wins":           {winFromThree: true},
		"artemis may end where she started": {artemisHome: true},
		"artemis walks through workers":     {artemisThrough: true},
		"artemis goes on after a win":       {artemisOn: true},
		"hephaestus doubles to a dome":      {hephDome: true},
		"pan wins by one level down":        {panOne: true},
		"domes can be entered":              {enterDome: true},
		"edges wrap":                        {edgeWraps: true},
		"a win may build on":                {winBuilds: true},
		"a worker builds under itself":      {buildUnder: true},
		"the mover may pass":                {passing: true},
	}
	for name, k := range mutations {
		r := rand.New(rand.NewPCG(1, 2))
		caught := 0
		for n := 1; n <= 1000 && caught == 0; {
			texts := randomGame(t, r)
			for range texts {
				texts = append(texts, randomBoard(r))
			}
			for _, text := range texts {
				if n++; !agrees(t, model{k}, text) {
					caught = n
					break
				}
			}
		}
		if caught == 0 {
			t.Errorf("%s: not caught", name)
		} else if testing.Verbose() {
			t.Logf("%s: caught at position %d", name, caught)
		}
	}
}

// TestFormsAgree: a position says the same in both forms, and a move written
// in either form leads to the same place.
func TestFormsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		for _, text := range randomGame(t, r) {
			w := readWorld(text)
			v1 := indexForm(w)
			a, b := parsed(t, text), parsed(t, v1)
			if a.ToMove() == 0 {
				continue
			}
			seat := a.ToMove().Only()
			movesA, movesB := a.Moves(seat), b.Moves(seat)
			if len(movesA) != len(movesB) {
				t.Fatalf("%s: %d and %d moves", text, len(movesA), len(movesB))
			}
			move := movesA[r.IntN(len(movesA))]
			x, err := b.Play(game.By(seat, move))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.ContainsAny(strings.Split(x.String(), ":")[1], "0123456789") || !slices.Contains(movesB, x.String()) {
				t.Fatalf("%s plays %s to %s, which it does not list", v1, move, x)
			}
		}
	}
}

// indexForm writes w in form v1.
func indexForm(w world) string {
	text := w.String()
	parts := strings.Split(text, "/")
	for i := range 2 {
		parts[2+i] = w.god[i]
		if w.winner == i+1 {
			parts[2+i] += "#"
		}
		for k, s := range slices.Sorted(slices.Values(w.workers[i])) {
			parts[2+i] += map[bool]string{true: ":", false: ","}[k == 0] + fmt.Sprint(s)
		}
	}
	return strings.Join(parts, "/")
}
