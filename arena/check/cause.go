package check

import (
	"errors"
	"fmt"
	"regexp"

	"thera/engine/game"
)

// finding is a failure in words. It wraps the fault that it tells of, if there is
// one; cause is what it has in common with others, "" for what its text says.
type finding struct {
	error
	cause string
}

func (f finding) Unwrap() error { return errors.Unwrap(f.error) }

// failf is a failure in words; %w wraps its fault.
func failf(format string, args ...any) error { return finding{error: fmt.Errorf(format, args...)} }

// deaf is a failure of an engine that does not hear, while it thinks, what it is
// told: its limits, stop or a ping.
func deaf(format string, args ...any) error {
	return finding{error: fmt.Errorf(format, args...), cause: "deaf while thinking"}
}

// listless is a failure of an engine that does not answer when asked for its moves.
func listless(format string, args ...any) error {
	return finding{error: fmt.Errorf(format, args...), cause: "no list of moves"}
}

// differs is a difference that is nobody's fault.
type differs string

func (d differs) Error() string { return string(d) }

// particulars are the parts of a text that differ from question to question.
var particulars = regexp.MustCompile(`"[^"]*"|\(.*\)|\S*[0-9]\S*`)

// causeOf is the same text for failures of one cause: a fault of one kind that says
// the same, the same broken rule, or the same words about one topic.
func causeOf(topic string, err error) string {
	var said finding
	var fault *game.Fault
	var illegal *game.Illegal
	bare := func(text string) string { return particulars.ReplaceAllString(text, "") }
	switch {
	case errors.As(err, &said) && said.cause != "":
		return said.cause
	case errors.As(err, &illegal):
		return "illegal move " + bare(illegal.Rule)
	case errors.As(err, &fault):
		return string(fault.Kind) + " " + bare(fault.Detail)
	}
	return topic + ": " + bare(err.Error())
}
