package santorini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"thera/engine/game"
)

// turn is one question on the clock.
type turn struct {
	*session
	ask     *game.Ask
	from    *state
	form    form
	best    []byte // the last matching best_move line, copied
	answer  answer // points into best
	other   []byte // where the next line is copied to
	stopped bool   // stop and ping are sent

	answered bool // best holds an answer to this question
}

// play reads until the turn is over: the engine ended its search by itself,
// reached the depth that was asked, or was stopped and answered the ping
// behind the stop. A search that goes on is stopped before play returns.
func (t *turn) play(ctx context.Context) error {
	for {
		line, err := t.conn.Recv(ctx)
		switch {
		case errors.Is(err, game.ErrSoft):
			if err := t.stop(); err != nil {
				return err
			}
			continue
		case err != nil && t.answered && isTimeout(err):
			// Deaf to ping, or slower than its grace: its last word stands.
			return nil
		case err != nil:
			return err
		}
		if t.pong(line) {
			if t.stopped && t.owed == 0 && t.answered {
				return nil
			}
			continue
		}
		over, err := t.take(line)
		if err != nil {
			return err
		}
		if over {
			return t.halt()
		}
	}
}

// take reads one line and reports whether the engine has ended its turn.
func (t *turn) take(line []byte) (over bool, err error) {
	t.other = append(t.other[:0], line...)
	a, bad := readAnswer(t.other)
	switch {
	case bad == nil && a.kind == kindError && (a.command == "" || strings.HasPrefix(a.command, "set_position")):
		return false, game.Protocolf("the engine refuses the position: %s", quoted(line))
	case bad != nil || a.kind != kindBestMove || !t.about(&a, t.from):
		t.passed(line)
		return false, nil
	}
	if len(a.next) == 0 {
		return false, game.Protocolf("best_move without next_state: %s", quoted(line))
	}
	t.best, t.other, t.answer, t.answered = t.other, t.best, a, true
	if t.ask.Watch != nil {
		t.ask.Watch(t.report())
	}
	switch trigger(a.trigger) {
	case triggerEnd, triggerLimit, triggerStop:
		return true, nil
	}
	return t.ask.Depth > 0 && a.depth >= t.ask.Depth, nil
}

// stop asks the engine to end its search, and pings: what comes after the
// pong is late.
func (t *turn) stop() error {
	t.stopped = true
	if err := t.conn.Send([]byte("stop")); err != nil {
		return err
	}
	return t.ping()
}

// halt sees to it that the engine does not think on: an engine that keeps
// limits has ended by itself, every other is stopped.
func (t *turn) halt() error {
	if t.stopped || t.limits {
		return nil
	}
	return t.stop()
}

func (t *turn) report() game.Report {
	a := &t.answer
	return game.Report{Depth: a.depth, Nodes: a.nodes, Score: a.score, Known: a.scored, PV: string(a.pv)}
}

// reply is the move: the state that the engine names, in the form of the
// position that the arena holds. Whether it is legal is the rules' to say; a
// chain of actions that does not lead there is a remark.
func (t *turn) reply() (game.Reply, error) {
	q, _, err := parse(string(t.answer.next))
	if err != nil {
		return game.Reply{}, game.Protocolf("next_state: %v: %s", err, quoted(t.best))
	}
	if fault := chainFault(t.from, &q, t.answer.actions, t.steps[:]); fault != "" {
		t.conn.Warn(fmt.Sprintf("the actions do not lead to the state: %s: %s", fault, quoted(t.answer.actions)))
	}
	return game.Reply{Move: q.text(t.form), Report: t.report()}, nil
}

func isTimeout(err error) bool {
	var fault *game.Fault
	return errors.As(err, &fault) && fault.Kind == game.FaultTimeout
}

// quoted cuts a line to what a report can hold.
func quoted(line []byte) string {
	const most = 300
	if len(line) > most {
		return fmt.Sprintf("%q… (%d bytes)", line[:most], len(line))
	}
	return fmt.Sprintf("%q", bytes.TrimSpace(line))
}

// nextOf is the state of one entry of next_states.
func nextOf(raw json.RawMessage) (state, error) {
	var entry struct {
		Next *string `json:"next_state"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return state{}, err
	}
	if entry.Next == nil {
		return state{}, errors.New("no next_state")
	}
	q, _, err := parse(*entry.Next)
	return q, err
}
