package slow

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// basicGods are the gods of protocol v1.
var basicGods = []string{"mortal", "pan", "artemis", "hephaestus"}

// RandomBoard is a random position of two basic gods. Workers may stand on
// level 3, which play does not reach.
func RandomBoard(r *rand.Rand) string {
	w := position{god: [2]string{basicGods[r.IntN(4)], basicGods[r.IntN(4)]}, mover: r.IntN(2)}
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
		return RandomBoard(r)
	}
	return w.String()
}

// RandomGame is the positions of one game of random turns between two basic
// gods.
func RandomGame(r *rand.Rand) []string {
	text := fmt.Sprintf("0000000000000000000000000/1/%s:B3,D3/%s:C4,C2", basicGods[r.IntN(4)], basicGods[r.IntN(4)])
	for seen := []string{text}; ; seen = append(seen, text) {
		if strings.Contains(text, "#") {
			return seen
		}
		next := Next(text)
		if len(next) == 0 {
			next = []string{Blocked(text)}
		}
		text = next[r.IntN(len(next))]
	}
}

// RandomPosition is a random position of gods a and b in the middle of a game,
// with workers below level 3 and random states of the gods.
func RandomPosition(r *rand.Rand, a, b string) string {
	w := position{god: [2]string{a, b}, mover: r.IntN(2)}
	most := r.IntN(5)
	least := r.IntN(most + 1)
	for s := range w.height {
		w.height[s] = least + r.IntN(most-least+1)
	}
	w.height[r.IntN(25)] = 1
	squares := r.Perm(25)
	low := func() int {
		s := squares[0]
		squares = squares[1:]
		w.height[s] = min(w.height[s], 2)
		return s
	}
	for i, name := range w.god {
		god, n := slowGods[name], 2
		if god.workers != nil {
			n = god.workers(r)
		}
		for range n {
			w.workers[i] = append(w.workers[i], low())
		}
		if god.state != nil {
			w.state[i] = god.state(r, &w, i, low)
		}
	}
	return w.String()
}
