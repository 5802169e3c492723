package protocol

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"thera/engine/hex/player"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
	"thera/engine/serve"
)

// Player is the built-in engine behind its protocol.
type Player struct{ player.Builtin }

// Serve runs a built-in bot in both generations of the protocol, or with --gtp in GTP.
// args are a colour (black, white, or the text's red, blue), which v2 gives, and options
// such as --size 11 or --time 1s.
func (Player) Serve(ctx context.Context, args []string, in io.Reader, out, _ io.Writer) error {
	s := &server{out: serve.NewOutput(out), bot: player.New(), size: rules.Default().Size}
	if err := s.arguments(args); err != nil {
		return fmt.Errorf("hex engine: %w", err)
	}
	if s.gtp {
		return newGTPServer(s.bot, s.size, s.out).serve(ctx, in)
	}
	s.ctx = ctx
	s.begin(s.size)
	err := protocol.Lines(in, s.command)
	s.thinker.Stop() // quit or the end of input: a running search says its move
	return err
}

// server is one conversation, from the bot's side. Its board is what it was
// sent; it does not insist on turns, so that games can be set up and taken
// back.
type server struct {
	ctx     context.Context
	out     *serve.Output
	bot     *player.Player
	thinker serve.Thinker
	size    int          // of the command line
	given   rules.Colour // of the command line, none if it was not said
	gtp     bool         // another protocol altogether

	board   int            // size
	cells   []rules.Colour // absolute colours
	colour  rules.Colour   // the bot's, none while unknown
	swapped bool           // the colours were exchanged already
}

// arguments reads the command line.
func (s *server) arguments(args []string) error {
	for i := 0; i < len(args); i++ {
		name, value, has := strings.Cut(args[i], "=")
		name, dashed := strings.CutPrefix(name, "--")
		switch {
		case dashed && !has && name == optionGTP:
			s.gtp = true
			continue
		case dashed && !has && name == player.OptionSwap && (i+1 == len(args) || !isBool(args[i+1])):
			value = "true"
		case dashed && !has:
			if i++; i == len(args) {
				return fmt.Errorf("--%s: want a value", protocol.Clip(name))
			}
			value = args[i]
		case !dashed:
			c, err := colourNamed(args[i])
			if err != nil {
				return err
			}
			if s.given != rules.None {
				return fmt.Errorf("%q: the colour was given already", args[i])
			}
			s.given = c
			continue
		}
		if name == player.OptionSize {
			size, err := readSize(value)
			if err != nil {
				return fmt.Errorf("--size %w", err)
			}
			s.size = size
			continue
		}
		if err := s.bot.Set(name, value); err != nil {
			return fmt.Errorf("--%w", err)
		}
	}
	if s.gtp && s.given != rules.None {
		return fmt.Errorf("--gtp: a program that speaks GTP has no colour, got %v", s.given)
	}
	return nil
}

// optionGTP is the switch to GTP.
const optionGTP = "gtp"

func isBool(text string) bool {
	_, err := strconv.ParseBool(text)
	return err == nil
}

func colourNamed(name string) (rules.Colour, error) {
	switch name {
	case "black", "red":
		return rules.Black, nil
	case "white", "blue":
		return rules.White, nil
	}
	return rules.None, fmt.Errorf("colour %q: want black, white, red or blue", protocol.Clip(name))
}

// readSize allows one cell more than the rules do: bots are tested with it.
func readSize(text string) (int, error) {
	size, err := strconv.Atoi(text)
	if err != nil || size < 1 || size > rules.MaxSize {
		return 0, fmt.Errorf("%q: want 1 to %d", protocol.Clip(text), rules.MaxSize)
	}
	return size, nil
}

func (s *server) begin(size int) {
	s.board, s.cells, s.colour, s.swapped = size, make([]rules.Colour, size*size), s.given, false
	s.bot.Reset(size)
}

// errUnusable is answered with the protocol's only complaint.
var errUnusable = errors.New(errorWord)

func (s *server) command(line []byte) bool {
	words := strings.Fields(string(bytes.ToValidUTF8(line, []byte("?"))))
	if len(words) == 0 {
		return true
	}
	if words[0] == "quit" && len(words) == 1 {
		return false // what is being thought is cut short and said
	}
	s.thinker.Wait() // nothing else is meant for a bot that thinks
	if err := s.obey(words[0], words[1:]); err != nil {
		s.out.Line([]byte(errorWord))
	}
	return s.out.Err() == nil
}

// obey carries out one message; an error leaves everything as it was.
func (s *server) obey(word string, args []string) error {
	switch {
	case word == "init_board" && len(args) == 0:
		s.begin(s.size)
	case word == "init_board" && len(args) == 1:
		size, err := readSize(args[0])
		if err != nil {
			return err
		}
		s.begin(size)
	case word == "make_move" && len(args) == 0:
		return s.move()
	case word == "seto" && len(args) == 1:
		return s.set(args[0], false)
	case word == "sety" && len(args) == 1:
		return s.set(args[0], true)
	case word == "unset" && len(args) == 1:
		cell, err := rules.ParseCell(args[0], s.board)
		if err != nil {
			return err
		}
		s.cells[cell] = rules.None
	case word == rules.SwapWord && len(args) == 0:
		s.know(true)
		s.colour, s.swapped = s.colour.Other(), true
	case word == "show_board" && len(args) == 0:
		s.show()
	case word == "check_win" && len(args) == 0:
		s.checkWin()
	case word == "option" && len(args) == 2:
		err := s.bot.Set(args[0], args[1])
		if err == nil && (args[0] == optionPlayouts || args[0] == optionDepth) {
			s.out.Line([]byte(okWord))
		}
		return err
	default:
		return errUnusable
	}
	return nil
}

// know settles the colour of a bot that was not given one: who places the
// first stone is black.
func (s *server) know(ownFirst bool) {
	if s.colour != rules.None {
		return
	}
	s.colour = rules.White
	if ownFirst {
		s.colour = rules.Black
	}
}

// set places a stone of the bot's or of its opponent's. A tile that already
// holds it is fine; one that holds the other's is a conflict.
func (s *server) set(coordinate string, bots bool) error {
	cell, err := rules.ParseCell(coordinate, s.board)
	if err != nil {
		return err
	}
	s.know(bots)
	c := s.colour
	if !bots {
		c = c.Other()
	}
	if holds := s.cells[cell]; holds != rules.None && holds != c {
		return errUnusable
	}
	s.cells[cell] = c
	return nil
}

// count is how many stones black and white have.
func (s *server) count() (n [3]int) {
	for _, c := range s.cells {
		n[c]++
	}
	return n
}

// move thinks and answers with a coordinate, or with swap.
func (s *server) move() error {
	n := s.count()
	if n[rules.None] == 0 {
		return errUnusable
	}
	s.know(n[rules.Black]+n[rules.White] == 0)
	colour := s.colour
	canSwap := s.bot.Swaps && !s.swapped && colour == rules.White && n[rules.White] == 0 && n[rules.Black] == 1
	s.thinker.Start(s.ctx, func(ctx context.Context) {
		c := s.bot.Choose(ctx, s.board, s.cells, colour)
		if canSwap && c.Value < 0.5 {
			s.colour, s.swapped = colour.Other(), true
			s.out.Line([]byte(rules.SwapWord))
			return
		}
		s.cells[c.Cell] = colour
		s.out.Line([]byte(rules.CellName(c.Cell, s.board)))
	})
	return nil
}

// show prints the rows on one line, as v2's bots do.
func (s *server) show() {
	text := make([]byte, 0, len(s.cells)+s.board)
	for cell, c := range s.cells {
		text = append(text, ".BW"[c])
		if cell%s.board == s.board-1 {
			text = append(text, '|')
		}
	}
	s.out.Line(text)
}

// winner is the colour whose stones join its edges.
func winner(cells []rules.Colour, size int) (won rules.Colour) {
	stones := rules.NewStones(size)
	for cell, c := range cells {
		if c != rules.None && stones.Put(cell, c) {
			won = c
		}
	}
	return won
}

// checkWin prints 1 where the bot has won, -1 where its opponent has, else 0.
func (s *server) checkWin() {
	colour := s.colour
	if colour == rules.None {
		colour = rules.Black
	}
	switch winner(s.cells, s.board) {
	case colour:
		s.out.Line([]byte("1"))
	case colour.Other():
		s.out.Line([]byte("-1"))
	default:
		s.out.Line([]byte("0"))
	}
}
