package santorini

import (
	"context"
	"time"

	"thera/engine/search"
)

// player is the built-in engine's mind. It is used by one goroutine at a time;
// cancelling the context of a search ends it at once.
//
//	pl := newPlayer()
//	err := pl.set("hash", "16")                // see playerOptions
//	pl.newGame()                               // forgets everything
//	r := pl.search(ctx, &p, thinkLimits{Time: time.Second}, func(r thought) { … })
type player struct {
	engine *search.Engine[move]
	values map[string]int
	on     knowledge
	root   *frame // the turns of the position that is searched
	frame  *frame // for turning the moves after the first into states
}

// thinkLimits end a search; zero fields do not limit.
type thinkLimits struct {
	Depth int
	Nodes int64
	Time  time.Duration
}

// thought is what a search found so far.
type thought struct {
	found   bool    // false: the mover is blocked, or the game over
	next    state   // the state after the best turn
	score   int     // hundredths, for the mover; see search.Proven
	depth   int     // of the last finished iteration
	nodes   int64   // turns made
	pv      []state // next and what should follow
	trigger trigger
}

// trigger says why a thought is told.
type trigger string

const (
	triggerImprovement trigger = "improvement" // better, or deeper
	triggerEnd         trigger = "end_of_line" // proven: nothing can change it
	triggerLimit       trigger = "limit"       // a limit was reached
	triggerStop        trigger = "stop_flag"   // the context was cancelled
)

// newPlayer is a player with default options.
func newPlayer() *player {
	p := &player{values: map[string]int{}, root: newFrame(), frame: newFrame()}
	p.engine = search.New(func() search.Board[move] { return newWalker() })
	p.engine.Options.Tuning = tuning()
	return p
}

// tuning is the search's numbers for this game.
func tuning() search.Tuning {
	t := search.Defaults().Tuning
	t.Aspiration, t.Margin, t.TableDepth, t.LateRoot = 25, 60, 2, 400
	return t
}

// newGame forgets the table and what moves were good for, and allocates what
// the options ask for: no search has to.
func (p *player) newGame() {
	p.apply()
	p.engine.Prepare()
	p.engine.Clear()
}

// search thinks about the position until a limit, the context or a proof ends
// it. improved, which may be nil, is called on this goroutine with each better
// or deeper result; the last thought is returned.
func (p *player) search(ctx context.Context, pos *state, limits thinkLimits, improved func(thought)) thought {
	if pos.winner != 0 {
		return thought{trigger: triggerEnd}
	}
	p.apply()
	p.root.reset()
	depth := limits.Depth
	if most := p.depthCap(); most > 0 && (depth == 0 || depth > most) {
		depth = most
	}
	set := func(b search.Board[move]) {
		w := b.(*walker)
		w.on = p.on
		w.set(pos)
	}
	var report func(search.Result[move])
	if improved != nil {
		report = func(r search.Result[move]) { improved(p.thought(pos, r, triggerImprovement)) }
	}
	r := p.engine.Search(ctx, set, search.Limits{Depth: depth, Nodes: limits.Nodes, Time: limits.Time}, report)
	switch {
	case r.Done:
		return p.thought(pos, r, triggerEnd)
	case ctx.Err() != nil:
		return p.thought(pos, r, triggerStop)
	}
	return p.thought(pos, r, triggerLimit)
}

// thought turns the search's moves into states.
func (p *player) thought(pos *state, r search.Result[move], why trigger) thought {
	t := thought{score: r.Score, depth: r.Depth, nodes: r.Nodes, trigger: why, found: r.Found}
	if r.Done {
		t.trigger = triggerEnd
	}
	if !r.Found {
		return t
	}
	line := r.PV
	if len(line) == 0 {
		line = []move{r.Move}
	}
	at := *pos
	for i, m := range line {
		f := p.frame
		if i == 0 {
			if f = p.root; len(f.moves) == 0 {
				f.ordered(&at)
			}
		} else {
			if fastFor(&at) == nil {
				break // listing all turns again and again costs more than it tells
			}
			f.generate(&at)
		}
		m, ok := f.withID(m, i)
		if !ok {
			break
		}
		at = f.child(&at, m)
		t.pv = append(t.pv, at)
	}
	t.next = t.pv[0]
	return t
}

// withID finds a move made from another frame among this one's. At the root
// (index 0) frames list the same turns in the same order, so the move itself
// is there.
func (f *frame) withID(m move, index int) (move, bool) {
	same, ok := move(0), false
	for _, other := range f.moves {
		if other == m {
			return m, true
		}
		if other.id() == m.id() {
			same, ok = other, true
		}
	}
	return same, ok && index > 0 || ok && m&moveKid == 0
}
