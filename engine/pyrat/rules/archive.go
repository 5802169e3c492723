package rules

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"thera/engine/game"
)

// WriteReplay is the game as .pyrat text: tags of who played, when, and how it
// ended, the maze, and a line for each turn with the moves as they were asked
// for.
func WriteReplay(history *game.History, head game.Heading) ([]byte, error) {
	start, ok := history.Start().Position.(*Position)
	if !ok {
		return nil, fmt.Errorf("%T is no position of PyRat", history.Position)
	}
	result := "*"
	if o, over := history.Position.Outcome(); over {
		result = results[o.Winner]
	} else if head.Ended {
		result = results[head.Outcome.Winner]
	}
	date, round := "????.??.??", "-"
	if !head.Date.IsZero() {
		date = head.Date.Format("2006.01.02")
	}
	if head.Round > 0 {
		round = strconv.Itoa(head.Round)
	}
	b := &strings.Builder{}
	for _, tag := range [][2]string{
		{"Event", cmp.Or(head.Event, "?")},
		{"Site", "Thera"},
		{"Date", date},
		{"Round", round},
		{"Rat", cmp.Or(head.Players[0], "?")},
		{"Python", cmp.Or(head.Players[1], "?")},
		{"Result", result},
		{"MazeHeight", strconv.Itoa(start.Board().Height)},
		{"MazeWidth", strconv.Itoa(start.Board().Width)},
		{"TimeControl", "-"},
		{"MaxTurns", strconv.Itoa(int(start.Board().MaxTurns))},
	} {
		fmt.Fprintf(b, "[%s %q]\n", tag[0], tag[1])
	}
	if text := start.String(); !strings.HasSuffix(text, untouched) {
		fmt.Fprintf(b, "[State %q]\n", text[strings.Index(text, "turn "+strconv.Itoa(int(start.State().Turn))+"; score"):])
	}
	b.WriteString("\n")
	for i, text := range append(start.MazeLines()[1:], start.PlayerLines(start.State().At)...) {
		fmt.Fprintf(b, "%s:%s\n", []string{"W", "M", "C", "R", "P"}[i], cellsOf(text))
	}
	b.WriteString("\n")
	for i, turn := range history.Turns() {
		fmt.Fprintf(b, "%d. %s\n", i+1, turn)
	}
	return []byte(b.String()), nil
}

// untouched ends the text of a position in which nothing was played.
const untouched = "turn 0; score rat:0 python:0; mud_timers rat:0 python:0; mud_targets rat:- python:-"

var results = [...]string{"1/2-1/2", "1-0", "0-1"} // by winner

// cellsOf is what follows the words of a protocol line.
func cellsOf(line string) string {
	at := strings.IndexByte(line, '(')
	if at < 0 {
		return ""
	}
	return line[at:]
}

// ReadReplay reads .pyrat text. Comments in braces, times in parentheses and lines
// that begin with ! are passed over; a result that the moves do not give is an
// error.
func ReadReplay(text []byte, settings Settings) (*game.History, error) {
	r := &replay{start: NewReader(settings), tags: map[string]string{}}
	for i, line := range strings.Split(strings.TrimPrefix(string(text), "\ufeff"), "\n") {
		if err := r.read(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if r.history == nil {
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	if err := r.checkResult(); err != nil {
		return nil, err
	}
	return r.history, nil
}

// replay is a .pyrat text that is being read.
type replay struct {
	start   *Reader
	tags    map[string]string
	history *game.History // nil before the first turn
	depth   int           // open braces: comments may span lines
}

func (r *replay) read(text string) error {
	text = r.uncomment(text)
	switch {
	case text == "" || text[0] == '!':
		return nil
	case text[0] == '[':
		return r.tag(text)
	case len(text) > 1 && text[1] == ':' && strings.Contains("WMCRP", text[:1]):
		return r.board(text[0], text[2:])
	}
	return r.turn(text)
}

// uncomment takes out what stands in braces.
func (r *replay) uncomment(text string) string {
	b := &strings.Builder{}
	for _, c := range text {
		switch {
		case c == '{':
			r.depth++
		case c == '}' && r.depth > 0:
			r.depth--
		case r.depth == 0:
			b.WriteRune(c)
		}
	}
	return strings.TrimSpace(b.String())
}

func (r *replay) tag(text string) error {
	inner, ok := strings.CutSuffix(text[1:], "]")
	name, quoted, space := strings.Cut(inner, " ")
	value, err := strconv.Unquote(strings.TrimSpace(quoted))
	if !ok || !space || err != nil {
		return fmt.Errorf("%q: want [Name \"value\"]", text)
	}
	if _, twice := r.tags[name]; twice {
		return fmt.Errorf("tag %s is given twice", name)
	}
	r.tags[name] = value
	return nil
}

// board takes W:, M:, C:, R: and P:.
func (r *replay) board(kind byte, cells string) error {
	if r.history != nil {
		return fmt.Errorf("%c: after the first turn", kind)
	}
	if !r.start.HasMaze() {
		line := fmt.Sprintf("maze height:%s width:%s", r.tags["MazeHeight"], r.tags["MazeWidth"])
		if _, err := r.start.Read(line); err != nil {
			return fmt.Errorf("tags MazeHeight and MazeWidth: %w", err)
		}
	}
	word := map[byte]string{'W': "walls", 'M': "mud", 'C': "cheese", 'R': "player1 rat", 'P': "player2 python"}[kind]
	_, err := r.start.Read(word + " " + cells)
	return err
}

// begin makes the start from what came before the turns.
func (r *replay) begin() error {
	extra := r.tags["State"]
	if turns, ok := r.tags["MaxTurns"]; ok {
		extra = "max_turns " + turns + ";" + extra
	}
	for _, field := range strings.Split(extra, ";") {
		if strings.TrimSpace(field) == "" {
			continue
		}
		if known, err := r.start.Read(field); err != nil || !known {
			return fmt.Errorf("tags State and MaxTurns: %q: %w", field, err)
		}
	}
	p, err := r.start.Position()
	if err != nil {
		return err
	}
	r.history = game.Begin(p)
	return nil
}

// turn takes "N. X/Y" with times behind.
func (r *replay) turn(text string) error {
	if r.history == nil {
		if err := r.begin(); err != nil {
			return err
		}
	}
	words := strings.Fields(text)
	if want := strconv.Itoa(r.history.Ply+1) + "."; words[0] != want {
		return fmt.Errorf("%q: want turn %s", text, want)
	}
	if len(words) < 2 || len(words) > 3 || len(words) == 3 && words[2][0] != '(' {
		return fmt.Errorf("%q: want N. X/Y (time/time)", text)
	}
	next, err := r.history.Play(game.ParseTurn(game.Both, words[1]))
	if err != nil {
		return fmt.Errorf("turn %s %w", words[0], err)
	}
	r.history = next
	return nil
}

// checkResult holds the tag to the moves. A game that was broken off may have
// any result: what ended it is not in the moves.
func (r *replay) checkResult() error {
	if r.depth > 0 {
		return fmt.Errorf("a comment is not closed")
	}
	result, ok := r.tags["Result"]
	if o, over := r.history.Position.Outcome(); ok && over && result != "*" && result != results[o.Winner] {
		return fmt.Errorf("tag Result %q: the moves give %s", result, results[o.Winner])
	}
	return nil
}
