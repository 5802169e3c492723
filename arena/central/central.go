// Package central is the step-by-step referee. It reads commands line by line,
// starts two bots, asks them for one move at a time, takes moves back and
// saves games.
//
// It plays no tournament and stores nothing in the database. Rules, limits and
// verdicts are those of package match.
package central

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/files"
	"thera/arena/match"
	"thera/arena/player"
	"thera/arena/proc"
	"thera/arena/report"
	"thera/arena/sandbox"
	"thera/engine/game"
)

// Central is one session. Fields that may be zero say so.
type Central struct {
	Game   game.Game
	Rules  []string // rules that differ from the default, as name=value; saved with a game
	Bots   [2]arena.EngineSpec
	Boxes  map[string]*sandbox.Box // by bot: what it may touch; without one everything
	Limit  arena.Limit
	Out    io.Writer // everything but errors
	Err    io.Writer
	Colour bool
	Prompt string // printed before each command; may be ""

	spawner *proc.Spawner
	players [2]*player.Player
	match   *match.Match // nil before the first run
}

// Serve executes commands from in until quit, the end of in or the end of ctx.
// It prints the errors of commands; it returns an error of the arena itself.
func (c *Central) Serve(ctx context.Context, in io.Reader) (err error) {
	if c.spawner, err = proc.NewSpawner(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.spawner.Close()) }()
	defer c.end(context.WithoutCancel(ctx))
	lines := bufio.NewScanner(in)
	for {
		fmt.Fprint(c.Out, c.Prompt)
		if !lines.Scan() || ctx.Err() != nil {
			return errors.Join(lines.Err(), ctx.Err())
		}
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		over, err := c.do(ctx, words[0], strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(lines.Text()), words[0])))
		if err != nil {
			c.complain(words[0], err)
		}
		if over {
			return nil
		}
	}
}

// commands can be given by name or by first letter.
var commands = []string{"run", "next", "print", "undo", "save", "quit"}

func (c *Central) do(ctx context.Context, word, rest string) (over bool, err error) {
	known := slices.IndexFunc(commands, func(name string) bool { return word == name || word == name[:1] })
	if known < 0 {
		return false, fmt.Errorf("unknown command, want one of %s, or its first letter", strings.Join(commands, ", "))
	}
	switch word = commands[known]; {
	case rest != "" && word != "run" && word != "save":
		return false, fmt.Errorf("takes no argument, got %q", rest)
	case c.match == nil && word != "run" && word != "quit":
		return false, errors.New("no game yet: start one with run")
	}
	switch word {
	case "run":
		err = c.run(ctx, rest)
	case "next":
		err = c.next(ctx)
	case "print":
		c.print()
	case "undo":
		err = c.undo(ctx)
	case "save":
		err = c.save(rest)
	}
	return word == "quit", err
}

// run starts both bots, from the beginning or from a saved game. It ends a
// game in progress first.
func (c *Central) run(ctx context.Context, path string) error {
	history, _, err := match.Moves(c.Game, nil, nil)
	if path != "" {
		history, err = c.load(path)
	}
	if err != nil {
		return err
	}
	c.end(ctx)
	var limits [2]arena.Limit
	for i, spec := range c.Bots {
		dialect, err := match.Dialect(c.Game, spec.Protocol)
		if err != nil {
			return fmt.Errorf("%s: %w", spec.Name, err)
		}
		limits[i] = c.Limit.With(spec.Limit)
		c.players[i] = player.New(spec, dialect, game.Seat(i+1), limits[i], player.Options{Spawner: c.spawner, Box: c.Boxes[spec.Name]})
	}
	rec := &arena.Game{Job: arena.Job{Pairing: [2]string{c.Bots[0].Name, c.Bots[1].Name}}, Started: time.Now()}
	c.match = match.New(c.Game, c.players, limits, arena.Adjudication{}, history, rec, match.Options{})
	if err := c.match.Begin(ctx); err != nil {
		c.end(ctx)
		return err
	}
	text := fmt.Sprintf("%s (first) against %s (second)", c.Bots[0].Name, c.Bots[1].Name)
	if history.Ply > 0 {
		text += fmt.Sprintf(", after %d moves of %s", history.Ply, path)
	}
	c.say("%s", text)
	c.tellEnd()
	return nil
}

// next asks the side to move.
func (c *Central) next(ctx context.Context) error {
	if outcome, over := c.match.Over(); over {
		return fmt.Errorf("the game is over: %s", c.verdict(outcome))
	}
	before := c.match.History()
	if _, err := c.match.Step(ctx); err != nil {
		return err
	}
	if now := c.match.History(); now != before {
		c.say("%d. %s: %s", now.Ply, c.movers(before.Position.ToMove()), now.Turn)
	}
	c.tellEnd()
	return nil
}

// say prints a line: bots name themselves, and their moves and faults are their
// text.
func (c *Central) say(format string, args ...any) {
	fmt.Fprintln(c.Out, report.Printable(fmt.Sprintf(format, args...)))
}

func (c *Central) complain(doing string, err error) {
	fmt.Fprintln(c.Err, report.Lines(fmt.Sprintf("%s: %v", doing, err)))
}

// movers names the bots of some seats.
func (c *Central) movers(seats game.Seats) string {
	if seat := seats.Only(); seat != game.None {
		return c.Bots[seat.Index()].Name
	}
	return c.Bots[0].Name + " and " + c.Bots[1].Name
}

func (c *Central) tellEnd() {
	if outcome, over := c.match.Over(); over {
		c.say("%s", c.verdict(outcome))
	}
}

// verdict says who won and why. It names bots, not colours.
func (c *Central) verdict(o game.Outcome) string {
	if o.Winner == game.None {
		return "a draw: " + o.Reason
	}
	return fmt.Sprintf("%s wins: %s", c.Bots[o.Winner.Index()].Name, o.Reason)
}

func (c *Central) print() {
	history := c.match.History()
	fmt.Fprint(c.Out, history.Position.Draw(history.Turn, c.Colour))
	if seats := history.Position.ToMove(); seats != 0 {
		c.say("ply %d, %s to move", history.Ply+1, c.movers(seats))
	}
	c.tellEnd()
}

func (c *Central) undo(ctx context.Context) error {
	turn := c.match.History().Turn
	ok, err := c.match.Undo(ctx)
	switch {
	case err != nil:
		return err
	case !ok:
		return errors.New("there is no move to take back")
	}
	c.say("took back %s", turn)
	c.tellEnd()
	return nil
}

// end finishes the game in progress and ends both bots.
func (c *Central) end(ctx context.Context) {
	if c.match != nil {
		if err := c.match.Finish(ctx); err != nil {
			c.complain("ending the game", err)
		}
		c.match = nil
	}
	for i, p := range c.players {
		if p != nil {
			p.Quit()
			c.players[i] = nil
		}
	}
}

// savedVersion is the version of saved games. It is raised when a save can no longer be read by older programs.
const savedVersion = 1

// SavedHead is the head of a saved game: all but its start, moves and position. Other JSON objects have no version, which is 0.
type SavedHead struct {
	Version int    `json:"version"`
	Game    string `json:"game"`
}

// Check refuses a save of another version or of another game; anything that is
// no save passes.
func (h SavedHead) Check(game string) error {
	switch {
	case h.Version == 0 || h.Game == "":
		return nil
	case h.Version != savedVersion:
		return fmt.Errorf("version %d of saved games, this program reads %d", h.Version, savedVersion)
	case h.Game != game:
		return fmt.Errorf("a saved game of %s, not of %s", h.Game, game)
	}
	return nil
}

// saved is a save file: one line of JSON. `thera judge` reads it as it is, and
// `thera run` takes its position as an opening.
type saved struct {
	SavedHead
	Rules    []string `json:"rules,omitempty"`
	Start    string   `json:"start"`
	Moves    []string `json:"moves"`
	Position string   `json:"position"` // after the moves, for readers
}

// save writes the game to path, or to the first free GAME-N.save, and prints
// the file's name. It never overwrites a file.
func (c *Central) save(path string) error {
	history := c.match.History()
	s := saved{
		SavedHead: SavedHead{Version: savedVersion, Game: c.Game.Name()}, Rules: c.Rules,
		Start: history.Start().Position.String(), Position: history.Position.String(),
		Moves: arena.Map(history.Turns(), game.Turn.String),
	}
	for n := 1; ; n++ {
		name := cmp.Or(path, fmt.Sprintf("%s-%d.save", c.Game.Name(), n))
		err := files.Create(name, append(arena.JSON(s), '\n'), 0o644)
		if path == "" && errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			fmt.Fprintln(c.Out, name)
		}
		return err
	}
}

// maxSave is the maximal size of a saved game in bytes.
const maxSave = 16 << 20

// load reads a saved game and plays its moves by the rules.
func (c *Central) load(path string) (*game.History, error) {
	text, err := files.Read(path, maxSave)
	if err != nil {
		return nil, err
	}
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s is not a saved game: %w", path, err)
	}
	switch err := s.Check(c.Game.Name()); {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case s.Version == 0:
		return nil, fmt.Errorf("%s is not a saved game: it has no version", path)
	case !slices.Equal(s.Rules, c.Rules):
		return nil, fmt.Errorf("%s: played under the rules %q, here they are %q (set them with --rule)",
			path, s.Rules, c.Rules)
	}
	history, illegal, err := match.Moves(c.Game, &s.Start, s.Moves)
	if err == nil && illegal != nil {
		err = illegal
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return history, err
}
