package protocol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"thera/engine/game"
	"thera/engine/mill/player"
	"thera/engine/mill/rules"
)

// parseGo reads the words after go. Unknown words and numbers without a meaning
// are ignored.
func parseGo(words []string) player.Goal {
	var g player.Goal
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "infinite":
			g.Infinite = true
			continue
		case "searchmoves":
			for i+1 < len(words) {
				m, ok := rules.ParseMove(words[i+1])
				if !ok {
					break
				}
				g.Moves = append(g.Moves, m)
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
			g.Depth = int(min(n, 1000))
		case "nodes":
			g.Nodes = n
		case "movetime":
			g.Time = max(millis, time.Millisecond)
		case "wtime":
			g.Left[rules.White] = max(millis, time.Millisecond)
		case "btime":
			g.Left[rules.Black] = max(millis, time.Millisecond)
		case "movestogo":
			g.ToGo = int(min(n, 1000))
		case "winc":
			g.Inc[rules.White] = millis
		case "binc":
			g.Inc[rules.Black] = millis
		default:
			continue
		}
		i++
	}
	return g
}

// parsePosition reads what follows position: a setup, then moves. An illegal
// move ends the list: the position before it is returned with an error. Without
// a setup that can be read there is no position.
func parsePosition(r rules.Rules, rest string) (*rules.Position, error) {
	setup, moves, _ := strings.Cut(rest+" ", " moves ")
	setup = strings.TrimSpace(setup)
	p := rules.Start(r)
	if fen, ok := strings.CutPrefix(setup, "fen "); ok {
		var err error
		if p, err = rules.Parse(r, fen); err != nil {
			return nil, err
		}
	} else if setup != "startpos" {
		return nil, errors.New("position: want startpos or fen")
	}
	for n, text := range strings.Fields(moves) {
		next, err := p.Play(game.By(p.State().Turn.Seat(), text))
		if err != nil {
			return p, fmt.Errorf("ply %d: %w", n+1, err)
		}
		p = next.(*rules.Position)
	}
	return p, nil
}
