package rules

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// fenFields is the number of fields of a position text; see docs/mill.md.
const fenFields = 17

// StartFEN is the text of the empty board.
const StartFEN = "********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1"

// String returns the position text.
func (p *Position) String() string {
	b := make([]byte, 0, 64)
	for n := range Points {
		if n > 0 && n%8 == 0 {
			b = append(b, '/')
		}
		switch bit := Point(n).Set(); {
		case p.state.Men[White]&bit != 0:
			b = append(b, 'O')
		case p.state.Men[Black]&bit != 0:
			b = append(b, '@')
		default:
			b = append(b, '*')
		}
	}
	b = append(b, ' ', "wb"[p.state.Turn], ' ', p.phase(), ' ', p.action())
	remove := [2]int{}
	if p.state.Action != MoveMan {
		remove[p.state.Turn] = 1
	}
	for _, n := range [...]int{
		p.state.Men[White].Len(), int(p.state.Hand[White]), p.state.Men[Black].Len(), int(p.state.Hand[Black]),
		remove[White], remove[Black], 0, 0, 0, 0, 0, p.quiet, 1 + (p.plies-int(p.state.Turn))/2,
	} {
		b = strconv.AppendInt(append(b, ' '), int64(n), 10)
	}
	return string(b)
}

// phase returns the third field. A draw by repetition does not show in the
// text: it needs the history.
func (p *Position) phase() byte {
	switch {
	case p.state.Action == Won || p.state.Stuck(&p.rules) || p.drawn == reasonQuiet:
		return 'o'
	case p.lastMan || p.state.Hand != [2]uint8{}:
		return 'p'
	}
	return 'm'
}

// action returns the fourth field.
func (p *Position) action() byte {
	switch {
	case p.state.Action != MoveMan:
		return 'r'
	case p.state.Placing():
		return 'p'
	}
	return 's'
}

// fieldNames names the fields in errors.
var fieldNames = [fenFields]string{
	"board", "side to move", "phase", "action",
	"white men on board", "white men in hand", "black men on board", "black men in hand",
	"white removals", "black removals", "white last mill from", "white last mill to",
	"black last mill from", "black last mill to", "mill bits", "quiet plies", "move number",
}

// Parse reads a position text. Fields that contradict each other are an error,
// which names the field.
func Parse(r Rules, text string) (*Position, error) {
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
		p.state.Turn = Black
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
		if on := p.state.Men[c].Len(); numbers[n] != on {
			return nil, bad(n, "the board shows %d", on)
		}
		if sum := numbers[n] + numbers[n+1]; sum > 9 {
			return nil, bad(n+1, "%d men of one side, at most nine", sum)
		}
		p.state.Hand[c] = uint8(numbers[n+1])
	}
	p.quiet = numbers[16]
	p.plies = 2*(max(numbers[17], 1)-1) + int(p.state.Turn)
	if n, err := p.readPhase(fields[2][0], fields[3][0], [2]int{numbers[9], numbers[10]}); err != nil {
		return nil, bad(n, "%w", err)
	}
	return newPosition(p), nil
}

// fieldLimit returns the largest number that field n may hold.
func fieldLimit(n int) int {
	switch n {
	case 5, 6, 7, 8:
		return 9
	case 9, 10:
		return 1
	case 15: // of variants only
		return 0
	case 16, 17:
		return 999
	}
	return 31 // a square of the last mill, in the numbering of older engines
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
			bit := Point(8*ring + i).Set()
			switch row[i] {
			case 'O':
				p.state.Men[White] |= bit
			case '@':
				p.state.Men[Black] |= bit
			case '*':
			case 'X':
				return fmt.Errorf("marked point %s: a variant that is not refereed", Point(8*ring+i))
			default:
				return fmt.Errorf("%q on %s, want O, @ or *", row[i], Point(8*ring+i))
			}
		}
	}
	return nil
}

// readPhase sets the action from the fields phase, action and removals due, and
// checks them against board and hands. It returns the number of the wrong field.
func (p *Position) readPhase(phase, action byte, remove [2]int) (int, error) {
	inHand := p.state.Hand != [2]uint8{}
	if phase == 'r' && p.state.Men == [2]Set{} {
		phase = 'p' // ready, the game has not begun
	}
	if remove[p.state.Turn^1] != 0 {
		return 9 + int(p.state.Turn^1), errors.New("the other side is to move")
	}
	if removing := action == 'r'; removing != (remove[p.state.Turn] == 1) {
		return 9 + int(p.state.Turn), fmt.Errorf("the action is %c", action)
	}
	switch {
	case phase == 'n' || phase == 'r':
		return 3, errors.New("no game is being played")
	case phase == 'o':
		return p.readOver(action)
	case phase == 'm' && inHand:
		return 3, errors.New("men are in hand")
	case phase == 'p' && !inHand && (action != 'r' || p.state.Turn != Black):
		return 3, errors.New("no man is in hand")
	}
	for c := range p.state.Men {
		if p.state.Left(Side(c)) < 3 {
			return 5 + 2*c, fmt.Errorf("fewer than three men in phase %c", phase)
		}
	}
	if phase == 'p' {
		// White places first and the sides take turns.
		want := int(p.state.Hand[Black])
		if p.state.Turn == Black != (action == 'r') {
			want--
		}
		if int(p.state.Hand[White]) != want {
			return 6, fmt.Errorf("black has %d in hand with %c to move and action %c: want %d",
				p.state.Hand[Black], "wb"[p.state.Turn], action, want)
		}
	}
	switch {
	case action == 'r':
		if p.state.Mine().Milled() == 0 {
			return 4, errors.New("a removal is due but no mill stands")
		}
		if p.state.Theirs() == 0 {
			return 4, errors.New("a removal is due but no man stands to be removed")
		}
		p.state.Action = RemoveMan
		p.lastMan = phase == 'p' && !inHand
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
		if p.state.Left(p.state.Turn^1) >= 3 {
			return p.readClaim()
		}
		if p.state.Left(p.state.Turn) < 3 {
			return 5 + 2*int(p.state.Turn), errors.New("the winner has fewer than three men")
		}
		p.state.Action = Won
		return 0, nil
	case 's':
		if p.state.Hand != [2]uint8{} {
			return 3, errors.New("the game is not over: men are in hand")
		}
		for c := range p.state.Men {
			if p.state.Left(Side(c)) < 3 {
				return 5 + 2*c, errors.New("fewer than three men, yet the action is s")
			}
		}
		if !p.state.Stuck(&p.rules) && p.quiet < p.rules.QuietPlies {
			return 3, errors.New("the game is not over: the side to move can move")
		}
		return 0, nil
	}
	return 4, errors.New("want r or s when the game is over")
}

// readClaim reads a draw that was claimed instead of a removal.
func (p *Position) readClaim() (int, error) {
	p.state.Action = RemoveMan
	claimed := p.DrawClaimed()
	switch {
	case claimed == nil || p.state.Hand != [2]uint8{}:
		return 3, errors.New("the game is not over: the opponent has three men or more")
	case p.state.Mine().Milled() == 0:
		return 4, errors.New("a removal is due but no mill stands")
	}
	*p = *claimed
	return 0, nil
}
