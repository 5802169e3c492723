package store

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"thera/arena"
)

// The games of all stores are compressed by one encoder, which keeps what it allocates.
var (
	encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	})
	decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(mostText))
	})
)

// mostText bounds the JSON of a game: no game that is played or imported has as much.
const mostText = 256 << 20

// pack returns the game as the table records has it.
func pack(g *arena.Game) ([]byte, error) {
	z, err := encoder()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(g.Line(""))
	if err != nil {
		return nil, err
	}
	return z.EncodeAll(text, nil), nil
}

// unpack reads what pack returned.
func unpack(data []byte) (*arena.Game, error) {
	z, err := decoder()
	if err != nil {
		return nil, err
	}
	text, err := z.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("its moves cannot be read: %w", err)
	}
	var line arena.GameLine
	if err := json.Unmarshal(text, &line); err != nil {
		return nil, err
	}
	return line.Checked()
}
