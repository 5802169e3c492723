package mill

import (
	"errors"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// The position text has seventeen fields parted by spaces; see rules.md.
const fenFields = 17

// StartFEN is the text of the start.
const StartFEN = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"

// String is the position as seventeen fields.
func (p *Position) String() string {
	b := make([]byte, 0, 64)
	for n := range points {
		if n > 0 && n%8 == 0 {
			b = append(b, '/')
		}
		switch bit := point(n).bit(); {
		case p.men[white]&bit != 0:
			b = append(b, 'O')
		case p.men[black]&bit != 0:
			b = append(b, '@')
		default:
			b = append(b, '*')
		}
	}
	b = append(b, ' ', "wb"[p.turn], ' ', p.phase(), ' ', p.action())
	remove := [2]int{}
	if p.act != actMove {
		remove[p.turn] = 1
	}
	for _, n := range [...]int{
		bits.OnesCount32(p.men[white]), int(p.hand[white]), bits.OnesCount32(p.men[black]), int(p.hand[black]),
		remove[white], remove[black], 0, 0, 0, 0, 0, p.quiet, 1 + (p.actions-int(p.turn))/2,
	} {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	return string(b)
}

// phase is the third field. A draw by repetition is not in the text: it needs
// the history.
func (p *Position) phase() byte {
	switch {
	case p.act == actWon || p.stuck(p.rules) || p.drawn == reasonQuiet:
		return 'o'
	case p.last || p.hand != [2]uint8{}:
		return 'p'
	}
	return 'm'
}

func (p *Position) action() byte {
	switch {
	case p.act != actMove:
		return 'r'
	case p.placing():
		return 'p'
	}
	return 's'
}

// fieldNames are for errors.
var fieldNames = [fenFields]string{
	"board", "side to move", "phase", "action",
	"white men on board", "white men in hand", "black men on board", "black men in hand",
	"white removals", "black removals", "white last mill from", "white last mill to",
	"black last mill from", "black last mill to", "mill bits", "quiet plies", "move number",
}

// parseFEN reads a position text strictly: fields that contradict each other
// are refused, and the error names the field.
func parseFEN(r *rules, text string) (*Position, error) {
	fields := strings.Fields(text)
	if len(fields) != fenFields {
		return nil, fmt.Errorf("position: %d fields, want %d", len(fields), fenFields)
	}
	bad := func(n int, format string, args ...any) error {
		return fmt.Errorf("position field %d (%s) %q: %w", n, fieldNames[n-1], fields[n-1], fmt.Errorf(format, args...))
	}
	p := Position{rules: r}
	if err := p.readBoard(fields[0]); err != nil {
		return nil, bad(1, "%w", err)
	}
	switch fields[1] {
	case "w":
	case "b":
		p.turn = black
	default:
		return nil, bad(2, "want w or b")
	}
	if !oneOf(fields[2], "nrpmo") {
		return nil, bad(3, "want n, r, p, m or o")
	}
	if !oneOf(fields[3], "psr?") {
		return nil, bad(4, "want p, s, r or ?")
	}
	var numbers [fenFields + 1]int
	for n := 5; n <= fenFields; n++ {
		v, err := number(fields[n-1])
		if err != nil {
			return nil, bad(n, "%w", err)
		}
		if limit := fieldLimit(n); v > limit {
			return nil, bad(n, "want 0 to %d", limit)
		}
		numbers[n] = v
	}
	for c, n := range [2]int{5, 7} {
		if on := bits.OnesCount32(p.men[c]); numbers[n] != on {
			return nil, bad(n, "the board shows %d", on)
		}
		if sum := numbers[n] + numbers[n+1]; sum > 9 {
			return nil, bad(n+1, "%d men of one side, at most nine", sum)
		}
		p.hand[c] = uint8(numbers[n+1])
	}
	p.quiet = numbers[16]
	p.actions = 2*(max(numbers[17], 1)-1) + int(p.turn)
	if n, err := p.readPhase(fields[2][0], fields[3][0], [2]int{numbers[9], numbers[10]}); err != nil {
		return nil, bad(n, "%w", err)
	}
	return newPosition(p), nil
}

// fieldLimit is the largest number that a field may hold.
func fieldLimit(n int) int {
	switch n {
	case 5, 6, 7, 8:
		return 9
	case 9, 10:
		return 1
	case 15: // only a variant that is not refereed has mill bits
		return 0
	case 16, 17:
		return 999
	}
	return 31 // a last mill's square, in the numbering of older engines
}

func oneOf(field, letters string) bool {
	return len(field) == 1 && strings.Contains(letters, field)
}

func number(field string) (int, error) {
	for i := range len(field) {
		if field[i] < '0' || field[i] > '9' {
			return 0, errors.New("not a whole number")
		}
	}
	if len(field) > 9 {
		return 0, errors.New("number too large")
	}
	return strconv.Atoi(field)
}

func (p *Position) readBoard(text string) error {
	rows := strings.Split(text, "/")
	if len(rows) != 3 {
		return fmt.Errorf("%d rings, want 3", len(rows))
	}
	for ring, row := range rows {
		if len(row) != 8 {
			return fmt.Errorf("ring %d has %d points, want 8", ring+1, len(row))
		}
		for i := range 8 {
			bit := point(8*ring + i).bit()
			switch row[i] {
			case 'O':
				p.men[white] |= bit
			case '@':
				p.men[black] |= bit
			case '*':
			case 'X':
				return fmt.Errorf("marked point %s: a variant that is not refereed", point(8*ring+i))
			default:
				return fmt.Errorf("%q on %s, want O, @ or *", row[i], point(8*ring+i))
			}
		}
	}
	return nil
}

// readPhase sets the act from phase, action and removals due, and holds them
// against board and hands. It returns the number of the field that is wrong.
func (p *Position) readPhase(phase, action byte, remove [2]int) (int, error) {
	inHand := p.hand != [2]uint8{}
	if phase == 'r' && p.men == [2]uint32{} {
		phase = 'p' // not begun yet: the start
	}
	if remove[p.turn^1] != 0 {
		return 9 + int(p.turn^1), errors.New("the other side is to move")
	}
	if removing := action == 'r'; removing != (remove[p.turn] == 1) {
		return 9 + int(p.turn), fmt.Errorf("the action is %c", action)
	}
	switch {
	case phase == 'n' || phase == 'r':
		return 3, errors.New("no game is being played")
	case phase == 'o':
		return p.readOver(action)
	case phase == 'm' && inHand:
		return 3, errors.New("men are in hand")
	case phase == 'p' && !inHand && (action != 'r' || p.turn != black):
		return 3, errors.New("no man is in hand")
	}
	for c := range p.men {
		if p.left(side(c)) < 3 {
			return 5 + 2*c, fmt.Errorf("fewer than three men in phase %c", phase)
		}
	}
	if phase == 'p' {
		// White places first and the sides take turns.
		ahead := p.turn == black != (action == 'r')
		if want := int(p.hand[black]) - b2i(ahead); int(p.hand[white]) != want {
			return 6, fmt.Errorf("black has %d in hand with %c to move and action %c: want %d",
				p.hand[black], "wb"[p.turn], action, want)
		}
	}
	switch {
	case action == 'r':
		if milled(p.mine()) == 0 {
			return 4, errors.New("a removal is due but no mill stands")
		}
		if p.theirs() == 0 {
			return 4, errors.New("a removal is due but no man stands to be removed")
		}
		p.act = actRemove
		p.last = phase == 'p' && !inHand
	case phase == 'p' && action != 'p':
		return 4, errors.New("want p or r while men are placed")
	case phase == 'm' && action != 's':
		return 4, errors.New("want s or r while men are moved")
	}
	return 0, nil
}

// readOver reads the action of a finished game.
func (p *Position) readOver(action byte) (int, error) {
	switch action {
	case 'r':
		if p.left(p.turn^1) >= 3 {
			return 3, errors.New("the game is not over: the opponent has three men or more")
		}
		if p.left(p.turn) < 3 {
			return 5 + 2*int(p.turn), errors.New("the winner has fewer than three men")
		}
		p.act = actWon
		return 0, nil
	case 's':
		if p.hand != [2]uint8{} {
			return 3, errors.New("the game is not over: men are in hand")
		}
		for c := range p.men {
			if p.left(side(c)) < 3 {
				return 5 + 2*c, errors.New("fewer than three men, yet the action is s")
			}
		}
		if !p.stuck(p.rules) && p.quiet < p.rules.quiet {
			return 3, errors.New("the game is not over: the side to move can move")
		}
		return 0, nil
	}
	return 4, errors.New("want r or s when the game is over")
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
