package protocol

import (
	"context"
	"fmt"
	"strings"
	"time"

	"thera/engine/pyrat/player"
	"thera/engine/pyrat/rules"
)

// movesPrepared is for how many moves preprocessing searches at most: then the tree is full.
const movesPrepared = 10

// preprocess computes the ways of the maze and searches for a part of its time. It answers
// even if the maze could not be read, because the host waits.
func (s *server) preprocess() {
	if !s.view.Open() {
		s.remark("ignored startpreprocessing")
		return
	}
	s.settle()
	s.prepare.Store(true)
	p, options, limit := s.view.Game, s.options, min(s.view.Preprocessing/2, movesPrepared*s.view.Move)
	s.work.Start(s.ctx, func(ctx context.Context) {
		if p != nil {
			began := time.Now()
			s.player = player.New(p.Board(), options)
			s.player.Prepare(ctx, p, limit-time.Since(began))
		}
		if s.prepare.Swap(false) {
			s.out.Printf("preprocessingdone")
		}
	})
}

// moved takes a turn. The first one before any go is a placeholder.
func (s *server) moved(args []string) {
	s.settle()
	_, played, err := s.view.Moved(args)
	if err != nil {
		s.remark("%v", err)
	}
	if played {
		s.quiet() // ends a search for an older turn
	}
}

// think answers go.
func (s *server) think() {
	s.settle()
	if s.owed.Load() && s.work.Busy() {
		s.remark("ignored go: still thinking")
		return
	}
	s.view.Asked()
	s.work.Wait()
	s.best.Store(int32(rules.Stay))
	s.owed.Store(true)
	s.mute.Store(false)
	p, seat, limit := s.view.Game, s.view.Seat, s.view.Move
	if p == nil || p.ToMove() == 0 || seat < 0 {
		s.remark("nothing to search")
		s.answer()
		return
	}
	options, debug := s.options, s.debug
	s.work.Start(s.ctx, func(ctx context.Context) {
		began := time.Now()
		if s.player == nil {
			s.player = player.New(p.Board(), options)
		}
		s.player.Options = options
		t := s.player.Think(ctx, p, seat, thinkingTime(limit), func(t player.Analysis) {
			s.best.Store(int32(t.Move))
			if !s.mute.Load() {
				s.report(p, t, time.Since(began))
			}
		})
		s.best.Store(int32(t.Move))
		if debug && !s.mute.Load() {
			s.out.Printf("info string %s, turn %d, %d playouts", options.Strategy, p.State().Turn, t.Nodes)
		}
		s.answer()
	})
}

// thinkingTime leaves a little of a move's time for the lines to travel.
func thinkingTime(limit time.Duration) time.Duration {
	return limit - min(max(limit/8, 5*time.Millisecond), limit/2)
}

// answer sends the move for the last go, once, unless it is too late.
func (s *server) answer() {
	if !s.mute.Load() && s.owed.Swap(false) {
		s.out.Printf("move %s", rules.Move(s.best.Load()))
	}
}

func (s *server) report(p *rules.Position, t player.Analysis, took time.Duration) {
	s.out.Printf("%s", s.infoOf(p, t, took))
}

func (s *server) infoOf(p *rules.Position, t player.Analysis, took time.Duration) string {
	line := fmt.Sprintf("info nodes %d depth %d time %d currmove %s", t.Nodes, t.Depth, took.Milliseconds(), t.Move)
	if t.Nodes > 0 {
		line += fmt.Sprintf(" score %.0f", 100*t.Score)
	}
	if len(t.PV) > 0 {
		line += " pv"
	}
	for _, m := range t.PV {
		line += " " + m.String()
	}
	if t.Target >= 0 {
		line += " target " + p.Board().CellName(t.Target)
	}
	return line
}

// stop ends a search, which then answers, or answers for one that a timeout has
// ended.
func (s *server) stop() {
	if s.prepare.Load() {
		return // that is not a move
	}
	if !s.owed.Load() {
		s.remark("ignored stop: nothing to stop")
		return
	}
	s.work.Stop() // a running search sends its move now
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

// quiet ends a search without an answer. Stop still gets its move.
func (s *server) quiet() {
	if s.prepare.Load() {
		s.work.Wait()
		return
	}
	s.mute.Store(true)
	s.work.Stop()
}
