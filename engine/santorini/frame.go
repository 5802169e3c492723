package santorini

// frame holds the turns of one position. A search keeps one for each ply;
// after the first few uses it allocates no more.
type frame struct {
	at    state // the position, a copy: what indirect calls see must not be the caller's
	moves []move
	kids  []state // children of turns that do not fit in a move word
	won   int     // so many of moves win; they stand first
	full  turns   // the generator behind kids

	slots []uint32 // open addressing over kids: index + 1, 0 is free
	mask  uint32
}

const fewSlots = 512

func newFrame() *frame {
	return &frame{moves: make([]move, 0, 256), slots: make([]uint32, fewSlots), mask: fewSlots - 1}
}

// generate fills f.moves with all distinct turns of the mover, wins first. No
// turns mean that the game is over or that the mover is blocked.
func (f *frame) generate(p *state) {
	f.reset()
	if p.winner != 0 {
		return
	}
	f.at = *p
	if fast := fastFor(p); fast != nil {
		fast.generate(&f.at, f)
		return
	}
	f.full.start(f, false)
	f.full.generate(&f.at)
}

// judged is generate by the full rules, with a judge that sees the index of
// each state as it is kept and may break off.
func (f *frame) judged(p *state, judge func(kid int) (over bool)) {
	f.reset()
	if p.winner != 0 {
		return
	}
	f.at = *p
	f.full.start(f, false)
	f.full.judge = judge
	if gods[p.god[p.mover&1]].wide { // its few plain turns come first
		f.full.plain = true
		f.full.generate(&f.at)
		f.full.plain = false
	}
	if !f.full.over {
		f.full.generate(&f.at)
	}
	f.full.judge = nil
}

// ordered is generate in the order in which the player lists turns.
func (f *frame) ordered(p *state) {
	if fastFor(p) != nil || p.placing() {
		f.generate(p)
		return
	}
	f.judged(p, nil)
}

// winning fills f.moves with the mover's winning turns only.
func (f *frame) winning(p *state) {
	f.reset()
	if p.winner != 0 {
		return
	}
	f.at = *p
	if fast := fastFor(p); fast != nil {
		fast.winning(&f.at, f)
		return
	}
	f.full.start(f, true)
	f.full.generate(&f.at)
	f.moves = f.moves[:f.won]
}

func (f *frame) reset() {
	f.moves = f.moves[:0]
	if len(f.kids) > 0 {
		clear(f.slots[:f.mask+1])
		f.kids, f.won, f.mask = f.kids[:0], 0, fewSlots-1
	}
}

// child is the state after m, one of the frame's turns at p.
func (f *frame) child(p *state, m move) state {
	if m&moveKid != 0 {
		return f.kids[m>>32]
	}
	return playFast(p, m)
}

// kidMove is the turn that leads to kid i.
func (f *frame) kidMove(i int) move {
	for k := len(f.moves) - 1; ; k-- {
		if f.moves[k]>>32 == move(i) {
			return f.moves[k]
		}
	}
}

// keep adds a child unless it is there already, and gives its index.
func (f *frame) keep(q *state, hint move) (i int, old bool) {
	key := q.key()
	slot := uint32(key) & f.mask
	for f.slots[slot] != 0 {
		if i := f.slots[slot] - 1; f.kids[i] == *q {
			return int(i), true
		}
		slot = (slot + 1) & f.mask
	}
	i = len(f.kids)
	f.kids = append(f.kids, *q)
	f.slots[slot] = uint32(i + 1)
	f.moves = append(f.moves, hint|moveKid|move(key>>51)<<19|move(i)<<32)
	if hint.wins() {
		last := len(f.moves) - 1
		f.moves[f.won], f.moves[last] = f.moves[last], f.moves[f.won]
		f.won++
	}
	if uint32(len(f.kids)) > f.mask/2 {
		f.grow()
	}
	return i, false
}

// grow doubles the table.
func (f *frame) grow() {
	f.mask = f.mask*2 + 1
	if uint32(len(f.slots)) <= f.mask {
		f.slots = make([]uint32, f.mask+1)
	} else {
		clear(f.slots[:f.mask+1])
	}
	for i := range f.kids {
		slot := uint32(f.kids[i].key()) & f.mask
		for f.slots[slot] != 0 {
			slot = (slot + 1) & f.mask
		}
		f.slots[slot] = uint32(i + 1)
	}
}

// fastFor is the mover's fast path, nil where the full rules are needed.
func fastFor(p *state) *fastTurns {
	me := p.mover & 1
	if p.workers[me] == 0 || gods[p.god[me^1]].limit != nil {
		return nil
	}
	return gods[p.god[me]].fast
}

// start readies the full rules for f.
func (t *turns) start(f *frame, winsOnly bool) {
	t.f, t.winsOnly, t.record, t.over = f, winsOnly, false, false
}
