package tcp

import (
	"encoding/binary"
	"fmt"
	"io"

	"thera/engine/game"
)

// maxFrame bounds the payload of a frame, in bytes.
const maxFrame = 16 << 20

// readFrame reads the payload of one frame. A frame that is too long is a *game.Fault. Memory
// is taken for what comes, not for what the length says.
func readFrame(in io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n == 0 || n > maxFrame {
		return nil, game.Protocolf("a frame of %d bytes, want 1 to %d", n, maxFrame)
	}
	payload, err := io.ReadAll(io.LimitReader(in, int64(n)))
	if err == nil && len(payload) < int(n) {
		err = fmt.Errorf("a frame of %d bytes ends after %d: %w", n, len(payload), io.ErrUnexpectedEOF)
	}
	return payload, err
}

// frame is a payload with its length.
func frame(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}
