package protocol

import (
	"testing"

	"thera/engine/gametest"
)

func TestProtocolTable(t *testing.T) {
	gametest.Protocol(t, ".", 26)
}
