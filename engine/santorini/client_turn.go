package santorini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"thera/engine/game"
	"thera/engine/santorini/player"
	"thera/engine/santorini/rules"
	"thera/engine/santorini/wire"
)

// turn is one question and its answer.
type turn struct {
	*session
	ask     *game.Ask
	from    *rules.State
	form    wire.Form
	best    []byte      // the last matching best_move line, copied
	answer  wire.Answer // points into best
	other   []byte      // a buffer for the next line
	stopped bool        // stop and ping are sent

	answered bool // best holds an answer to this question
}

// play reads until the turn is over: the engine ended its search by itself, reached
// the requested depth, or was stopped and answered the ping after the stop. It stops
// a search that continues.
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
			// The engine does not answer the ping in time: its last answer counts.
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
	a, bad := wire.ReadAnswer(t.other)
	switch {
	case bad == nil && a.Kind == wire.KindError && (a.Command == "" || strings.HasPrefix(a.Command, "set_position")):
		return false, game.Protocolf("the engine refuses the position: %s", quoted(line))
	case bad != nil || a.Kind != wire.KindBestMove || !t.about(&a, t.from):
		t.passed(line)
		return false, nil
	}
	if len(a.Next) == 0 {
		return false, game.Protocolf("best_move without next_state: %s", quoted(line))
	}
	t.best, t.other, t.answer, t.answered = t.other, t.best, a, true
	if t.ask.Watch != nil {
		t.ask.Watch(t.report())
	}
	switch player.Trigger(a.Trigger) {
	case player.TriggerEndOfLine, player.TriggerLimit, player.TriggerStop:
		return true, nil
	}
	return t.ask.Depth > 0 && a.Depth >= t.ask.Depth, nil
}

// stop asks the engine to end its search and pings it: any answer comes before the
// pong.
func (t *turn) stop() error {
	t.stopped = true
	if err := t.conn.Send([]byte("stop")); err != nil {
		return err
	}
	return t.ping()
}

// halt stops an engine that may still search. One with limits has ended by itself.
func (t *turn) halt() error {
	if t.stopped || t.limits {
		return nil
	}
	return t.stop()
}

func (t *turn) report() game.Report {
	a := &t.answer
	return game.Report{Depth: a.Depth, Nodes: a.Nodes, Score: a.Score, Known: a.HasScore, PV: string(a.PV)}
}

// reply is the state that the engine names, in the form of the arena's position. It
// does not check whether the state is legal. A chain of actions that does not lead
// there is only a warning.
func (t *turn) reply() (game.Reply, error) {
	q, _, err := wire.Parse(string(t.answer.Next))
	if err != nil {
		return game.Reply{}, game.Protocolf("next_state: %v: %s", err, quoted(t.best))
	}
	if fault := wire.ChainFault(t.from, &q, t.answer.Actions, &t.chain); fault != "" {
		t.conn.Warn(fmt.Sprintf("the actions do not lead to the state: %s: %s", fault, quoted(t.answer.Actions)))
	}
	return game.Reply{Move: wire.Text(&q, t.form), Report: t.report()}, nil
}

func isTimeout(err error) bool {
	var fault *game.Fault
	return errors.As(err, &fault) && fault.Kind == game.FaultTimeout
}

// quoted quotes a line, shortened for a report.
func quoted(line []byte) string {
	const most = 300
	if len(line) > most {
		return fmt.Sprintf("%q… (%d bytes)", line[:most], len(line))
	}
	return fmt.Sprintf("%q", bytes.TrimSpace(line))
}

// nextOf reads an entry of next_states.
func nextOf(raw json.RawMessage) (rules.State, error) {
	var entry struct {
		Next *string `json:"next_state"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return rules.State{}, err
	}
	if entry.Next == nil {
		return rules.State{}, errors.New("no next_state")
	}
	q, _, err := wire.Parse(*entry.Next)
	return q, err
}
