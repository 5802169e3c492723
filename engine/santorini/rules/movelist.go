package rules

// MoveList holds the turns of one position. A search has one for each ply and
// uses it again: it stops allocating once it has seen the widest positions.
type MoveList struct {
	Moves    []Move  // the turns, distinct, wins first
	Children []State // the states after those turns whose Move has a child

	position  State // a copy of the position: a pointer to the caller's would escape
	wins      int   // how many of Moves win
	generator generator

	slots []uint32 // hash table over Children with open addressing: index + 1, 0 is free
	mask  uint32
}

const minSlots = 512

// NewMoveList returns an empty list.
func NewMoveList() *MoveList {
	return &MoveList{Moves: make([]Move, 0, 256), slots: make([]uint32, minSlots), mask: minSlots - 1}
}

// Generate lists all turns of p. There are none if the game is over or the mover
// is blocked.
func (l *MoveList) Generate(p *State) {
	l.Reset()
	if p.Winner != 0 {
		return
	}
	l.position = *p
	if fast := FastPath(p); fast != nil {
		fast.generate(&l.position, l)
		return
	}
	l.generator.start(l, false)
	l.generator.generate(&l.position)
}

// Visit is Generate without the fast path: every turn has a child. It calls
// visit, if not nil, with the index of each new child, and stops generating when
// that returns true. Gods with thousands of turns begin with the plain ones; those
// with hundreds of thousands have no others.
func (l *MoveList) Visit(p *State, visit func(child int) (stop bool)) {
	l.Reset()
	if p.Winner != 0 {
		return
	}
	l.position = *p
	l.generator.start(l, false)
	l.generator.visit = visit
	if gods[p.Gods[p.Mover&1]].wide {
		l.generator.plainOnly = true
		l.generator.generate(&l.position)
		l.generator.plainOnly = false
	}
	if !l.generator.stopped && !gods[p.Gods[p.Mover&1]].endless {
		l.generator.generate(&l.position)
	}
	l.generator.visit = nil
}

// GenerateWins lists the winning turns of p.
func (l *MoveList) GenerateWins(p *State) {
	l.Reset()
	if p.Winner != 0 {
		return
	}
	l.position = *p
	if fast := FastPath(p); fast != nil {
		fast.winning(&l.position, l)
		return
	}
	l.generator.start(l, true)
	l.generator.generate(&l.position)
	l.Moves = l.Moves[:l.wins]
}

// Reset empties the list.
func (l *MoveList) Reset() {
	l.Moves = l.Moves[:0]
	if len(l.Children) > 0 {
		clear(l.slots[:l.mask+1])
		l.Children, l.wins, l.mask = l.Children[:0], 0, minSlots-1
	}
}

// Child is the state after m, a turn of p in this list.
func (l *MoveList) Child(p *State, m Move) (next State) {
	l.Play(&next, p, m)
	return next
}

// Play sets next to the state after m, a turn of p in this list.
func (l *MoveList) Play(next, p *State, m Move) {
	if m&moveChild != 0 {
		*next = l.Children[m>>32]
		return
	}
	next.playFast(p, m)
}

// Find lists all turns of p and looks for the one that leads to q.
func (l *MoveList) Find(p, q *State) (Move, bool) {
	l.Generate(p)
	for _, m := range l.Moves {
		if l.Child(p, m) == *q {
			return m, true
		}
	}
	return 0, false
}

// Leads reports whether q is the state after a turn of p. It lists nothing.
func Leads(p, q *State) bool {
	if fast := FastPath(p); fast != nil && p.Winner == 0 && fast.plain() {
		return fast.Leads(p, q)
	}
	if p.Winner != 0 {
		return false
	}
	g := &generator{target: q}
	g.generate(p)
	return g.found
}

// AfterBlocked is the state after a blocked mover has lost: the board stays, and
// the opponent has won.
func (p *State) AfterBlocked() State {
	next := *p
	next.Winner = 2 - p.Mover&1
	return next
}

// IsAfterBlocked reports whether q is the AfterBlocked state of p. Protocols
// disagree on the side to move in it, so it accepts either.
func IsAfterBlocked(p, q *State) bool {
	next := p.AfterBlocked()
	next.Mover = q.Mover
	return p.Winner == 0 && q.Mover <= 1 && *q == next
}

// NextStates lists the states after all turns of p. There are none if the game
// is over or the mover is blocked.
func NextStates(p *State) []State {
	l := NewMoveList()
	l.Generate(p)
	next := make([]State, len(l.Moves))
	for i, m := range l.Moves {
		next[i] = l.Child(p, m)
	}
	return next
}

// MoveOf is the turn that leads to child i.
func (l *MoveList) MoveOf(i int) Move {
	for k := len(l.Moves) - 1; ; k-- {
		if l.Moves[k]>>32 == Move(i) {
			return l.Moves[k]
		}
	}
}

// add adds a child unless it is there already, and returns its index.
func (l *MoveList) add(q *State, hint Move) (i int, old bool) {
	key := q.Key()
	slot := uint32(key) & l.mask
	for l.slots[slot] != 0 {
		if i := l.slots[slot] - 1; l.Children[i] == *q {
			return int(i), true
		}
		slot = (slot + 1) & l.mask
	}
	i = len(l.Children)
	l.Children = append(l.Children, *q)
	l.slots[slot] = uint32(i + 1)
	l.Moves = append(l.Moves, hint|moveChild|Move(key>>51)<<19|Move(i)<<32)
	if hint.Wins() {
		last := len(l.Moves) - 1
		l.Moves[l.wins], l.Moves[last] = l.Moves[last], l.Moves[l.wins]
		l.wins++
	}
	if uint32(len(l.Children)) > l.mask/2 {
		l.grow()
	}
	return i, false
}

// grow doubles the hash table.
func (l *MoveList) grow() {
	l.mask = l.mask*2 + 1
	if uint32(len(l.slots)) <= l.mask {
		l.slots = make([]uint32, l.mask+1)
	} else {
		clear(l.slots[:l.mask+1])
	}
	for i := range l.Children {
		slot := uint32(l.Children[i].Key()) & l.mask
		for l.slots[slot] != 0 {
			slot = (slot + 1) & l.mask
		}
		l.slots[slot] = uint32(i + 1)
	}
}

// FastPath is the fast generator of the mover's turns, nil if they need the full
// rules.
func FastPath(p *State) *Fast {
	me := p.Mover & 1
	if p.Workers[me] == 0 || p.limited(me) {
		return nil
	}
	return gods[p.Gods[me]].fast
}
