package gametest

import (
	"context"
	"fmt"
	"strings"

	"thera/engine/game"
)

// Script is a game.Conn that replays the engine's side of a transcript without
// waiting. Lines before the first recorded question can be received at once.
// Lines after a question can be received as soon as the session sends an equal
// one; lines of questions that the session skips come first, in order. When no
// line is left, the soft limit passes, then the hard one.
type Script struct {
	rest      []Entry
	exit      *int
	equal     func(recorded, sent string) bool
	queue     [][]byte
	Sent      []string // all lines of the session
	Unmatched []string // lines of the session that the recording does not have

	softDone bool
	notes    notes
}

// Play returns a Script of the transcript. equal reports whether a recorded line
// and a sent one are the same question; nil compares their text.
func (t *Transcript) Play(equal func(recorded, sent string) bool) *Script {
	if equal == nil {
		equal = func(recorded, sent string) bool { return recorded == sent }
	}
	s := &Script{rest: t.Entries, exit: t.Exit, equal: equal}
	s.rest = s.say(s.rest)
	return s
}

// say queues the engine's lines up to the next question and returns the
// remaining entries.
func (s *Script) say(entries []Entry) []Entry {
	for i, e := range entries {
		switch e.Mark {
		case Sent:
			return entries[i:]
		case Said:
			s.queue = append(s.queue, []byte(e.Text))
		}
	}
	return nil
}

// Send looks for the line in the rest of the recording.
func (s *Script) Send(line []byte) error {
	text := string(line)
	s.Sent = append(s.Sent, text)
	for i, e := range s.rest {
		if e.Mark == Sent && s.equal(e.Text, text) {
			for _, skipped := range s.rest[:i] {
				if skipped.Mark == Said {
					s.queue = append(s.queue, []byte(skipped.Text))
				}
			}
			s.rest = s.say(s.rest[i+1:])
			return nil
		}
	}
	s.Unmatched = append(s.Unmatched, text)
	return nil
}

// Arm starts a new call: the soft limit can pass again.
func (s *Script) Arm() { s.softDone = false }

// Recv returns the next queued line, else ErrSoft once, else how the recording
// ends: the engine's exit, or a timeout.
func (s *Script) Recv(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if line, ok := s.Pending(); ok {
		return line, nil
	}
	if len(s.rest) == 0 && s.exit != nil && *s.exit != 0 {
		if *s.exit < 0 {
			return nil, &game.Fault{Kind: game.FaultCrashed, Detail: fmt.Sprintf("signal %d", -*s.exit)}
		}
		return nil, &game.Fault{Kind: game.FaultExited, Detail: fmt.Sprint(*s.exit)}
	}
	if !s.softDone {
		s.softDone = true
		return nil, game.ErrSoft
	}
	return nil, &game.Fault{Kind: game.FaultTimeout, Detail: "the recording has no answer"}
}

// Pending returns a queued line.
func (s *Script) Pending() ([]byte, bool) {
	if len(s.queue) == 0 {
		return nil, false
	}
	line := s.queue[0]
	s.queue = s.queue[1:]
	return []byte(strings.TrimSuffix(string(line), "\r")), true
}

// Warn records a warning.
func (s *Script) Warn(text string) { s.notes.warnings = append(s.notes.warnings, text) }

// Passed records a line that the session did not use.
func (s *Script) Passed(line []byte) { s.notes.passed = append(s.notes.passed, string(line)) }

// Warnings are the warnings so far.
func (s *Script) Warnings() []string { return s.notes.warnings }

// PassedLines are the unused lines so far.
func (s *Script) PassedLines() []string { return s.notes.passed }
