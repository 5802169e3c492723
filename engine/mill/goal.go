package mill

import (
	"strconv"
	"strings"
	"time"
)

// goal is what a `go` asks for; zero fields do not limit.
type goal struct {
	depth     int
	nodes     int64
	time      time.Duration
	infinite  bool
	left, inc [2]time.Duration // clocks by colour
	moves     []move           // searchmoves
}

// parseGoal reads the words after go. Words that it does not know and numbers
// that make no sense are passed over.
func parseGoal(words []string) goal {
	var g goal
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "infinite":
			g.infinite = true
			continue
		case "searchmoves":
			for i+1 < len(words) {
				m, ok := parseMove(words[i+1])
				if !ok {
					break
				}
				g.moves = append(g.moves, m)
				i++
			}
			continue
		}
		if i+1 == len(words) {
			break
		}
		n, err := strconv.ParseInt(words[i+1], 10, 64)
		if err != nil || n < 0 || n > 1<<40 {
			continue
		}
		millis := time.Duration(n) * time.Millisecond
		switch words[i] {
		case "depth":
			g.depth = int(min(n, 1000))
		case "nodes":
			g.nodes = n
		case "movetime":
			g.time = max(millis, time.Millisecond)
		case "wtime":
			g.left[white] = max(millis, time.Millisecond)
		case "btime":
			g.left[black] = max(millis, time.Millisecond)
		case "winc":
			g.inc[white] = millis
		case "binc":
			g.inc[black] = millis
		default:
			continue
		}
		i++
	}
	return g
}

// budget is the time to think: said, shared out from the clock, or, where
// nothing limits at all, the MoveTime option's. Zero is no limit.
func (g *goal) budget(turn side, moveTime int) time.Duration {
	switch {
	case g.time > 0:
		return g.time - min(g.time/10, 5*time.Millisecond)
	case g.left[turn] > 0:
		left := g.left[turn]
		spare := max(left-50*time.Millisecond, left/10)
		return max(time.Millisecond, min(left/30+g.inc[turn]*8/10, spare))
	case g.infinite || g.depth > 0 || g.nodes > 0:
		return 0
	}
	return moveTimeOption(moveTime)
}

// moveTimeOption is the written protocol's formula.
func moveTimeOption(value int) time.Duration {
	return time.Duration(value*10*64+10) * time.Millisecond
}

// parsePosition reads the words after position: a setup, then moves. An
// illegal move ends the list: it and all after it are dropped, and why says
// so. A setup that can't be read gives no position.
func parsePosition(r *rules, rest string) (p *Position, why error) {
	setup, moves, _ := strings.Cut(rest+" ", " moves ")
	setup = strings.TrimSpace(setup)
	if fen, ok := strings.CutPrefix(setup, "fen "); ok {
		if p, why = parseFEN(r, fen); why != nil {
			return nil, why
		}
	} else if setup == "startpos" {
		p = newPosition(Position{state: startState(), rules: r})
	} else {
		return nil, errSetup
	}
	for n, text := range strings.Fields(moves) {
		m, ok := parseMove(text)
		switch {
		case !ok:
			return p, plyError(n, p.illegal(p.turn.seat(), text, "not a move"))
		case p.over():
			return p, plyError(n, p.illegal(p.turn.seat(), text, "game over"))
		case !p.legal(p.rules, m):
			return p, plyError(n, p.illegal(p.turn.seat(), text, p.broken(m)))
		}
		p = p.next(m)
	}
	return p, nil
}
