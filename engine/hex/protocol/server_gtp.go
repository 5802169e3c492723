package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/hex/player"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
	"thera/engine/serve"
)

// gtpServer is one conversation in GTP, from the engine's side, as HexGui has it. Like
// other programs, it does not insist on turns.
type gtpServer struct {
	bot     *player.Player
	out     *serve.Output
	thinker serve.Thinker
	size    int
	cells   []rules.Colour
	past    [][]rules.Colour // the boards before, for undo
	limits  [3]time.Duration // of a move, by colour; 0 is that of the options
}

func newGTPServer(bot *player.Player, size int, out *serve.Output) *gtpServer {
	s := &gtpServer{bot: bot, out: out}
	s.clear(size)
	return s
}

func (s *gtpServer) clear(size int) {
	s.size, s.cells, s.past = size, make([]rules.Colour, size*size), nil
	s.bot.Reset(size)
}

// commands are those of the server, by name, with the least number of their
// arguments.
func (s *gtpServer) commands() map[string]gtpCommand {
	constant := func(text string) gtpCommand {
		return gtpCommand{0, func(context.Context, []string) (string, error) { return text, nil }}
	}
	list := map[string]gtpCommand{
		"protocol_version": constant("2"), "name": constant("Thera"), "version": constant("1"), "quit": constant(""),
		"boardsize": {1, s.boardsize}, "play": {2, s.play}, "genmove": {1, s.genmove}, "undo": {0, s.undo},
		"time_settings": {3, s.timeSettings}, "time_left": {3, s.timeLeft}, "param_thera": {2, s.param},
		"clear_board": {0, func(context.Context, []string) (string, error) {
			s.clear(s.size)
			return "", nil
		}},
		"final_score": {0, func(context.Context, []string) (string, error) {
			return [3]string{rules.None: "cannot score", rules.Black: "B+", rules.White: "W+"}[winner(s.cells, s.size)], nil
		}},
		"showboard": {0, func(context.Context, []string) (string, error) { return s.draw(), nil }},
	}
	list["known_command"] = gtpCommand{1, func(_ context.Context, args []string) (string, error) {
		_, known := list[args[0]]
		return strconv.FormatBool(known), nil
	}}
	list["list_commands"] = gtpCommand{0, func(context.Context, []string) (string, error) {
		return strings.Join(slices.Sorted(maps.Keys(list)), "\n"), nil
	}}
	return list
}

type gtpCommand struct {
	args int
	do   func(ctx context.Context, args []string) (text string, err error)
}

// serve answers commands until quit or the end of in. A search that runs then is cut short.
func (s *gtpServer) serve(ctx context.Context, in io.Reader) error {
	commands := s.commands()
	err := protocol.Lines(in, func(line []byte) bool {
		id, name, args := protocol.GTPCommand(line)
		if name == "" {
			return true
		}
		if name == "quit" {
			s.thinker.Stop()
		}
		s.thinker.Wait()
		s.thinker.Start(ctx, func(ctx context.Context) {
			text, err := "", fmt.Errorf("unknown command: %s", protocol.Clip(name))
			if command, known := commands[name]; known {
				if len(args) < command.args {
					err = fmt.Errorf("%s: want %d arguments", name, command.args)
				} else {
					text, err = command.do(ctx, args)
				}
			}
			s.out.Line([]byte(protocol.GTPAnswer(id, text, err)))
		})
		return name != "quit" && s.out.Err() == nil
	})
	s.thinker.Stop()
	return err
}

func (s *gtpServer) boardsize(_ context.Context, args []string) (string, error) {
	size, err := readSize(args[0])
	if err == nil && len(args) > 1 && args[1] != args[0] {
		err = fmt.Errorf("%q: want as many rows as columns", protocol.Clip(strings.Join(args, " ")))
	}
	if err == nil {
		s.clear(size)
	}
	return "", err
}

// readColour reads black, b, white or w.
func readColour(text string) (rules.Colour, error) {
	switch strings.ToLower(text) {
	case "b", "black":
		return rules.Black, nil
	case "w", "white":
		return rules.White, nil
	}
	return rules.None, fmt.Errorf("colour %q: want black or white", protocol.Clip(text))
}

// next is a copy of the board to be changed; the old one stays for undo.
func (s *gtpServer) next() []rules.Colour {
	s.past = append(s.past, s.cells)
	s.cells = slices.Clone(s.cells)
	return s.cells
}

func (s *gtpServer) play(_ context.Context, args []string) (string, error) {
	c, err := readColour(args[0])
	if err != nil {
		return "", err
	}
	answer := strings.ToLower(args[1])
	switch answer {
	case swapPieces, swapSides:
		if !s.canSwap(c) {
			return "", fmt.Errorf("illegal move: %v %s", c, answer)
		}
		s.swap(answer == swapPieces)
		return "", nil
	}
	cell, err := rules.ParseCell(answer, s.size)
	if err != nil {
		return "", err
	}
	if cell = turn(cell, s.size); s.cells[cell] != rules.None {
		return "", fmt.Errorf("illegal move: %v %s (occupied)", c, answer)
	}
	s.next()[cell] = c
	return "", nil
}

// canSwap is whether c may swap: the option says so, and black has made the only move.
func (s *gtpServer) canSwap(c rules.Colour) bool {
	return s.bot.Swaps && c == rules.White && len(s.past) == 1 && slices.Contains(s.cells, rules.Black)
}

// swap turns the board over, or leaves it to the players to change.
func (s *gtpServer) swap(pieces bool) {
	before := s.cells
	after := s.next()
	for cell, c := range before {
		if pieces && c != rules.None {
			after[cell], after[turn(cell, s.size)] = rules.None, c.Other()
		}
	}
}

func (s *gtpServer) genmove(ctx context.Context, args []string) (string, error) {
	own, err := readColour(args[0])
	switch {
	case err != nil:
		return "", err
	case winner(s.cells, s.size) != rules.None || !slices.Contains(s.cells, rules.None):
		return "", errors.New("the game is over")
	}
	if limit := s.limits[own]; limit > 0 {
		if err := s.bot.Set(player.OptionTime, limit.String()); err != nil {
			return "", err
		}
	}
	choice := s.bot.Choose(ctx, s.size, s.cells, own)
	if s.canSwap(own) && choice.Value < 0.5 {
		s.swap(true)
		return swapPieces, nil
	}
	s.next()[choice.Cell] = own
	return rules.CellName(turn(choice.Cell, s.size), s.size), nil
}

func (s *gtpServer) undo(context.Context, []string) (string, error) {
	last := len(s.past) - 1
	if last < 0 {
		return "", errors.New("cannot undo")
	}
	s.cells, s.past = s.past[last], s.past[:last]
	return "", nil
}

// perMove is the time of a move with that many seconds for some stones, 0 for the whole game.
func perMove(seconds, stones string) (time.Duration, error) {
	left, err := strconv.ParseFloat(seconds, 64)
	n, bad := strconv.ParseUint(stones, 10, 31)
	if err != nil || bad != nil || !(left >= 0) {
		return 0, fmt.Errorf("%q: want seconds and a number of stones", protocol.Clip(seconds+" "+stones))
	}
	if n == 0 {
		n = 30
	}
	return time.Duration(min(left, 1e9) / float64(n) * 0.95 * float64(time.Second)), nil
}

// timeSettings takes the main time, or without one what comes after it.
func (s *gtpServer) timeSettings(_ context.Context, args []string) (string, error) {
	limit, err := perMove(args[0], "0")
	later, bad := perMove(args[1], args[2])
	if err = cmp.Or(err, bad); err != nil {
		return "", err
	}
	limit = cmp.Or(limit, later)
	s.limits[rules.Black], s.limits[rules.White] = limit, limit
	return "", nil
}

func (s *gtpServer) timeLeft(_ context.Context, args []string) (string, error) {
	c, err := readColour(args[0])
	limit, bad := perMove(args[1], args[2])
	if err = cmp.Or(err, bad); err == nil {
		s.limits[c] = limit
	}
	return "", err
}

// param sets an option of the player.
func (s *gtpServer) param(_ context.Context, args []string) (string, error) {
	return "", s.bot.Set(args[0], args[1])
}

// draw is the board, row 1 on top, each row half a cell to the right of the one above.
func (s *gtpServer) draw() string {
	columns := "  "
	for column := range s.size {
		columns += fmt.Sprintf("  %c", 'a'+column)
	}
	text := "\n" + columns
	for row := range s.size {
		text += fmt.Sprintf("\n%*d\\", row+2, row+1)
		for _, c := range s.cells[row*s.size:][:s.size] {
			text += "  " + string(".BW"[c])
		}
		text += fmt.Sprintf("  \\%d", row+1)
	}
	return text + "\n" + strings.Repeat(" ", s.size) + columns
}
