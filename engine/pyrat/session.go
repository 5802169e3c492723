package pyrat

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"thera/engine/game"
	"thera/engine/pyrat/rules"
)

// Seat tells the maze and gives the AI its preprocessing time. Within a game,
// after a restart, it tells where the game stands instead.
func (s *session) Seat(ctx context.Context, seat game.Seat, line *game.Line) error {
	if err := s.settle(ctx, nil); err != nil {
		return err
	}
	s.seat, s.prompted = seat, false
	p := line.Position.(*rules.Position)
	if state := p.State(); line.Ply > 0 || state.Turn > 0 || state.Score != [2]rules.Points{} {
		return s.recover(line)
	}
	if err := s.describe("newgame", p, p.State().At); err != nil {
		return err
	}
	s.told, s.fresh = line, true
	if err := s.say("startpreprocessing"); err != nil {
		return err
	}
	for {
		words, text, err := s.hear(ctx)
		switch {
		case errors.Is(err, game.ErrSoft):
			s.conn.Warn("timeout preprocessing: not done in time")
			return s.say("timeout preprocessing")
		case err != nil:
			return err
		case words[0] == "preprocessingdone":
			return nil
		}
		s.note(words, text)
	}
}

// describe sends a maze, its players and the time control.
func (s *session) describe(word string, p *rules.Position, at [2]rules.Cell) error {
	lines := append([]string{word}, p.MazeLines()...)
	lines = append(lines, p.PlayerLines(at)...)
	lines = append(lines, "youare "+rules.Players[s.seat.Index()])
	if s.move > 0 {
		lines = append(lines, fmt.Sprintf("timecontrol move:%d preprocessing:%d postprocessing:%d",
			s.move.Milliseconds(), s.prepare.Milliseconds(), s.after.Milliseconds()))
	}
	for _, line := range lines {
		if err := s.say(line); err != nil {
			return err
		}
	}
	return nil
}

// recover tells where a game stands: the maze with the cheese that is left,
// the starts, all turns, the present cells and the score. Common clients need
// the players' lines too and pass over the history.
func (s *session) recover(line *game.Line) error {
	p, start := line.Position.(*rules.Position), line.Start().Position.(*rules.Position)
	if start.State().Timer != [2]int16{} {
		s.conn.Warn("the game starts in mud, which the protocol cannot tell")
	}
	if err := s.describe("recover", p, start.State().At); err != nil {
		return err
	}
	history := []string{"moves_history"}
	before := start
	for _, at := range path(line) {
		history = append(history, moveWords(before, at.Turn)...)
		before = at.Position.(*rules.Position)
	}
	s.told, s.fresh = line, false
	state := p.State()
	for _, text := range []string{
		strings.Join(history, " "),
		fmt.Sprintf("current_position rat:%s python:%s", p.Board().CellName(state.At[0]), p.Board().CellName(state.At[1])),
		fmt.Sprintf("score rat:%s python:%s", state.Score[0], state.Score[1]),
	} {
		if err := s.say(text); err != nil {
			return err
		}
	}
	return nil
}

// path is the line's entries after the start, in order.
func path(line *game.Line) []*game.Line {
	out := make([]*game.Line, line.Ply)
	for at := line; at.Prev != nil; at = at.Prev {
		out[at.Ply-1] = at
	}
	return out
}

// moveWords are the moves that a turn came to in p, as the protocol spells
// them: STAY where a wall or mud kept the player in place.
func moveWords(p *rules.Position, turn game.Turn) []string {
	out := make([]string, 2)
	for i, text := range turn {
		move, _ := rules.ParseLetter(text)
		out[i] = p.Executed(i, move).String()
	}
	return out
}

// Sync settles what the AI still owes. The turns played since are told with
// the next go, in one write: they would wake the AI twice.
func (s *session) Sync(ctx context.Context, line *game.Line) error {
	s.prompted = false
	if line != s.told && game.Common(s.told, line) != s.told {
		if err := s.settle(ctx, nil); err != nil {
			return err
		}
		return s.recover(line) // taken back: the protocol has no other word for it
	}
	return s.settle(ctx, line)
}

// tell says the turns since the last telling; the first message of a game is
// no turn.
func (s *session) tell(line *game.Line) error {
	if s.fresh {
		if err := s.say("moves rat:STAY python:STAY"); err != nil {
			return err
		}
	}
	s.fresh = false
	var news []*game.Line
	for at := line; at != s.told; at = at.Prev {
		news = append(news, at)
	}
	for i := len(news) - 1; i >= 0; i-- {
		w := moveWords(news[i].Prev.Position.(*rules.Position), news[i].Turn)
		if err := s.say("moves rat:" + w[0] + " python:" + w[1]); err != nil {
			return err
		}
	}
	s.told = line
	return nil
}

// settle makes sure that no answer to an older question can come any more. A
// move carries no turn number, so a late one is waited for: it is called in by
// stop, and ready? and isready are fences behind which nothing old is left. An
// AI that does not settle its debt has to be restarted. The turns up to news,
// if not nil, are told before ready?, as the protocol shows it.
func (s *session) settle(ctx context.Context, news *game.Line) error {
	if s.owed == 0 {
		return nil
	}
	if err := s.say("timeout move:STAY"); err != nil {
		return err
	}
	for {
		line, ok := s.conn.Pending()
		if !ok {
			break
		}
		s.drop(strings.Fields(string(line)), line)
	}
	if s.owed > 0 {
		if err := s.say("stop"); err != nil {
			return err
		}
	}
	if news != nil {
		if err := s.tell(news); err != nil {
			return err
		}
	}
	if err := s.say("ready?"); err != nil {
		return err
	}
	if err := s.until(ctx, "ready"); err != nil {
		return err
	}
	// An AI without a thought answers stop with one more move; it lies before
	// this answer.
	if err := s.say("isready"); err != nil {
		return err
	}
	return s.until(ctx, "readyok")
}

// until drops lines until the word was said and no answer is owed.
func (s *session) until(ctx context.Context, word string) error {
	for said := false; !said || s.owed > 0; {
		words, line, err := s.hear(ctx)
		if errors.Is(err, game.ErrSoft) {
			continue
		}
		if err != nil {
			return err
		}
		if words[0] == word {
			said = true
			continue
		}
		s.drop(words, line)
	}
	return nil
}

// drop passes over a line; a move settles a debt.
func (s *session) drop(words []string, line []byte) {
	if len(words) > 0 && words[0] == "move" && s.owed > 0 {
		s.owed--
	}
	s.note(words, line)
}

// note reads an info and passes over everything else.
func (s *session) note(words []string, line []byte) {
	if len(words) > 0 && words[0] == "info" {
		s.last.read(words[1:])
		return
	}
	s.conn.Passed(line)
}

// Go asks for a move. For a late or unreadable one the arena plays STAY; the
// late answer is called in by the next Sync.
func (s *session) Go(ctx context.Context, ask game.Ask) (game.Reply, error) {
	if !s.prompted {
		if err := s.ask(ask); err != nil {
			return game.Reply{}, err
		}
	}
	s.prompted = false
	for {
		words, line, err := s.hear(ctx)
		if errors.Is(err, game.ErrSoft) {
			continue // the grace; stop would cost it time to answer
		}
		if err != nil {
			return game.Reply{Report: s.last.report()}, err // what it said counts, though no move came
		}
		if reply, done, err := s.take(ask, words, line); done {
			return reply, err
		}
	}
}

// Prompt asks without waiting, where nothing is to be settled first.
func (s *session) Prompt(ask game.Ask) (bool, error) {
	if s.owed > 0 || s.told == nil || game.Common(s.told, ask.Line) != s.told {
		return false, nil
	}
	if err := s.ask(ask); err != nil {
		return false, err
	}
	s.prompted = true
	return true, nil
}

// Heard takes the answer to a Prompt that has already come.
func (s *session) Heard(ask game.Ask) (game.Reply, bool, error) {
	for {
		line, ok := s.conn.Pending()
		if !ok {
			return game.Reply{}, false, nil
		}
		words := strings.Fields(string(line))
		if len(words) == 0 {
			continue
		}
		if reply, done, err := s.take(ask, words, line); done {
			s.prompted = false
			return reply, true, err
		}
	}
}

// ask sends the question, with the turns that the AI does not know yet.
func (s *session) ask(ask game.Ask) error {
	for {
		line, ok := s.conn.Pending()
		if !ok {
			break
		}
		s.note(strings.Fields(string(line)), line) // said before it was asked
	}
	if err := s.tell(ask.Line); err != nil {
		return err
	}
	if err := s.say("go"); err != nil {
		return err
	}
	s.owed++
	s.last = info{}
	return nil
}

// take reads a line that came after the question; done says that it was the
// answer.
func (s *session) take(ask game.Ask, words []string, line []byte) (reply game.Reply, done bool, err error) {
	switch words[0] {
	case "info":
		s.last.read(words[1:])
		if ask.Watch != nil {
			ask.Watch(s.last.report())
		}
	case "move":
		s.owed--
		reply, err = s.reply(words, line)
		return reply, true, err
	default:
		s.conn.Passed(line)
	}
	return game.Reply{}, false, nil
}

// reply reads the answer. One that cannot be read was given all the same.
func (s *session) reply(words []string, line []byte) (game.Reply, error) {
	r := game.Reply{Report: s.last.report()}
	if len(words) == 2 {
		if move, ok := rules.ParseMove(words[1]); ok {
			r.Move = move.Letter()
			return r, nil
		}
	}
	return r, game.Protocolf("unreadable move %.80q", line)
}

// End tells the last turn and the score and gives the AI its time after the
// game. Whether it says that it is done is its own business.
func (s *session) End(ctx context.Context, line *game.Line, outcome game.Outcome) error {
	if s.told == nil {
		return nil
	}
	if s.owed > 0 { // no question follows in which it could be taken wrongly
		if err := s.say("timeout move:STAY"); err != nil {
			return err
		}
	}
	if game.Common(s.told, line) == s.told {
		if err := s.tell(line); err != nil {
			return err
		}
	}
	winner := "draw"
	if outcome.Winner != game.None {
		winner = rules.Players[outcome.Winner.Index()]
	}
	score := line.Position.(*rules.Position).State().Score
	if err := s.say(fmt.Sprintf("gameover winner:%s score:%s-%s", winner, score[0], score[1])); err != nil {
		return err
	}
	if s.after == 0 {
		return nil
	}
	if err := s.say("startpostprocessing"); err != nil {
		return err
	}
	for {
		words, text, err := s.hear(ctx)
		switch {
		case errors.Is(err, game.ErrSoft):
			return s.say("timeout postprocessing")
		case err != nil:
			return err
		case words[0] == "postprocessingdone":
			return nil
		}
		s.drop(words, text)
	}
}
