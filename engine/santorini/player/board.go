package player

import (
	"math/bits"

	"thera/engine/santorini/player/net"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// board is the search.Board of this game. It has a state and a move list for each
// ply, allocated once.
type board struct {
	states    [search.MaxPly + 2]rules.State
	lists     [search.MaxPly + 2]*rules.MoveList
	at        int
	knowledge knowledge

	byNet      bool                   // for the gods at the root
	nets       net.Nets               // the last that were chosen
	evaluators [2]*net.Evaluator      // of nets, by side to move
	values     [search.MaxPly + 2]int // what they said at each ply, or unknown

	ordering ordering
	climbs   []rules.Move // memory of climbing

	aim     int  // the score that is good enough, see HintBound
	lastPly bool // the turns of this node are evaluated at once
	scorer  scorer
	visit   func(child int) (stop bool)    // the method of scorer
	first   [search.MaxPly + 2]rules.State // what stage 0 listed
	poll    func(work int) bool            // see SetInterrupt
}

// knowledge is a set of heuristics of this game. Each can be switched off.
type knowledge uint8

const (
	knowWins   knowledge = 1 << iota // wins in one turn are seen without search
	knowBlocks                       // only turns that may stop a threat are searched
	knowEnd
	knowAll = knowEnd - 1
)

var knowledgeNames = [...]string{"wins", "blocks"}

func newBoard() *board {
	b := &board{knowledge: knowAll, aim: search.Infinity}
	b.visit = b.scorer.visit
	for i := range b.lists {
		b.lists[i] = rules.NewMoveList()
	}
	return b
}

// choose sets the evaluation: by these networks, or by hand if there are none.
func (b *board) choose(nets net.Nets) {
	b.byNet = nets[0] != nil
	if !b.byNet || b.nets == nets {
		return
	}
	b.nets, b.evaluators[0] = nets, net.NewEvaluator(nets[0])
	if b.evaluators[1] = b.evaluators[0]; nets[1] != nets[0] {
		b.evaluators[1] = net.NewEvaluator(nets[1])
	}
}

// set puts p at the root.
func (b *board) set(p *rules.State) {
	b.at, b.states[0], b.aim, b.values[0] = 0, *p, search.Infinity, unknown
}

// unknown is a value that is not evaluated yet.
const unknown = search.Infinity

// now is the position at the current ply.
func (b *board) now() *rules.State { return &b.states[b.at] }

// Known sees the end of the game and a win with the next turn.
func (b *board) Known() (int, bool) {
	p := b.now()
	if p.Winner != 0 {
		if p.Winner-1 == p.Mover&1 {
			return search.WinIn(0), true
		}
		return search.LossIn(0), true
	}
	if b.knowledge&knowWins == 0 {
		return 0, false
	}
	if rules.MayWin(p, p.Mover) {
		l := b.lists[b.at]
		if rules.WinsKnown(p, p.Mover) {
			return search.WinIn(1), true
		}
		if l.GenerateWins(p); len(l.Moves) > 0 {
			return search.WinIn(1), true
		}
	}
	return 0, false
}

// HintBound sets the score after which Generate may stop. It is higher the deeper the
// search continues, since its turns are scored by evaluation alone.
func (b *board) HintBound(value, depth int) {
	b.aim, b.lastPly = search.Infinity, depth == 1
	if depth <= boundDepth && value < search.Heuristic {
		b.aim = value + (depth-1)*boundMargin
	}
}

const (
	boundDepth  = 3
	boundMargin = 40
)

// SetInterrupt sets the function that says whether a long generation should stop.
func (b *board) SetInterrupt(poll func(work int) bool) { b.poll = poll }

// Stuck is a loss: a mover without a turn is blocked.
func (b *board) Stuck() int { return search.LossIn(0) }

// Make plays a turn of the list of this ply.
func (b *board) Make(m rules.Move) bool {
	b.lists[b.at].Play(&b.states[b.at+1], &b.states[b.at], m)
	b.at++
	b.values[b.at] = unknown
	return false
}

// Unmake takes the last turn back.
func (b *board) Unmake() { b.at-- }

// Key is the hash of the position.
func (b *board) Key() uint64 { return b.now().Key() }

// NullMove makes a null move unless the opponent may win next or the mover has few moves.
func (b *board) NullMove() bool {
	p := b.now()
	me := p.Mover & 1
	if p.Workers[0] == 0 || p.Workers[1] == 0 || rules.MayWin(p, me^1) {
		return false
	}
	free := 0
	open := ^(p.Workers[0] | p.Workers[1])
	for set := p.Workers[me]; set != 0; set &= set - 1 {
		s := bits.TrailingZeros32(set)
		free += bits.OnesCount32(rules.Neighbours(s) & open & p.Climbable(p.Height(s)))
	}
	if free < 4 {
		return false
	}
	b.states[b.at+1] = *p
	b.at++
	b.values[b.at] = unknown
	b.states[b.at].Mover ^= 1
	return true
}
