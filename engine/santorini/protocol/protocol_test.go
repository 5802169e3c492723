package protocol

import (
	"testing"

	"thera/engine/gametest"
)

func TestProtocol(t *testing.T) { gametest.Protocol(t, ".", 24) }
