package protocol

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/protocol"
	"thera/engine/pyrat/rules"
)

// session is one AI's conversation.
type session struct {
	protocol.Client
	options protocol.Options
	adapted bool // of Dialect
	seat    game.Seat
	known   *game.History   // what the AI knows
	fresh   bool            // newgame was sent and no go since: a placeholder is due
	open    int             // answers to go that have not come
	ask     game.Ask        // the last one
	last    game.SearchInfo // that came since then
	stopped bool            // stop was sent since the last go

	moveTime, preprocessing, postprocessing time.Duration
}

var fence = protocol.Fence{Question: "isready", Answer: "readyok"}

// Fits accepts every maze.
func (s *session) Fits(pos game.Position) error {
	if _, ok := pos.(*rules.Position); !ok {
		return fmt.Errorf("%T is not a position of PyRat", pos)
	}
	return nil
}

// Seat sends the maze and gives the AI its preprocessing time. Within a game,
// after a restart, it sends where the game stands instead.
func (s *session) Seat(ctx context.Context, seat game.Seat, history *game.History) error {
	if err := s.settle(ctx, nil); err != nil {
		return err
	}
	s.seat = seat
	from := history
	if s.adapted { // the turns follow
		from = history.Start()
	}
	p := from.Position.(*rules.Position)
	if state := p.State(); !s.adapted && (history.Ply > 0 || state.Turn > 0 || state.Score != [2]rules.Points{}) {
		return s.recover(history)
	}
	if err := s.describe("newgame", p, p.State().At); err != nil {
		return err
	}
	s.known, s.fresh = from, true
	if err := s.Say("startpreprocessing"); err != nil {
		return err
	}
	late := func() (bool, error) {
		s.Conn.Warn("timeout preprocessing: not done in time")
		return true, s.Say("timeout preprocessing")
	}
	if err := s.Read(ctx, late, s.until("preprocessingdone")); err != nil || from == history {
		return err
	}
	if err := s.update(history); err != nil {
		return err
	}
	return s.Fence(ctx, s.late)
}

// until waits for a line that begins with word.
func (s *session) until(word string) func(line []byte) (bool, error) {
	return func(line []byte) (bool, error) {
		if first(line) == word {
			return true, nil
		}
		if !s.late(line) {
			s.Pass(line)
		}
		return false, nil
	}
}

// first is the first word of a line, "" if there is none.
func first(line []byte) string {
	for word := range strings.FieldsSeq(string(line)) {
		return word
	}
	return ""
}

// describe sends a maze, its players and the time control. An adapter gets all of a position.
func (s *session) describe(word string, p *rules.Position, at [2]rules.Cell) error {
	lines := append([]string{word}, p.MazeLines()...)
	lines = append(lines, p.PlayerLines(at)...)
	if s.adapted {
		lines = append([]string{word}, strings.Split(p.String(), "; ")...)
	}
	lines = append(lines, "youare "+rules.Players[s.seat.Index()])
	if s.moveTime > 0 || s.adapted {
		lines = append(lines, fmt.Sprintf("timecontrol move:%d preprocessing:%d postprocessing:%d",
			s.moveTime.Milliseconds(), s.preprocessing.Milliseconds(), s.postprocessing.Milliseconds()))
	}
	return s.sayAll(lines)
}

func (s *session) sayAll(lines []string) error {
	for _, line := range lines {
		if err := s.Say(line); err != nil {
			return err
		}
	}
	return nil
}

// path is the entries after the start, in order.
func path(history *game.History) []*game.History {
	out := make([]*game.History, history.Ply)
	for at := history; at.Prev != nil; at = at.Prev {
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

// Sync settles what the AI still owes. An AI that had just answered when it was
// stopped may answer stop with one more move: the fence finds it. The turns since the last question are
// sent with the next go, in one write: two would wake the AI twice.
func (s *session) Sync(ctx context.Context, history *game.History) error {
	if s.stopped && s.open == 0 {
		if err := s.Fence(ctx, s.late); err != nil {
			return err
		}
	}
	if history != s.known && game.Common(s.known, history) != s.known {
		if err := s.settle(ctx, nil); err != nil {
			return err
		}
		return s.recover(history) // taken back: the protocol has no other word for it
	}
	return s.settle(ctx, history)
}

// update sends the turns that the AI does not know. The first message of a
// game is not a turn.
func (s *session) update(history *game.History) error {
	if s.fresh {
		if err := s.Say("moves rat:STAY python:STAY"); err != nil {
			return err
		}
	}
	s.fresh = false
	var news []*game.History
	for at := history; at != s.known; at = at.Prev {
		news = append(news, at)
	}
	for i := len(news) - 1; i >= 0; i-- {
		w := moveWords(news[i].Prev.Position.(*rules.Position), news[i].Turn)
		if err := s.Say("moves rat:" + w[0] + " python:" + w[1]); err != nil {
			return err
		}
	}
	s.known = history
	return nil
}

// settle makes sure that no answer to an older question can come any more. A
// move carries no turn number, so a late one is waited for: stop calls for it,
// and after the answers to ready? and isready nothing old is left. An AI that
// does not send the move has to be restarted. The turns up to history, if not
// nil, are sent before ready?, as the protocol's text has it.
func (s *session) settle(ctx context.Context, history *game.History) error {
	if s.open == 0 {
		return nil
	}
	if err := s.Say("timeout move:STAY"); err != nil {
		return err
	}
	s.Drain(s.late)
	if s.open > 0 {
		if err := s.Say("stop"); err != nil {
			return err
		}
	}
	if history != nil {
		if err := s.update(history); err != nil {
			return err
		}
	}
	if err := s.Say("ready?"); err != nil {
		return err
	}
	ready := false
	err := s.Read(ctx, nil, func(line []byte) (bool, error) {
		if first(line) == "ready" {
			ready = true
		} else if !s.late(line) {
			s.Pass(line)
		}
		return ready && s.open == 0, nil
	})
	if err != nil {
		return err
	}
	// An AI that is not thinking answers stop with one more move, which comes
	// before this answer.
	return s.Fence(ctx, s.late)
}

// late sees a line that is not an answer: a late move or an info.
func (s *session) late(line []byte) (used bool) {
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "info":
		readInfo(&s.last, words[1:])
		return true
	case "move":
		s.open = max(0, s.open-1)
	}
	return false
}

// Ask sends the turns that the AI does not know, and go. An adapter is told the time for the move,
// which its bot gets with each question.
func (s *session) Ask(ask game.Ask) error {
	s.Drain(s.late)
	if err := s.update(ask.History); err != nil {
		return err
	}
	if err := s.limit(optionPlayouts, ask.Nodes); err != nil {
		return err
	}
	if err := s.limit(optionDepth, int64(ask.Depth)); err != nil {
		return err
	}
	words := []string{"go"}
	if s.adapted && ask.Time > 0 {
		words = append(words, fmt.Sprintf("move:%d", max(ask.Time.Milliseconds(), 1)))
	}
	if err := s.Say(words...); err != nil {
		return err
	}
	s.open++
	s.ask, s.last, s.stopped = ask, game.SearchInfo{}, false
	return nil
}

// The options that limit a search: the built-in engine lists them, and others may.
const (
	optionPlayouts = "Playouts"
	optionDepth    = "Depth"
)

// limitOption is the option that limits a search, nil if the AI lists none of that name.
func (s *session) limitOption(name string) *protocol.ListedOption {
	if o := s.options.Find(name); o != nil && o.Kind == protocol.Spin {
		return o
	}
	return nil
}

// limit sets an option that limits a search, 0 for no limit, where the AI lists it.
func (s *session) limit(name string, most int64) error {
	o, text := s.limitOption(name), ""
	if o == nil || s.adapted { // its options are set before the game
		return nil
	}
	if most > 0 {
		text = strconv.FormatInt(most, 10)
	}
	text, news := s.options.Limit(name, text, o.Default)
	if !news {
		return nil
	}
	if err := o.Check(text); err != nil {
		return err
	}
	return s.Say(o.Command(text))
}

// Answer waits for the move. For a late or unreadable one the arena plays
// STAY; the next Sync waits for the late one. A soft limit of time is ignored: an
// answer to stop would take its time. At one of CPU time, which no AI is told,
// stop calls for the move, as it does for what an adapter has of its bot by then.
func (s *session) Answer(ctx context.Context) (game.Reply, error) {
	var reply game.Reply
	var soft func() (bool, error)
	if s.ask.CPU > 0 || s.adapted {
		soft = func() (bool, error) {
			s.stopped = true
			return false, s.Say("stop")
		}
	}
	err := s.Read(ctx, soft, func(line []byte) (bool, error) {
		words := strings.Fields(string(line))
		switch {
		case len(words) > 0 && words[0] == "info":
			readInfo(&s.last, words[1:])
			if s.ask.Watch != nil {
				s.ask.Watch(s.last)
			}
		case len(words) > 0 && words[0] == "move":
			s.open--
			var err error
			reply.Move, err = readMove(words, line)
			return true, err
		default:
			s.Pass(line)
		}
		return false, nil
	})
	if !errors.Is(err, game.ErrNoLine) {
		reply.SearchInfo = s.last // also without a move
	}
	return reply, err
}

// readMove reads an answer. One that cannot be read is an answer all the same.
func readMove(words []string, line []byte) (string, error) {
	if len(words) == 2 {
		if move, ok := rules.ParseMove(words[1]); ok {
			return move.Letter(), nil
		}
	}
	return "", game.Protocolf("unreadable move %s", protocol.Quote(line))
}

// End sends the last turn and the score and gives the AI its time after the
// game. Whether it sends that it is done is its business.
func (s *session) End(ctx context.Context, history *game.History, outcome game.Outcome) error {
	if s.known == nil {
		return nil
	}
	if s.open > 0 { // no question follows whose answer a late one could be taken for
		if err := s.Say("timeout move:STAY"); err != nil {
			return err
		}
	}
	if game.Common(s.known, history) == s.known {
		if err := s.update(history); err != nil {
			return err
		}
	}
	winner := "draw"
	if outcome.Winner != game.None {
		winner = rules.Players[outcome.Winner.Index()]
	}
	score := history.Position.(*rules.Position).State().Score
	if err := s.Say(fmt.Sprintf("gameover winner:%s score:%s-%s", winner, score[0], score[1])); err != nil {
		return err
	}
	if s.postprocessing == 0 {
		return nil
	}
	if err := s.Say("startpostprocessing"); err != nil {
		return err
	}
	late := func() (bool, error) { return true, s.Say("timeout postprocessing") }
	return s.Read(ctx, late, s.until("postprocessingdone"))
}
