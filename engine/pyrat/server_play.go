package pyrat

import (
	"context"
	"strings"
	"time"
)

// preprocess learns the ways of the maze. It answers also where the maze could
// not be read: the host waits.
func (s *server) preprocess() {
	if s.draft == nil {
		s.remark("ignored startpreprocessing")
		return
	}
	s.settle()
	s.prepare.Store(true)
	p, strategy, depth, playouts := s.game, s.strategy, s.depth, s.playouts
	s.work.Start(s.ctx, func(context.Context) {
		if p != nil {
			s.brain = newBrain(p.board, strategy, depth, playouts)
		}
		if s.prepare.Swap(false) {
			s.out.Printf("preprocessingdone")
		}
	})
}

// moved takes a turn. The first one before any go is a placeholder.
func (s *server) moved(args []string) {
	s.settle()
	if s.game == nil {
		s.remark("ignored moves")
		return
	}
	rat, python, err := pairOf(args, names[0], names[1])
	if err != nil {
		s.remark("%v", err)
		return
	}
	a, okA := parseWord(rat)
	b, okB := parseWord(python)
	if !okA || !okB {
		s.remark("unknown move in %q", strings.Join(args, " "))
		return
	}
	if !s.sawGo {
		s.sawGo = true
		if a == stay && b == stay {
			return
		}
	}
	s.quiet() // a thought about an older turn
	next, err := s.game.play([2]string{letters[a : a+1], letters[b : b+1]})
	if err != nil {
		s.remark("%v", err)
		return
	}
	s.game = next
}

// think answers go.
func (s *server) think() {
	s.settle()
	if s.owed.Load() && s.work.Busy() {
		s.remark("ignored go: still thinking")
		return
	}
	s.sawGo = true
	s.work.Wait()
	s.best.Store(stay)
	s.owed.Store(true)
	s.mute.Store(false)
	p, seat, limit := s.game, s.seat, s.limit
	if p == nil || p.end() != running || seat < 0 {
		s.remark("nothing to think about")
		s.answer()
		return
	}
	if s.strategy != search && s.brain != nil {
		s.answerAtOnce(p)
		return
	}
	strategy, depth, playouts, debug := s.strategy, s.depth, s.playouts, s.debug
	s.work.Start(s.ctx, func(ctx context.Context) {
		began := time.Now()
		if s.brain == nil {
			s.brain = newBrain(p.board, strategy, depth, playouts)
		}
		b := s.brain
		b.strategy, b.depth, b.playouts = strategy, depth, playouts
		t := b.think(ctx, p, seat, thinkingTime(limit), func(t thought) {
			s.best.Store(int32(t.move))
			if !s.mute.Load() {
				s.report(p, t, time.Since(began))
			}
		})
		s.best.Store(int32(t.move))
		if debug && !s.mute.Load() {
			s.out.Printf("info string %s, turn %d, %d playouts", strategy, p.turn, t.nodes)
		}
		s.answer()
	})
}

// answerAtOnce is for strategies that need no thought of their own: both lines
// leave together.
func (s *server) answerAtOnce(p *position) {
	s.brain.strategy = s.strategy
	t := s.brain.think(s.ctx, p, s.seat, 0, nil)
	s.owed.Store(false)
	s.out.Printf("%s\nmove %s", s.infoOf(p, t, 0), words[t.move])
}

// thinkingTime leaves a little of a move's time for the way there and back.
func thinkingTime(limit time.Duration) time.Duration {
	return limit - min(max(limit/8, 5*time.Millisecond), limit/2)
}

// answer says the move of the last go, once, unless it came too late.
func (s *server) answer() {
	if !s.mute.Load() && s.owed.Swap(false) {
		s.out.Printf("move %s", words[s.best.Load()])
	}
}

func (s *server) report(p *position, t thought, took time.Duration) {
	s.out.Printf("%s", s.infoOf(p, t, took))
}

func (s *server) infoOf(p *position, t thought, took time.Duration) string {
	in := info{
		nodes: int64(t.nodes), depth: t.depth, time: took, currmove: words[t.move],
		score: 100 * t.score, scored: t.nodes > 0,
	}
	if t.target >= 0 {
		in.target = p.board.name(t.target)
	}
	var line []string
	for _, m := range t.line {
		line = append(line, words[m])
	}
	in.pv = strings.Join(line, " ")
	return in.line()
}

// stop ends a thought, which answers by itself, or answers for one that a
// timeout ended.
func (s *server) stop() {
	if s.prepare.Load() {
		return // that is not a move
	}
	if !s.owed.Load() {
		s.remark("ignored stop: nothing to stop")
		return
	}
	s.work.Stop() // a running thought says its move now
	s.mute.Store(false)
	s.answer()
}

// late takes "timeout move:STAY", "timeout preprocessing" and "timeout
// postprocessing".
func (s *server) late(args []string) {
	if len(args) != 1 {
		return
	}
	switch {
	case args[0] == "preprocessing":
		s.prepare.Store(false)
	case strings.HasPrefix(args[0], "move:"):
		s.quiet()
	}
}

// quiet ends a thought without an answer. Its move can still be had by stop.
func (s *server) quiet() {
	if s.prepare.Load() {
		s.work.Wait()
		return
	}
	s.mute.Store(true)
	s.work.Stop()
}
