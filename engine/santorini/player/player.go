package player

import (
	"context"
	"math"
	"time"

	"thera/engine/santorini/player/net"
	"thera/engine/santorini/rules"
	"thera/engine/search"
)

// Player searches positions. It must not be used by two goroutines at once;
// cancelling the context of a search ends it at once.
//
//	pl := player.New()
//	err := pl.Set("hash", "16") // see Options
//	pl.NewGame()                // forgets what earlier searches learned
//	r := pl.Search(ctx, &p, player.Limits{Time: time.Second}, func(r player.Result) { … })
type Player struct {
	engine    *search.Engine[rules.Move]
	values    map[string]int
	knowledge knowledge
	byNet     bool            // evaluation by the net that knows the gods, if one does
	judging   bool            // by the net of judges
	nets      net.Nets        // of netsOf, kept for the next search
	netsOf    rules.Matchup   //
	root      *rules.MoveList // the turns of the root
	list      *rules.MoveList // the turns of positions later in the variation
}

// Limits end a search. A field that is 0 is no limit.
type Limits struct {
	Depth int
	Nodes int64
	Time  time.Duration
}

// Result is what a search has found so far.
type Result struct {
	Found   bool          // false if the mover is blocked or the game is over
	Next    rules.State   // the state after the best turn
	Score   int           // hundredths of an advantage, for the mover; see search.Proven
	Depth   int           // of the last finished iteration
	Nodes   int64         // turns made
	PV      []rules.State // the principal variation, Next first
	Trigger Trigger
}

// Trigger says why a result is reported, in the word of the protocol.
type Trigger string

// The triggers.
const (
	TriggerImprovement Trigger = "improvement" // a better or deeper result
	TriggerEndOfLine   Trigger = "end_of_line" // the outcome is proven
	TriggerLimit       Trigger = "limit"       // a limit was reached
	TriggerStop        Trigger = "stop_flag"   // the context was cancelled
)

// New returns a player with default options.
func New() *Player {
	p := &Player{values: map[string]int{}, root: rules.NewMoveList(), list: rules.NewMoveList()}
	p.engine = search.New(func() search.Board[rules.Move] { return newBoard() })
	p.engine.Options.Tuning = tuning()
	return p
}

// tuning is the parameters of the search for this game.
func tuning() search.Tuning {
	t := search.Defaults().Tuning
	t.Aspiration, t.TableDepth, t.LateRoot = 25, 2, 400
	return t
}

// pruning is what depends on how much an evaluation can be trusted. results/heuristics.md
// has the matches.
type pruning struct {
	margin, depth int // of futility pruning
	late          [4]int
	lateMore      int
}

var (
	handPruning    = pruning{60, 3, [4]int{0, 12, 20, 32}, 40}
	godsPruning    = pruning{80, 5, [4]int{0, 12, 20, 32}, 40}
	mortalsPruning = pruning{0, 0, [4]int{0, 24, 40, 64}, 80} // no futility pruning: it cost 130 Elo
)

// pruningFor returns that of the networks, or of the evaluation by hand.
func pruningFor(pos *rules.State, nets net.Nets) pruning {
	switch {
	case nets[0] == nil:
		return handPruning
	case pos.Gods[0]|pos.Gods[1] == rules.Mortal:
		return mortalsPruning
	}
	return godsPruning
}

// NewGame clears the transposition table and the history, and allocates memory as
// the options say, so that no search has to.
func (p *Player) NewGame() {
	p.apply()
	if p.byNet {
		net.Embedded(rules.Matchup{}) // reads the weights for mortals, the most frequent gods
	}
	p.engine.Prepare()
	p.engine.Clear()
}

// Search searches pos until a limit, the context or a proof ends it, and returns the
// last result. It calls improved, if not nil, with each better or deeper result, on
// its goroutine.
func (p *Player) Search(ctx context.Context, pos *rules.State, limits Limits, improved func(Result)) Result {
	if pos.Winner != 0 {
		return Result{Trigger: TriggerEndOfLine}
	}
	began := time.Now()
	p.apply()
	p.root.Reset()
	depth := limits.Depth
	if limit := p.depthLimit(); limit > 0 && (depth == 0 || depth > limit) {
		depth = limit
	}
	nets := p.netsFor(pos)
	t, prune := &p.engine.Options.Tuning, pruningFor(pos, nets)
	t.Margin, t.MarginDepth, t.Late, t.LateMore = prune.margin, prune.depth, prune.late, prune.lateMore
	if limits.Time > 0 {
		limits.Time = max(limits.Time-time.Since(began), 1) // weights may have been read
	}
	set := func(sb search.Board[rules.Move]) {
		b := sb.(*board)
		b.knowledge = p.knowledge
		b.choose(nets)
		b.set(pos)
	}
	var report func(search.Result[rules.Move])
	if improved != nil {
		report = func(r search.Result[rules.Move]) { improved(p.result(pos, r, TriggerImprovement)) }
	}
	r := p.engine.Search(ctx, set, search.Limits{Depth: depth, Nodes: limits.Nodes, Time: limits.Time}, report)
	switch {
	case r.Done:
		return p.result(pos, r, TriggerEndOfLine)
	case ctx.Err() != nil:
		return p.result(pos, r, TriggerStop)
	}
	return p.result(pos, r, TriggerLimit)
}

// netsFor returns the networks that evaluate pos, none if that is done by hand.
func (p *Player) netsFor(pos *rules.State) (none net.Nets) {
	if !p.byNet || pos.Placing() { // the networks have seen no position without all workers
		return none
	}
	if p.nets[0] != nil && p.netsOf == pos.Gods {
		return p.nets
	}
	find := net.Embedded
	if p.judging {
		find = net.Judge
	}
	family := find(pos.Gods)
	if family == nil {
		return none
	}
	p.nets, p.netsOf = family.For(pos.Gods), pos.Gods
	return p.nets
}

// result converts the moves of a search into states.
func (p *Player) result(pos *rules.State, r search.Result[rules.Move], why Trigger) Result {
	t := Result{Score: r.Score, Depth: r.Depth, Nodes: r.Nodes, Trigger: why, Found: r.Found}
	if r.Done {
		t.Trigger = TriggerEndOfLine
	}
	if !r.Found {
		return t
	}
	line := r.PV
	if len(line) == 0 {
		line = []rules.Move{r.Move}
	}
	at := *pos
	for i, m := range line {
		l := p.list
		if i == 0 {
			if l = p.root; len(l.Moves) == 0 {
				generateRoot(l, &at)
			}
		} else {
			if rules.FastPath(&at) == nil {
				break // generating all turns again is not worth it
			}
			l.Generate(&at)
		}
		m, ok := findMove(l, m, i)
		if !ok {
			break
		}
		at = l.Child(&at, m)
		t.PV = append(t.PV, at)
	}
	t.Next = t.PV[0]
	return t
}

// generateRoot lists the turns of at in the order in which the search does.
func generateRoot(list *rules.MoveList, at *rules.State) {
	if rules.FastPath(at) != nil || at.Placing() {
		list.Generate(at)
		return
	}
	list.Visit(at, nil)
}

// findMove finds a move of another list in this one. At the root (index 0) both
// lists have the same turns in the same order, so the very move is there.
func findMove(list *rules.MoveList, m rules.Move, index int) (rules.Move, bool) {
	same, ok := rules.Move(0), false
	for _, other := range list.Moves {
		if other == m {
			return m, true
		}
		if other.ID() == m.ID() {
			same, ok = other, true
		}
	}
	return same, ok && index > 0 || ok && !m.HasChild()
}

// ExpectedScore is the expected score of the mover, from 0 to 1.
func ExpectedScore(score int) float64 {
	return 1 / (1 + math.Exp(-float64(score)/scoreScale))
}

// scoreScale is the score with an expected score of 73 %.
const scoreScale = 150
