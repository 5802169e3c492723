//go:build unix

package faultkit

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// gamble wins at nim where one move does, and otherwise takes any number: two
// that do so win equally often, whoever begins.
func gamble(e *Engine, answer []byte) {
	take := leftOf(e.question)
	if take > 3 {
		take = 1 + rand.IntN(3)
	}
	e.Say(fmt.Sprintf("move %s %d\n", strings.Fields(string(answer))[1], take))
}

// voiding is gamble, but where it has lost it keeps the machine busy: if that
// proved that the machine stalled, it would lose no game.
func voiding(e *Engine, answer []byte) {
	if leftOf(e.question) == 4 { // whatever it takes, the opponent takes the rest
		spin(16)
	}
	gamble(e, answer)
}

// leftOf is the heap in "go N HEAP SEAT MS NODES".
func leftOf(question string) int {
	words := append(strings.Fields(question), "", "", "")
	left, _ := strconv.Atoi(words[2])
	return left
}

// spin keeps threads busy, for ever.
func spin(threads int) {
	runtime.GOMAXPROCS(threads)
	busy := func() {
		for {
			_ = time.Now()
		}
	}
	for range threads - 1 {
		go busy()
	}
	busy()
}
