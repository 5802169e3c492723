package check

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"thera/arena/player"
	"thera/engine/game"
)

func (c *checker) checkGarbage(ctx context.Context) (string, error) {
	lines := []string{
		"", " ", "\t\t", "{", `{"type":`, "\x00\x01\x02\xff\xfe", strings.Repeat("x", 100_000), "- - - -", "%s%n%d", "ünïcödé ♟",
	}
	// Commands that were really sent, cut short and with an extra word.
	for _, sent := range c.player.Conn().Tail() {
		if text, ok := strings.CutPrefix(sent, "> "); ok {
			if words := strings.Fields(text); len(words) > 1 {
				lines = append(lines, words[0], words[0]+" garbage", words[0]+" "+words[1][:len(words[1])/2])
			}
		}
	}
	return c.survives(ctx, lines[:min(len(lines), 40)]...)
}

// survives sends meaningless lines and then expects a legal move in time.
func (c *checker) survives(ctx context.Context, lines ...string) (string, error) {
	engine := c.player.Conn()
	engine.NewMove()
	engine.Arm(player.Limits{Hard: c.Limit.MaxMove, Kind: game.FaultTimeout, Detail: "garbage"})
	if err := c.send(ctx, lines...); err != nil {
		return "", err
	}
	at, err := c.newGame(ctx, 0)
	if err == nil {
		_, _, err = c.ordinary(ctx, at, game.First, 50*time.Millisecond)
	}
	if err != nil {
		return "", failf("after %d useless lines: %w", len(lines), err)
	}
	return fmt.Sprintf("%d useless lines, then a legal move", len(lines)), nil
}

// send sends lines without a question.
func (c *checker) send(ctx context.Context, lines ...string) error {
	for _, text := range lines {
		if err := c.player.Conn().Send([]byte(text)); err != nil {
			return err
		}
	}
	return c.player.Conn().Flush(ctx)
}

// gamesToPlay and the games' length bound the time of the long games.
const (
	gamesToPlay = 4
	longGame    = 200
)

func (c *checker) checkGames(ctx context.Context) (string, error) {
	plies := 0
	for i := range gamesToPlay {
		start, err := c.Game.Start(c.rng.IntN(c.Game.Starts()), c.Seed)
		if err != nil || c.player.Fits(start) != nil {
			start = c.start
		}
		if c.Spec.Fresh {
			if err := c.player.Start(ctx, start); err != nil {
				return "", err
			}
		}
		at, err := c.game(ctx, start, game.Seat(i%2+1), 10*time.Millisecond)
		if err != nil {
			return "", err
		}
		plies += at.Ply
	}
	return fmt.Sprintf("%d games, %d plies", gamesToPlay, plies), nil
}

func (c *checker) checkStderr(context.Context) (string, error) {
	bytes := c.player.Process().StderrBytes()
	if per := bytes / int64(max(c.asked, 1)); per > 16<<10 {
		return "", failf("%d bytes a move on stderr", per)
	}
	return fmt.Sprintf("%d bytes", bytes), nil
}

// patience is how long an engine has to exit if no limit says so.
const patience = time.Second

// ended waits for the engine to exit.
func (c *checker) ended(ctx context.Context, wantZero bool) (string, error) {
	p, from := c.player.Process(), time.Now()
	delay := p.RunDelay()
	patience := cmp.Or(c.Exit, c.Limit.Sync, patience)
	p.AwaitEnd(patience, ctx.Done())
	if waited := p.RunDelay() - delay; waited > 0 || p.Ending() { // it waited for a core, or is going
		p.AwaitEnd(patience+min(waited, 3*patience), ctx.Done())
	}
	exit, over := p.Exited()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case !over:
		return "", failf("it still runs %v later", patience)
	case exit.Signal != 0:
		return "", failf("it died by %s", exit)
	case wantZero && exit.Code != 0:
		return "", failf("it ended with status %d", exit.Code)
	}
	return fmt.Sprintf("status %d after %v", exit.Code, round(time.Since(from))), nil
}

func (c *checker) checkQuit(ctx context.Context) (string, error) {
	bye := c.Dialect.Bye()
	if bye == "" {
		return "", found(Skipped, "the protocol has no such command")
	}
	if err := c.send(ctx, bye); err != nil {
		return "", err
	}
	return c.ended(ctx, true)
}

func (c *checker) checkEOF(ctx context.Context) (string, error) {
	c.player.Process().CloseStdin()
	return c.ended(ctx, false)
}
