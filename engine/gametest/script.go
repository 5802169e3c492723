package gametest

import (
	"context"
	"fmt"
	"strings"

	"thera/engine/game"
)

// Script is a game.Conn to an engine that is played from a transcript, in
// virtual time: everything the engine said before the first recorded question
// is there at once, and what it said after a question is there as soon as the
// session asks an equal one. What it said in between is there first, in order,
// as the noise that it was. With nothing left to say the soft limit passes,
// then the hard one: no real time is waited for.
type Script struct {
	rest  []Entry
	exit  *int
	equal func(recorded, sent string) bool
	queue [][]byte
	Sent  []string // all lines of the session
	Deaf  []string // lines of the session to which the recording has no answer

	softDone bool
	notes    notes
}

// Play is a Script over the transcript. equal says whether a recorded line
// and one that the session sent are the same question; nil compares the text.
func (t *Transcript) Play(equal func(recorded, sent string) bool) *Script {
	if equal == nil {
		equal = func(recorded, sent string) bool { return recorded == sent }
	}
	s := &Script{rest: t.Entries, exit: t.Exit, equal: equal}
	s.rest = s.say(s.rest)
	return s
}

// say queues what the engine said up to the next question and returns the
// rest.
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

// Send looks the line up in what is left of the recording.
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
	s.Deaf = append(s.Deaf, text)
	return nil
}

// Arm begins a new call: the soft limit can pass again.
func (s *Script) Arm() { s.softDone = false }

// Recv returns the next queued line, else ErrSoft once, else what became of
// the engine: the recorded death, or a timeout.
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

// Warn keeps a remark.
func (s *Script) Warn(text string) { s.notes.warnings = append(s.notes.warnings, text) }

// Passed keeps a line that was of no use.
func (s *Script) Passed(line []byte) { s.notes.passed = append(s.notes.passed, string(line)) }

// Warnings are the remarks so far.
func (s *Script) Warnings() []string { return s.notes.warnings }

// PassedLines are the lines passed over so far.
func (s *Script) PassedLines() []string { return s.notes.passed }
