package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/arena/tournament"
	"thera/engine/game"
)

// Bounds of an engine that is asked for the rules. A list of 64 MiB takes a while.
const (
	rulesTime   = 30 * time.Second
	rulesMemory = 4 << 30 // where the engine itself has no limit
)

// rulesEngines are the engines that `rules: {law: …}` names: both players or one engine.
// Each is asked for the legal moves of foreign positions, in a process that plays no game.
// One goroutine uses them.
type rulesEngines struct {
	players []*player.Player
	asked   string     // the last position that they were asked about
	lists   [][]string // the moves that each lists there
	faults  []error    // why each gives no list: a *game.Fault, game.ErrUnlisted or nil
}

// ask asks all engines about pos. The error is not the fault of an engine. It says that a program
// cannot be started, that its protocol has no lists, or that the context ended.
func (r *rulesEngines) ask(ctx context.Context, pos game.Foreign) error {
	text := pos.String()
	if r.asked == text {
		return nil
	}
	r.asked, r.lists, r.faults = "", make([][]string, len(r.players)), make([]error, len(r.players))
	for i, p := range r.players {
		var err error
		if r.lists[i], r.faults[i], err = list(ctx, p, pos); err != nil {
			return err
		}
	}
	r.asked = text
	return nil
}

// list asks one engine.
func list(ctx context.Context, p *player.Player, pos game.Foreign) (moves []string, fault, err error) {
	if !p.Alive() {
		err = p.Start(ctx, pos)
	}
	if err == nil {
		moves, err = p.List(ctx, pos)
	}
	var failed *game.Fault
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err == nil || errors.Is(err, game.ErrUnlisted):
		return moves, err, nil
	case errors.As(err, &failed):
		p.Kill()
		return nil, failed, nil
	}
	return nil, nil, &Refusal{Engine: p.Name(), Err: err}
}

// moves returns the list of the moves of pos. known is false if an engine gives none or two lists
// differ.
func (r *rulesEngines) moves(ctx context.Context, pos game.Foreign) (moves []string, known bool, err error) {
	if err := r.ask(ctx, pos); err != nil {
		return nil, false, err
	}
	for i, list := range r.lists {
		if r.faults[i] != nil || !slices.Equal(r.lists[0], list) &&
			(len(r.lists[0]) != len(list) || len(without(r.lists[0], list)) > 0) {
			return nil, false, nil
		}
	}
	return r.lists[0], true, nil
}

// without returns the moves of list that other does not have. The texts of moves are canonical.
func without(list, other []string) []string {
	known := make(map[string]bool, len(other))
	for _, move := range other {
		known[move] = true
	}
	var rest []string
	for _, move := range list {
		if !known[move] {
			rest = append(rest, move)
		}
	}
	return rest
}

// begin returns the position from which the game starts: from, with what the plan's openings add. What
// players choose before the first move is drawn at random if an engine cannot list it.
func (r *rulesEngines) begin(ctx context.Context, plan *arena.Plan, job arena.Job, from game.Foreign) (game.Position, error) {
	for {
		if err := r.ask(ctx, from); err != nil {
			return nil, err
		}
		unlisted := slices.IndexFunc(r.faults, func(fault error) bool { return errors.Is(fault, game.ErrUnlisted) })
		empty := slices.ContainsFunc(r.lists, func(list []string) bool { return len(list) == 0 })
		lot := from.ByLot(job.Seed)
		switch {
		case empty && lot != nil:
			from = lot
			continue
		case unlisted >= 0:
			return nil, &Refusal{
				Engine: r.players[unlisted].Name(),
				Err:    fmt.Errorf("it gives no list of the moves of %s: %w", from, r.faults[unlisted]),
			}
		}
		return tournament.Wander(ctx, plan, job, from, r.moves)
	}
}

// consult asks the rules engines for the legal moves of a foreign position. If they give no list, or
// two lists that differ, the game ends unrated.
func (m *Match) consult(ctx context.Context) error {
	pos, foreign := m.history.Position.(game.Foreign)
	if !foreign {
		return nil
	}
	if m.rules == nil {
		return fmt.Errorf("position %q: its rules are not known, and no engine is asked for them", pos)
	}
	moves, known, err := m.rules.moves(ctx, pos)
	if known {
		// The same position: the sessions that know this history see no change.
		m.history.Position = pos.Under(moves)
	} else if err == nil {
		m.endUnrated(pos)
	}
	return err
}

// Reasons of unrated games.
const (
	rulesDiffer = "rules differ"
	rulesFailed = "law failed"
)

// The number of moves of the two lists that a record keeps.
const (
	mostListed = 1000 // moves of each list
	mostOnly   = 50   // moves that only one list has
)

// endUnrated ends a game for which the rules engines give no list, or two that differ.
func (m *Match) endUnrated(pos game.Foreign) {
	m.end(game.Outcome{Reason: rulesFailed}, arena.Unrated)
	r := m.rules
	for i, fault := range r.faults {
		if fault != nil {
			m.rec.Detail = fmt.Sprintf("%s at ply %d: %v\nposition: %s", r.players[i].Name(), m.history.Ply+1, fault, pos)
			if text := strings.TrimSpace(r.players[i].Stderr()); text != "" {
				m.rec.Detail += "\nits stderr: " + arena.Cut(text, 2000)
			}
			return
		}
	}
	d := &arena.Dispute{Position: pos.String()}
	var b strings.Builder
	fmt.Fprintf(&b, "rules differ at ply %d\nposition: %s\n%s", m.history.Ply+1, d.Position, pos.Draw(game.Turn{}, false))
	for i, list := range r.lists {
		only := without(list, r.lists[1-i])
		d.Engines[i] = strings.TrimPrefix(r.players[i].Name(), rulesPrefix)
		d.Listed[i], d.Only[i] = len(list), len(only)
		d.Lists[i], d.OnlyIn[i] = slices.Clone(list[:min(len(list), mostListed)]), only[:min(len(only), mostOnly)]
		fmt.Fprintf(&b, "%s lists %d moves, %d that the other does not\n", d.Engines[i], len(list), len(only))
		if near := pos.Nearest(d.OnlyIn[i], d.Position); near != "" {
			fmt.Fprintf(&b, "  %s\n", near)
			turn := game.By(pos.ToMove().Only(), near)
			if next, err := pos.Play(turn); err == nil {
				b.WriteString(next.Draw(turn, false))
			}
		}
	}
	m.rec.Dispute = d
	m.rec.Outcome.Reason, m.rec.Detail = rulesDiffer, strings.TrimSuffix(b.String(), "\n")
}
