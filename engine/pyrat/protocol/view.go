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

// View is the game as an AI knows it from the messages of its referee.
type View struct {
	Game *rules.Position // the current one, nil for none
	Seat int             // 0 rat, 1 python, -1 unknown
	// The times for a move and for preprocessing; a referee that sends none keeps them.
	Move, Preprocessing time.Duration

	reader   *rules.Reader // of a game that is being described, nil otherwise
	recovery *recovery     // with it, after recover
	sawGo    bool          // in this game: a first "moves" before it is a placeholder
}

// Begin starts the description of a game: of a new one, or after recover.
func (v *View) Begin(again bool) {
	v.Game, v.sawGo = nil, false
	v.reader, v.recovery = rules.NewReader(rules.Settings{}), nil
	if again {
		v.recovery = &recovery{}
	} else {
		v.Seat = -1
	}
}

// Open reports whether a game is being described.
func (v *View) Open() bool { return v.reader != nil }

// Forget ends the game.
func (v *View) Forget() { v.Game, v.reader = nil, nil }

// Describe takes a line of a game's description.
func (v *View) Describe(line string) error {
	words := strings.Fields(line)
	if v.reader == nil || len(words) == 0 {
		return fmt.Errorf("ignored %q", line)
	}
	switch word, args := words[0], words[1:]; word {
	case "youare":
		if i := slices.Index(rules.Players[:], strings.Join(args, " ")); i >= 0 {
			v.Seat = i
		}
	case "timecontrol":
		for _, word := range args {
			name, text, _ := strings.Cut(word, ":")
			ms, err := strconv.ParseUint(text, 10, 30)
			switch took := time.Duration(ms) * time.Millisecond; {
			case err != nil:
			case name == "move":
				v.Move = took
			case name == "preprocessing":
				v.Preprocessing = took
			}
		}
	case "moves_history", "current_position", "score":
		if v.recovery != nil {
			return v.recovery.read(v.reader, word, args, line)
		}
		fallthrough
	default:
		if known, err := v.reader.Read(line); known {
			return err
		}
		return fmt.Errorf("ignored %q", line)
	}
	return nil
}

// Settle makes a game of the description, if there is one.
func (v *View) Settle() error {
	if v.reader == nil {
		return nil
	}
	d, r := v.reader, v.recovery
	v.reader, v.recovery = nil, nil
	d.Optional("walls", "mud") // hosts leave empty ones out
	var err error
	if r != nil {
		v.Game, err = d.Recover(r.history, r.at)
		v.sawGo = true // no placeholder follows
	} else {
		v.Game, err = d.Position()
	}
	if err != nil {
		return fmt.Errorf("no game: %w", err)
	}
	return nil
}

// Asked notes a go.
func (v *View) Asked() { v.sawGo = true }

// Moved plays the turn that "moves" tells of. The first one before any go is a placeholder,
// which is not played.
func (v *View) Moved(args []string) (turn [2]rules.Move, played bool, err error) {
	if v.Game == nil {
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
	if !v.sawGo {
		v.sawGo = true
		if turn == [2]rules.Move{rules.Stay, rules.Stay} {
			return turn, false, nil
		}
	}
	next, err := v.Game.Play([2]string{turn[0].Letter(), turn[1].Letter()})
	if err != nil {
		return turn, false, err
	}
	v.Game = next.(*rules.Position)
	return turn, true, nil
}
