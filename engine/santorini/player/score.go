package player

import (
	"thera/engine/search"

	"thera/engine/santorini/rules"
)

// scorer evaluates children while they are generated. There may be ten thousand, and
// most nodes need only one that is good enough: it stops at the first that reaches
// aim.
type scorer struct {
	board     *board
	list      *rules.MoveList // the list of the ply
	side      uint8           // the mover
	aim       int
	winsKnown bool    // the opponent's wins are known without generating them
	scores    []int32 // by child
	reached   int     // the child that reached aim, -1 if none did
	untilPoll int     // children until the next poll
}

// losing is the score of a turn after which the opponent wins at once.
const losing = -1 << 20

// pollInterval is the number of children between two polls.
const pollInterval = 128

// begin prepares for the children of p, the position of b.
func (s *scorer) begin(b *board, p *rules.State, aim int) {
	s.board, s.list, s.side, s.aim = b, b.lists[b.at], p.Mover&1, aim
	s.winsKnown = b.knowledge&knowBlocks != 0 && rules.WinsKnown(p, s.side^1)
	s.scores, s.reached, s.untilPoll = s.scores[:0], -1, pollInterval
}

// visit scores a new child.
func (s *scorer) visit(child int) (stop bool) {
	q, score := &s.list.Children[child], losing
	switch {
	case q.Winner != 0:
		score = search.Heuristic
	case !s.winsKnown || rules.WinningSquares(q, s.side^1) == 0:
		score = evaluateSide(q, s.side) - evaluateSide(q, s.side^1)
	}
	s.scores = append(s.scores, int32(score))
	if score-weight.tempo >= s.aim {
		s.reached = child
		return true
	}
	if s.untilPoll--; s.untilPoll == 0 {
		s.untilPoll = pollInterval
		return s.board.poll != nil && s.board.poll(pollInterval)
	}
	return false
}
