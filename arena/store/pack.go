package store

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"thera/arena"
)

// mostText bounds the JSON of a game: no game that is played or imported has as much.
const mostText = 256 << 20

// The games of all stores are compressed by one encoder, which keeps what it allocates. Neither
// of them fails with these options.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		z, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
		return z
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		z, _ := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(mostText))
		return z
	})
)

// pack returns the game as the table records has it.
func pack(g *arena.Game) ([]byte, error) {
	text, err := json.Marshal(g.Line(""))
	return encoder().EncodeAll(text, nil), err
}

// unpack reads what pack returned.
func unpack(data []byte) (*arena.Game, error) {
	text, err := decoder().DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("its moves cannot be read: %w", err)
	}
	var line arena.GameLine
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, err
	}
	return line.Checked()
}
