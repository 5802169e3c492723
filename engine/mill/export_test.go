package mill

import (
	"thera/engine/game"
	"thera/engine/protocol"
)

// CountTurns counts turns, a mill-closing action and its removal being one.
func (p *Position) CountTurns(depth int) uint64 {
	c := counter{rules: p.rules, lists: make([][]move, depth+1)}
	return c.countTurns(p.state, depth)
}

// Undialled is a session whose handshake was not recorded.
func Undialled(conn game.Conn) game.Session {
	return &session{Client: protocol.NewClient(conn, fence), rules: defaultRules}
}
