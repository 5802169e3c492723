package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/engine/game"
)

// Bounds of an engine that is asked for the rules: a list of 64 MiB takes a while.
const (
	lawTime   = 30 * time.Second
	lawMemory = 4 << 30 // where the engine itself has no limit
)

// law is the engines that are asked for the legal moves of foreign positions, each
// in a process of its own that plays no game. It is used by one goroutine.
type law struct {
	players  []*player.Player
	warnings []string

	asked   string // the last position
	answers []lawAnswer
}

// lawAnswer is what one engine says of a position.
type lawAnswer struct {
	moves []string
	fault error // no list: a *game.Fault, or game.ErrUnlisted
}

// lawPlayer is a process of the engine that is asked for the rules.
func lawPlayer(spec arena.EngineSpec, dialect game.Dialect, limit arena.Limit, opts player.Options) *player.Player {
	spec.Name = "law " + spec.Name
	if spec.Memory == 0 {
		spec.Memory = lawMemory
	}
	return player.New(spec, dialect, dialect.Args(game.First), arena.Limit{Start: limit.Start, Sync: lawTime}, opts)
}

// ask asks all engines about pos, at once. The error is not an engine's: a program
// that cannot be started or whose protocol has no lists, or the end of the context.
func (l *law) ask(ctx context.Context, pos game.Foreign) error {
	if text := pos.String(); l.asked != text || l.answers == nil {
		l.asked, l.answers = text, make([]lawAnswer, len(l.players))
	} else {
		return nil
	}
	errs, restarts := make([]error, len(l.players)), make([]string, len(l.players))
	var all sync.WaitGroup
	for i := range l.players {
		all.Go(func() { l.answers[i], restarts[i], errs[i] = list(ctx, l.players[i], pos) })
	}
	all.Wait()
	for _, text := range restarts {
		if text != "" {
			l.warnings = append(l.warnings, text)
		}
	}
	if err := errors.Join(errs...); err != nil {
		l.answers = nil
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return slices.DeleteFunc(errs, func(err error) bool { return err == nil })[0]
	}
	return nil
}

// list asks one engine. If it fails, it is asked a second time in a new process.
func list(ctx context.Context, p *player.Player, pos game.Foreign) (answer lawAnswer, restarted string, err error) {
	for range 2 {
		if !p.Alive() {
			err = p.Start(ctx, pos)
		}
		if err == nil {
			answer.moves, err = p.List(ctx, pos)
		}
		var fault *game.Fault
		switch {
		case err == nil, errors.Is(err, game.ErrUnlisted):
			answer.fault = err
			return answer, restarted, nil
		case !errors.As(err, &fault):
			if ctx.Err() == nil {
				err = &Refusal{Engine: p.Name(), Err: err}
			}
			return answer, restarted, err
		}
		p.Kill()
		answer.fault = fault
		restarted, err = fmt.Sprintf("%s: asked again in a new process: %v", p.Name(), fault), nil
	}
	return answer, restarted, nil
}

// lists is tournament.Lists: not ok where the game cannot go on.
func (l *law) lists(ctx context.Context, pos game.Foreign) (moves []string, ok bool, err error) {
	if err := l.ask(ctx, pos); err != nil {
		return nil, false, err
	}
	for i := range l.answers {
		if l.answers[i].fault != nil || !same(pos, l.answers[0].moves, l.answers[i].moves) {
			return nil, false, nil
		}
	}
	return l.answers[0].moves, true, nil
}

// same reports whether two lists have the same moves, in whatever way they are written.
func same(pos game.Foreign, a, b []string) bool {
	return slices.Equal(a, b) || len(a) == len(b) && len(without(pos, a, b)) == 0
}

// unlisted is the first engine that gives no list of the last position, -1 if all do.
func (l *law) unlisted() int {
	return slices.IndexFunc(l.answers, func(a lawAnswer) bool { return errors.Is(a.fault, game.ErrUnlisted) })
}

// empty reports whether an engine lists no move in the last position.
func (l *law) empty() bool {
	return slices.ContainsFunc(l.answers, func(a lawAnswer) bool { return a.fault == nil && len(a.moves) == 0 })
}

// consult gives the position to move from its legal moves, if they are the law's to
// say. Where there is no law, or two that differ, the game ends unrated.
func (m *Match) consult(ctx context.Context) error {
	pos, foreign := m.line.Position.(game.Foreign)
	if !foreign || m.verdict != nil {
		return nil
	}
	if m.law == nil {
		return fmt.Errorf("position %q: its rules are not known, and no engine is asked for them", pos)
	}
	if err := m.law.ask(ctx, pos); err != nil {
		return err
	}
	m.rec.Warnings = append(m.rec.Warnings, m.law.warnings...)
	m.law.warnings = nil
	for i, a := range m.law.answers {
		if a.fault != nil {
			m.lawless(m.law.players[i], pos, a.fault)
			return nil
		}
	}
	answers := m.law.answers
	for i := range answers {
		if !same(pos, answers[0].moves, answers[i].moves) {
			m.dispute(pos, [2]string{m.law.players[0].Name(), m.law.players[i].Name()}, [2][]string{answers[0].moves, answers[i].moves})
			return nil
		}
	}
	// The same position: the sessions that know this line see no change.
	m.line.Position = pos.Under(answers[0].moves)
	return nil
}

// Reasons of unrated games.
const (
	rulesDiffer = "rules differ"
	lawFailed   = "law failed"
)

// lawless ends a game whose law gives no list.
func (m *Match) lawless(p *player.Player, pos game.Foreign, fault error) {
	detail := fmt.Sprintf("%s at ply %d: %v\nposition: %s", p.Name(), m.line.Ply+1, fault, pos)
	if text := strings.TrimSpace(p.Stderr()); text != "" {
		detail += "\nits stderr: " + clip(text, 2000)
	}
	m.verdict = &verdict{outcome: game.Outcome{Reason: lawFailed}, source: arena.Unrated, detail: detail}
}
