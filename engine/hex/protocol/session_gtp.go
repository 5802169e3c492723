package protocol

import (
	"context"
	"errors"

	"thera/engine/game"
	"thera/engine/hex/rules"
	"thera/engine/protocol"
)

// GTP is the protocol of most Hex programs.
type GTP struct{}

// Name is "gtp".
func (GTP) Name() string { return "gtp" }

// Args is empty: such programs take no colour.
func (GTP) Args(game.Seat) []string { return nil }

// Bye is quit.
func (GTP) Bye() string { return "quit" }

// Ping is empty: a program that thinks answers nothing.
func (GTP) Ping() (question, answer string) { return "", "" }

// Dial asks who answers, and sets size and options.
func (GTP) Dial(ctx context.Context, conn game.Conn, opts game.Options) (game.Session, game.Info, error) {
	if opts.Builtin {
		return nil, game.Info{}, errors.New("the built-in player speaks GTP as command: [thera, engine, hex, --gtp]")
	}
	return protocol.DialGTP(ctx, conn, opts, stones{})
}

// stones are the moves of Hex in GTP, column first. Programs are told of no swap: some turn
// their board over at swap-pieces, MoHex leaves it as it is, and most know no swap. After one, a
// program finds its board set up again, turned over: black's first stone is white's, and it
// goes on with the colour that it began with. The coordinates of a board that is turned over
// are those of this project, row first.
type stones struct{}

// Size refuses positions of other games.
func (stones) Size(pos game.Position) (int, error) {
	p, err := rules.Of(pos)
	if err != nil {
		return 0, err
	}
	return p.Size(), nil
}

func (stones) Plays(pos game.Position) []string {
	p := pos.(*rules.Position)
	var plays []string
	for i, move := range p.History() {
		colour := [2]rules.Colour{rules.Black, rules.White}[i%2]
		switch {
		case move == rules.SwapMove:
			plays[0] = rules.White.String() + " " + rules.CellName(p.History()[0], p.Size())
			continue
		case !turned(p):
			move = turn(move, p.Size())
		}
		plays = append(plays, colour.String()+" "+rules.CellName(move, p.Size()))
	}
	return plays
}

func (stones) Move(pos game.Position, answer string) (move string, kept bool) {
	switch answer {
	case swapPieces, swapSides, rules.SwapWord:
		return rules.SwapWord, false
	}
	p := pos.(*rules.Position)
	cell, err := rules.ParseCell(answer, p.Size())
	if err != nil || turned(p) {
		return answer, true // the rules say what is wrong with it
	}
	return rules.CellName(turn(cell, p.Size()), p.Size()), true
}

// The swap in GTP: the stone becomes white's, on the other side of the long diagonal, or
// the players change.
const (
	swapPieces = "swap-pieces"
	swapSides  = "swap-sides"
)

// turn is the cell on the other side of the long diagonal: its name in GTP is the name that
// this one has here.
func turn(cell, size int) int { return cell%size*size + cell/size }

// turned is whether the board of a program in this game is turned over.
func turned(p *rules.Position) bool { return p.SeatOf(rules.Black) == game.Second }
