package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"thera/engine/game"
	"thera/engine/gametest"
	"thera/engine/mill/internal/slow"
	"thera/engine/mill/rules"
)

// compare plays random games with the slow model until it has seen want
// positions or they disagree; it returns the number seen and the disagreement.
func compare(t *testing.T, want int, mutated slow.Fault, seed uint64) (seen int, why string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	openings := map[int][]string{
		1: strings.Fields("a7 a1 g7 d2 d6 g4 d5 b4 d7"), // two mills at once
		2: blockedGame(t),
	}
	for round := 0; seen < want; round++ {
		r := rules.Rules{Flying: round%5 != 4, QuietPlies: 100}
		if round%4 == 3 {
			r.QuietPlies = 10
		}
		var pos game.Position = rules.Start(r)
		model := slow.New(r.Flying, r.QuietPlies, mutated)
		var played []string
		for seen < want {
			seen++
			if why := differ(pos, model); why != "" {
				return seen, fmt.Sprintf("after %s: %s", strings.Join(played, " "), why)
			}
			moves := model.Moves()
			if len(moves) == 0 {
				break
			}
			move := pick(rng, model, moves, played, round%3)
			if opening := openings[round]; len(played) < len(opening) && slices.Contains(moves, opening[len(played)]) {
				move = opening[len(played)]
			}
			model.Play(move)
			played = append(played, move)
			next, err := pos.Play(game.By(pos.ToMove().Only(), move))
			if err != nil {
				return seen, fmt.Sprintf("after %s: %v", strings.Join(played, " "), err)
			}
			pos = next
		}
	}
	return seen, ""
}

// pick is a random move. A shuffler likes to take back its last one, so that
// positions recur; a closer likes mills, two at once above all.
func pick(rng *rand.Rand, model *slow.Model, moves, played []string, policy int) string {
	n := len(played)
	switch {
	case policy == 1 && n >= 2 && rng.IntN(3) > 0:
		if from, to, ok := strings.Cut(played[n-2], "-"); ok && slices.Contains(moves, to+"-"+from) {
			return to + "-" + from
		}
	case policy == 2:
		best := slices.MaxFunc(moves, func(a, b string) int { return model.Closes(a) - model.Closes(b) })
		if model.Closes(best) > 0 {
			return best
		}
	}
	return moves[rng.IntN(len(moves))]
}

// blockedGame is the shortest of the vectors' games in which a side that
// could not move lost.
func blockedGame(t *testing.T) []string {
	t.Helper()
	var shortest []string
	for _, v := range readVectors(t) {
		if h := strings.Fields(v.History); v.Reason == "no-legal-moves" && (shortest == nil || len(h) < len(shortest)) {
			shortest = h
		}
	}
	return shortest
}

// differ is what the model and the position disagree about, or "".
func differ(pos game.Position, model *slow.Model) string {
	result := ""
	if outcome, over := pos.Outcome(); over {
		result = [3]string{"draw", "white", "black"}[outcome.Winner]
	}
	if result != model.Result {
		return fmt.Sprintf("%s: result %q, the model says %q", pos, result, model.Result)
	}
	if result != "" {
		return ""
	}
	seat := game.First
	if model.Mover == '@' {
		seat = game.Second
	}
	if pos.ToMove() != game.SeatsOf(seat) {
		return fmt.Sprintf("%s: the model has %c to move", pos, model.Mover)
	}
	if got, want := pos.Moves(seat), model.Moves(); !slices.Equal(got, want) {
		return fmt.Sprintf("%s: moves %v, the model has %v", pos, got, want)
	}
	fields := strings.Fields(pos.String())
	if fields[15] != fmt.Sprint(model.Quiet) {
		return fmt.Sprintf("%s: the model counts %d quiet plies", pos, model.Quiet)
	}
	return ""
}

func TestSlowModelAgreesLong(t *testing.T) {
	n := 8000
	if gametest.Long(t) {
		n = 100_000
	}
	seen, why := compare(t, n, slow.Faithful, 1)
	if why != "" {
		t.Fatal(why)
	}
	t.Logf("%d positions", seen)
}

// The comparison finds every deliberate error.
func TestSlowModelCatchesMutations(t *testing.T) {
	for m := slow.Faithful + 1; m < slow.Faults; m++ {
		if seen, why := compare(t, 1000, m, 2); why == "" {
			t.Errorf("mutation %d is not caught within %d positions", m, seen)
		}
	}
}
