package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
	"thera/arena/files"
)

// Files of engines are sent in pieces. The worker asks for each piece.

// pieceSize is the largest part of a file in one message. Every server takes messages of this
// size.
const pieceSize = 512 << 10

// piece asks for a part of a file.
type piece struct {
	Sum string `json:"sha256"`
	At  int64  `json:"at"`
}

// Shipment returns the paths, by SHA-256, of all files of the engines that other machines do not
// already have.
func Shipment(engines []arena.EngineSpec) (map[string]string, error) {
	paths := map[string]string{}
	for i := range engines {
		e := &engines[i]
		if e.Builtin {
			continue
		}
		err := files.Unchanged(e.Name, e.Hashed)
		if e.Git != "" {
			err = errors.New("it is built from git: its files have no hash that other machines know")
		}
		if err != nil {
			return nil, fmt.Errorf("engine %s cannot be shipped: %w", e.Name, err)
		}
		for _, f := range e.Hashed {
			paths[f.Sum] = f.Path
		}
	}
	return paths, nil
}

// pieceTime is the shortest time between two pieces for a worker, so that it does not keep this
// machine busy.
const pieceTime = 10 * time.Millisecond

// file answers a worker that asks for a part of a file. It ignores a worker that asks again before
// it has its answer.
func (h *Host) file(msg *nats.Msg) {
	var p piece
	if err := json.Unmarshal(msg.Data, &p); err != nil || !mayReply(msg) {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.known(lastWord(msg.Subject)).now
	path, known := h.Ship[p.Sum]
	switch {
	case m == nil || !known:
		respond(h.Conn, msg, stateFailed, []byte("the host does not ship it"))
	case !m.fetches:
		m.fetches = true
		h.work.Go(func() {
			after := time.After(pieceTime)
			data, err := readPiece(path, p.At)
			<-after
			h.mu.Lock()
			m.fetches = false
			h.mu.Unlock()
			if err != nil {
				respond(h.Conn, msg, stateFailed, []byte("the file cannot be read any more"))
			} else {
				respond(h.Conn, msg, "", data)
			}
		})
	}
}

// readPiece reads a part of a file. The worker checks the hash.
func readPiece(path string, at int64) ([]byte, error) {
	file, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.NewSectionReader(file, at, pieceSize))
}

// fetch asks the host for a part of a file until it is sent or the host is gone.
func (s *serving) fetch(sum string, at int64) ([]byte, error) {
	for begun := time.Now(); ; {
		ctx, cancel := context.WithTimeout(s.ctx, helloEvery)
		msg, err := s.Conn.RequestWithContext(ctx, fileSubject(s.key, s.Name), arena.JSON(piece{Sum: sum, At: at}))
		cancel()
		switch {
		case err == nil && msg.Header.Get(headerState) != "":
			return nil, errors.New(arena.Cut(string(msg.Data), mostRemark))
		case err == nil:
			return msg.Data, nil
		case s.ctx.Err() != nil || time.Since(begun) > silence:
			return nil, fmt.Errorf("the host does not send it: %w", err)
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
		}
	}
}
