package check

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"thera/arena"
	"thera/arena/player"
	"thera/engine/game"
)

// points is the list, in order.
func (c *checker) points() []point {
	return []point{
		{name: "start", look: c.checkStart},
		{name: "a legal move", look: c.checkMove},
		{name: "time: keeps its limit", look: c.checkTime},
		{name: "nodes: obeys a limit", look: c.limited(game.Ask{Nodes: 1000})},
		{name: "depth: obeys a limit", look: c.limited(game.Ask{Depth: 2})},
		{name: "stop: answers at once", look: c.checkStop},
		{name: "ready while thinking", look: c.checkReady},
		{name: "idle between questions", look: c.checkRest},
		{name: "unknown command", look: func(ctx context.Context) (string, error) { return c.survives(ctx, "xyzzy", "xyzzy plugh 42") }},
		{name: "garbage input", look: c.checkGarbage},
		{name: "long games in one process", look: c.checkGames},
		{name: "move lists equal to ours", look: c.checkLists},
		{name: "stderr noise", look: c.checkStderr},
		{name: "ends on quit", fresh: true, look: c.checkQuit},
		{name: "ends at the end of its input", fresh: true, look: c.checkEOF},
	}
}

// checkStart says what the engine said, and in which protocol it is spoken to. Where it says
// nothing at its start, a question may show that; the next point judges the answer.
func (c *checker) checkStart(ctx context.Context) (string, error) {
	if c.info.Silent {
		_, _ = c.checkMove(ctx)
		c.info = c.player.Info()
	}
	i := c.info
	text := fmt.Sprintf("ready after %v", round(c.started))
	if i.Silent {
		text = fmt.Sprintf("has read its first lines %v after its start; the protocol has no word for ready", round(c.started))
	}
	for _, part := range [][2]string{
		{": ", i.Name},
		{" by ", i.Author},
		{", spoken to in protocol ", i.Protocol},
		{", supports ", strings.Join(i.Features, ", ")},
	} {
		if part[1] != "" {
			text += part[0] + part[1]
		}
	}
	return text, nil
}

func round(d time.Duration) time.Duration {
	if d > 10*time.Millisecond {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Microsecond)
}

func (c *checker) checkMove(ctx context.Context) (string, error) {
	at, err := c.newGame(ctx, 0)
	if err != nil {
		return "", err
	}
	_, answer, err := c.ordinary(ctx, at, game.First, 100*time.Millisecond)
	return fmt.Sprintf("%s after %v", arena.Cut(answer.Move, 60), round(answer.Wall)), err
}

func (c *checker) checkTime(ctx context.Context) (string, error) {
	limit := c.least(cmp.Or(c.Limit.Move, 200*time.Millisecond))
	return c.punctual(ctx, game.Ask{Time: limit}, limit)
}

func (c *checker) checkStop(ctx context.Context) (string, error) {
	return c.punctual(ctx, game.Ask{}, c.least(200*time.Millisecond))
}

// limited asks under a limit that is reached at once: the answer must not wait
// for a stop.
func (c *checker) limited(ask game.Ask) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if known := c.player.Info().Limits; ask.Nodes > 0 && !known.Nodes || ask.Depth > 0 && !known.Depth {
			return "", found(Skipped, "it does not announce such limits")
		}
		at, err := c.newGame(ctx, 2)
		if err != nil {
			return "", err
		}
		const patience = 5 * time.Second
		_, answer, err := c.put(ctx, at, game.First, ask, c.until(patience))
		if errors.Is(err, game.ErrLimit) {
			return "", found(Skipped, "it does not take such limits")
		}
		if err == nil && answer.Wall >= patience {
			return "", failf("it kept thinking until it was stopped after %v", patience)
		}
		return fmt.Sprintf("depth %d, %d nodes after %v", answer.Depth, answer.Nodes, round(answer.Wall)), err
	}
}

func (c *checker) checkReady(ctx context.Context) (string, error) {
	question, want := c.dialect.Ping()
	if question == "" {
		return "", found(Skipped, "the protocol has no question for it")
	}
	at, err := c.newGame(ctx, 2)
	if err != nil {
		return "", err
	}
	if err := c.player.Sync(ctx, at); err != nil {
		return "", err
	}
	think := c.least(40 * time.Millisecond)
	err = c.player.Ask(ctx, game.Ask{History: at}, c.until(think))
	for err == nil {
		_, err = c.conn.Recv(ctx)
	}
	if !errors.Is(err, game.ErrSoft) {
		return "", err
	}
	defer c.player.Kill() // its move is not waited for
	sent, delay := time.Now(), c.player.Process().RunDelay()
	err = c.conn.Send([]byte(question))
	for line := []byte(nil); err == nil && !bytes.Contains(line, []byte(want)); {
		line, err = c.conn.Recv(ctx)
	}
	if err != nil {
		return "", failf("%q was not answered while it was thinking: %w", question, err)
	}
	took, waited := time.Since(sent), c.player.Process().RunDelay()-delay
	if took-waited > c.Limit.Grace {
		return "", failf("%q was answered after %v, of which it waited %v for a core", question, round(took), round(waited))
	}
	return fmt.Sprintf("%q answered after %v", question, round(took)), nil
}

// checkRest reads the CPU clock while the engine has nothing to do.
func (c *checker) checkRest(ctx context.Context) (string, error) {
	at, err := c.newGame(ctx, 0)
	if err != nil {
		return "", err
	}
	if _, _, err := c.ordinary(ctx, at, game.First, 50*time.Millisecond); err != nil {
		return "", err
	}
	// Time spent waiting for a core is not idle time, so a busy machine gets
	// longer.
	const rest, most, longest = 300 * time.Millisecond, 50 * time.Millisecond, 3 * time.Second
	began, delay := time.Now(), c.player.Process().RunDelay()
	took := func() time.Duration { return time.Since(began) }
	for c.player.Idle() <= most && took() < longest && took()-(c.player.Process().RunDelay()-delay) < rest {
		select {
		case <-time.After(rest / 10):
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
	if used := c.player.Idle(); used > most {
		return "", failf("it used %v of CPU in the %v after its answer", round(used), round(took()))
	}
	return fmt.Sprintf("%v of CPU in %v after its answer", round(c.player.Idle()), round(took())), nil
}

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
	patience := cmp.Or(c.Limit.Sync, patience)
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
	bye := c.dialect.Bye()
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
