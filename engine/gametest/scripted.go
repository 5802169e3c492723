package gametest

import (
	"context"

	"thera/engine/game"
)

// Scripted is a game.Conn to an engine that answers each line at once. When no
// line is left, soft limits pass while Soft is positive, then the hard limit.
type Scripted struct {
	Answer   func(line string) []string // what the engine writes after a line; a nil func is a silent engine
	Queue    []string                   // lines that are still to be received
	Soft     int
	Sent     []string // lines of the session
	Warnings []string
	Unused   []string // lines that the session passed over
}

// Send records the line and queues its answer.
func (s *Scripted) Send(line []byte) error {
	s.Sent = append(s.Sent, string(line))
	if s.Answer != nil {
		s.Queue = append(s.Queue, s.Answer(string(line))...)
	}
	return nil
}

// Recv returns the next line, game.ErrSoft or a timeout.
func (s *Scripted) Recv(context.Context) ([]byte, error) {
	if line, ok := s.Pending(); ok {
		return line, nil
	}
	if s.Soft > 0 {
		s.Soft--
		return nil, game.ErrSoft
	}
	return nil, &game.Fault{Kind: game.FaultTimeout}
}

// Pending returns a queued line.
func (s *Scripted) Pending() ([]byte, bool) {
	if len(s.Queue) == 0 {
		return nil, false
	}
	line := s.Queue[0]
	s.Queue = s.Queue[1:]
	return []byte(line), true
}

// Warn records a warning.
func (s *Scripted) Warn(text string) { s.Warnings = append(s.Warnings, text) }

// Passed records a line that the session did not use.
func (s *Scripted) Passed(line []byte) { s.Unused = append(s.Unused, string(line)) }
