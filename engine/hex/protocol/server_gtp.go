package protocol

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"thera/engine/hex/player"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
	"thera/engine/serve"
)

// gtpServer is one conversation in GTP, from the engine's side, as HexGui has it.
type gtpServer struct {
	gtpBoard
	bot     *player.Player
	out     *serve.Output
	thinker serve.Thinker
	limits  [3]time.Duration // of a move, by colour; 0 is that of the options
}

func newGTPServer(bot *player.Player, size int, out *serve.Output) *gtpServer {
	s := &gtpServer{bot: bot, out: out}
	s.clear(size)
	return s
}

// serve answers commands until quit or the end of in. A search that runs then is cut short.
func (s *gtpServer) serve(ctx context.Context, in io.Reader) error {
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
			text, err := s.obey(ctx, name, args)
			s.out.Line([]byte(protocol.GTPAnswer(id, text, err)))
		})
		return name != "quit" && s.out.Err() == nil
	})
	s.thinker.Stop()
	return err
}

// gtpCommands are the commands, sorted.
var gtpCommands = []string{
	"boardsize", "clear_board", "final_score", "genmove", "known_command", "list_commands", "name", "param_thera", "play",
	"protocol_version", "quit", "showboard", "time_left", "time_settings", "undo", "version",
}

// obey carries out one command; an error refuses it and leaves everything as it was.
func (s *gtpServer) obey(ctx context.Context, name string, args []string) (text string, err error) {
	args = append(args, "", "", "") // what is missing is refused like another wrong word
	switch name {
	case "protocol_version":
		text = "2"
	case "name":
		text = "Thera"
	case "version":
		text = "1"
	case "list_commands":
		text = strings.Join(gtpCommands, "\n")
	case "known_command":
		text = strconv.FormatBool(slices.Contains(gtpCommands, args[0]))
	case "boardsize":
		err = s.boardsize(args)
	case "clear_board":
		s.clear(s.size)
	case "play":
		err = s.play(args[0], args[1], s.bot.Swaps)
	case "genmove":
		text, err = s.genmove(ctx, args[0])
	case "undo":
		err = s.undo()
	case "final_score":
		text = [3]string{rules.None: "cannot score", rules.Black: "B+", rules.White: "W+"}[winner(s.cells, s.size)]
	case "showboard":
		text = s.draw()
	case "time_settings":
		err = s.timeSettings(args)
	case "time_left":
		err = s.timeLeft(args)
	case "param_thera":
		err = s.bot.Set(args[0], args[1])
	case "quit":
	default:
		err = fmt.Errorf("unknown command: %s", protocol.Clip(name))
	}
	return text, err
}

// boardsize takes one number, or two that are equal.
func (s *gtpServer) boardsize(args []string) error {
	size, err := readSize(args[0])
	if err == nil && args[1] != "" && args[1] != args[0] {
		err = fmt.Errorf("%q: want as many rows as columns", protocol.Clip(args[0]+" "+args[1]))
	}
	if err == nil {
		s.clear(size)
	}
	return err
}

func (s *gtpServer) clear(size int) {
	s.gtpBoard = gtpBoard{size: size, cells: make([]rules.Colour, size*size)}
	s.bot.Reset(size)
}

func (s *gtpServer) genmove(ctx context.Context, word string) (string, error) {
	colour, err := readColour(word)
	if err == nil {
		err = s.open()
	}
	if limit := s.limits[colour]; err == nil && limit > 0 {
		err = s.bot.Set(player.OptionTime, limit.String())
	}
	if err != nil {
		return "", err
	}
	choice := s.bot.Choose(ctx, s.size, s.cells, colour)
	if s.bot.Swaps && s.canSwap(colour) && choice.Value < 0.5 {
		s.swap(true)
		return swapPieces, nil
	}
	s.next()[choice.Cell] = colour
	return rules.CellName(turn(choice.Cell, s.size), s.size), nil
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
func (s *gtpServer) timeSettings(args []string) error {
	limit, err := perMove(args[0], "0")
	later, bad := perMove(args[1], args[2])
	if err = cmp.Or(err, bad); err == nil {
		limit = cmp.Or(limit, later)
		s.limits = [3]time.Duration{rules.Black: limit, rules.White: limit}
	}
	return err
}

func (s *gtpServer) timeLeft(args []string) error {
	c, err := readColour(args[0])
	limit, bad := perMove(args[1], args[2])
	if err = cmp.Or(err, bad); err == nil {
		s.limits[c] = limit
	}
	return err
}
