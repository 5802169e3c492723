package player

import (
	"math"

	"thera/engine/hex/player/conv"
	"thera/engine/hex/player/net"
	"thera/engine/hex/rules"
)

// How far a tree believes a judge.
const (
	judgeAfter   = 8   // visits before a node is judged
	judgeLate    = 400 // the same where a judge is slow, unless results must be equal everywhere
	judgedVisits = 24  // playouts that the value counts as
	judgedLong   = 12  // the same in a long search
	judgedMoves  = 100 // RAVE playouts that the guess of a move counts as
)

// judgesAfter returns after how many visits a search with that budget judges a node. It makes the judge if there is
// none yet.
func (t *tree) judgesAfter(b budget) int32 {
	if t.judgeNet == nil || t.plain || t.field.Size < conv.Least {
		return math.MaxInt32
	}
	if t.judger == nil {
		t.judger = conv.NewJudge(t.field.Size, t.judgeNet())
	}
	if !conv.Fast() && (b.time > 0 || b.cpu > 0) {
		return judgeLate
	}
	return judgeAfter
}

// judge guesses the moves of a node, at the end of the path and with turn to move, by the larger net, and adds the
// value of the position to the path.
func (t *tree) judge(n *node, turn rules.Colour, last [2]int) {
	n.judged = true
	cells := [2]int{-1, -1}
	for i, at := range last {
		if at != 0 {
			cells[i] = t.field.CellAt(at)
		}
	}
	value := chance(t.judger.Look(t.board(), turn, cells))
	children := t.nodes.children(n)
	t.guesses = t.guesses[:0]
	for i := range children {
		at := children[i].at
		t.guesses = append(t.guesses, net.Move{At: at, Logit: t.judger.Logits[t.field.CellAt(int(at))]})
	}
	net.SetShares(t.guesses)
	for i := range children {
		child, guess := &children[i], &t.guesses[i]
		child.share = guess.Share
		child.rave += judgedMoves
		child.raveWins += float32(judgedMoves * t.trusts.value(guess))
	}
	visits := int32(judgedVisits)
	if t.long {
		visits = judgedLong
	}
	for i := len(t.path) - 1; i >= 0; i-- {
		value = 1 - value // for the side that moved into it
		n := t.nodes.at(t.path[i])
		n.visits += visits
		n.wins += float32(float32(visits) * value)
	}
}

// chance is the expected score of a logit.
func chance(logit int) float32 {
	if logit < 0 {
		return 1 - chance(-logit)
	}
	return 1 / (1 + net.Power(logit))
}

// board is the position in the field, by cell.
func (t *tree) board() []rules.Colour {
	for cell, at := range t.field.inner {
		t.found[cell] = t.field.cells[at]
	}
	return t.found
}

// The logits of both nets are in the same unit.
var _ = [1]int{}[conv.Unit-net.Unit]
