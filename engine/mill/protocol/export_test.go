package protocol

import (
	"thera/engine/game"
	"thera/engine/mill/rules"
	"thera/engine/protocol"
)

// Undialled is a session whose handshake was not recorded.
func Undialled(conn game.Conn) game.Session {
	return &session{Client: protocol.NewClient(conn, fence), rules: rules.Default()}
}
