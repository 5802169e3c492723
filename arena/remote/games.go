package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"thera/arena"
	"thera/engine/game"
)

// The bounds of what a host accepts from a worker. What the arena of an honest worker makes is
// within them. Whoever shows a text makes it fit to be shown.
const (
	mostGames  = 4 << 20 // bytes of a pair
	mostValues = 1 << 19 // in its lists, because few bytes can name many values
	mostText   = 4 << 10 // bytes of a turn, and of a fault
	mostFigure = 1e9     // seconds, depth, score, lines
	mostNodes  = 1e15    // of a move; the sum over a million games does not overflow
	mostRemark = 1000    // bytes of a remark about a worker, and of what its sandbox holds
)

// sent is a game as a worker sends it: as it is exported, but for the figures of the moves. They
// have no names, because names would be most of the game, and of the time to read it.
type sent struct {
	arena.GameLine
	Took []int64               `json:"took"` // of each move: seat, wall, CPU, depth, nodes, score, and 1 if there is a score
	Said map[int]*game.Details `json:"said,omitempty"`
}

// figures is the number of values of a move in Took.
const figures = 7

func send(g *arena.Game) *sent {
	s := &sent{GameLine: *g.Line(""), Took: make([]int64, 0, figures*len(g.Plies)), Said: map[int]*game.Details{}}
	for i, p := range g.Plies {
		scored := int64(0)
		if p.Scored {
			scored = 1
		}
		s.Took = append(s.Took, int64(p.Seat), int64(p.Wall), int64(p.CPU), int64(p.Depth), p.Nodes, int64(p.Score), scored)
		if p.Said != nil {
			s.Said[i] = p.Said
		}
	}
	s.Game.Plies = nil
	return s
}

// game returns the game that was sent.
func (s *sent) game() (*arena.Game, error) {
	g, err := s.Checked()
	if err != nil {
		return nil, err
	}
	g.Plies = make([]arena.Ply, len(s.Took)/figures)
	for i := range g.Plies {
		t := s.Took[figures*i:]
		g.Plies[i] = arena.Ply{
			Seat: game.Seat(t[0]), Wall: time.Duration(t[1]), CPU: time.Duration(t[2]), Depth: int(t[3]),
			Nodes: t[4], Score: int(t[5]), Scored: t[6] == 1, Said: s.Said[i],
		}
	}
	return g, nil
}

// pack encodes the games of a pair, in at most most bytes. It leaves out what the engines said
// if that does not fit.
func pack(games []*arena.Game, most int64) ([]byte, error) {
	most = min(most, mostGames)
	for size := 0; ; {
		var lines []*sent
		for _, g := range games {
			if size > 0 {
				g.Tail, g.Stderr, g.Input, g.Detail = [2][]string{}, [2]string{}, [2]string{}, ""
				g.Warnings = []string{fmt.Sprintf("what the engines said is left out: the pair has %d bytes, more than %d", size, most)}
				for i := range g.Plies {
					g.Plies[i].Said = nil
				}
			}
			lines = append(lines, send(g))
		}
		data, err := json.Marshal(lines)
		if err == nil && int64(len(data)) > most && size > 0 {
			err = fmt.Errorf("the games of a pair have %d bytes, more than %d", len(data), most)
		}
		if err != nil || int64(len(data)) <= most {
			return data, err
		}
		size = len(data)
	}
}

// unpack decodes what pack wrote. It accepts any bytes from a worker.
func unpack(data []byte) (games []*arena.Game, err error) {
	if len(data) > mostGames || bytes.Count(data, []byte(",")) > mostValues {
		return nil, fmt.Errorf("a pair of %d bytes is too large or has too many values", len(data))
	}
	var lines [3]*sent // further ones are skipped
	err = json.Unmarshal(data, &lines)
	if err == nil && (lines[0] == nil || lines[2] != nil) {
		err = errors.New("expected the games of a pair")
	}
	for _, line := range lines[:2] {
		if err == nil && line != nil {
			var g *arena.Game
			g, err = line.game()
			games = append(games, g)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("it cannot be read: %w", err)
	}
	return games, nil
}

// bound bounds what a worker sent, and drops what only the host knows. It returns an error for a
// move that cannot be shown.
func bound(g *arena.Game) error {
	g.Status, g.Attempt, g.Dispute = arena.StatusCounted, 0, nil
	if g.Fault != nil {
		g.Fault = &game.Fault{Kind: g.Fault.Kind, Detail: arena.Cut(g.Fault.Detail, mostText)}
	}
	g.Outcome.Reason = arena.Cut(g.Outcome.Reason, mostText)
	for i, move := range g.Moves {
		if len(move) > mostText || strings.ContainsFunc(move, unicode.IsControl) {
			return fmt.Errorf("ply %d: a move that is not a line of text, or is too long: %q", i+1, arena.Cut(move, 100))
		}
	}
	const longest = mostFigure * time.Second
	for i := range g.Plies {
		p := &g.Plies[i]
		p.Wall, p.CPU = min(p.Wall, longest), min(p.CPU, longest)
		p.Depth, p.Nodes = min(p.Depth, mostFigure), min(p.Nodes, mostNodes)
		p.Score = min(max(p.Score, -mostFigure), mostFigure)
	}
	g.Idle[0], g.Idle[1], g.Passed = min(g.Idle[0], longest), min(g.Idle[1], longest), min(g.Passed, mostFigure)
	return nil
}
