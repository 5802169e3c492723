package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/pyrat/rules"
)

// Told is what a referee has told an AI of its game.
type Told struct {
	Game *rules.Position // the current one, nil for none
	Seat int             // 0 rat, 1 python, -1 unknown
	// The times for a move and for preprocessing; those that were not told stay.
	Move, Preprocessing time.Duration

	reader   *rules.Reader // of a game that is being described, nil otherwise
	recovery *recovery     // with it, after recover
	sawGo    bool          // in this game: a first "moves" before it is a placeholder
}

// Begin starts the description of a game: of a new one, or after recover.
func (t *Told) Begin(again bool) {
	t.Game, t.sawGo = nil, false
	t.reader, t.recovery = rules.NewReader(rules.Settings{}), nil
	if again {
		t.recovery = &recovery{}
	} else {
		t.Seat = -1
	}
}

// Open reports whether a game is being described.
func (t *Told) Open() bool { return t.reader != nil }

// Forget ends the game.
func (t *Told) Forget() { t.Game, t.reader = nil, nil }

// Describe takes a line of a game's description.
func (t *Told) Describe(line string) error {
	words := strings.Fields(line)
	if t.reader == nil || len(words) == 0 {
		return fmt.Errorf("ignored %q", line)
	}
	switch word, args := words[0], words[1:]; word {
	case "youare":
		if i := slices.Index(rules.Players[:], strings.Join(args, " ")); i >= 0 {
			t.Seat = i
		}
	case "timecontrol":
		for _, word := range args {
			name, text, _ := strings.Cut(word, ":")
			ms, err := strconv.ParseUint(text, 10, 30)
			switch took := time.Duration(ms) * time.Millisecond; {
			case err != nil:
			case name == "move":
				t.Move = took
			case name == "preprocessing":
				t.Preprocessing = took
			}
		}
	case "moves_history", "current_position", "score":
		if t.recovery != nil {
			return t.recovery.read(t.reader, word, args, line)
		}
		fallthrough
	default:
		if known, err := t.reader.Read(line); known {
			return err
		}
		return fmt.Errorf("ignored %q", line)
	}
	return nil
}

// Settle makes a game of the description, if there is one.
func (t *Told) Settle() error {
	if t.reader == nil {
		return nil
	}
	d, r := t.reader, t.recovery
	t.reader, t.recovery = nil, nil
	d.Optional("walls", "mud") // hosts leave empty ones out
	var err error
	if r != nil {
		t.Game, err = d.Recover(r.history, r.at)
		t.sawGo = true // no placeholder follows
	} else {
		t.Game, err = d.Position()
	}
	if err != nil {
		return fmt.Errorf("no game: %w", err)
	}
	return nil
}

// Asked notes a go.
func (t *Told) Asked() { t.sawGo = true }

// Moved plays the turn that "moves" tells of. The first one before any go is a placeholder,
// which is not played.
func (t *Told) Moved(args []string) (turn [2]rules.Move, played bool, err error) {
	if t.Game == nil {
		return turn, false, errors.New("ignored moves")
	}
	pair, err := rules.ParsePair(args)
	if err != nil {
		return turn, false, err
	}
	for i, text := range pair {
		var ok bool
		if turn[i], ok = rules.ParseMove(text); !ok {
			return turn, false, fmt.Errorf("unknown move in %q", strings.Join(args, " "))
		}
	}
	if !t.sawGo {
		t.sawGo = true
		if turn == [2]rules.Move{rules.Stay, rules.Stay} {
			return turn, false, nil
		}
	}
	next, err := t.Game.Play([2]string{turn[0].Letter(), turn[1].Letter()})
	if err != nil {
		return turn, false, err
	}
	t.Game = next.(*rules.Position)
	return turn, true, nil
}
