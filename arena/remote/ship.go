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

// Files of engines travel in pieces, as questions and answers like all else.

// pieceSize is the most of a file in one message: less than what any server takes.
const pieceSize = 512 << 10

// piece asks for a part of a file.
type piece struct {
	Start string `json:"start"` // of the worker
	Sum   string `json:"sha256"`
	At    int64  `json:"at"`
}

// Shipment are the paths of all files of the engines that other machines do not have by
// themselves, by their SHA-256.
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

// pieceTime is what a piece takes at least: a worker has one at a time, so that it leaves this machine to others.
const pieceTime = 10 * time.Millisecond

// file answers a worker that asks for a part of a file. One that asks before it has its answer is not heard.
func (h *Host) file(msg *nats.Msg) {
	var p piece
	if err := json.Unmarshal(msg.Data, &p); err != nil || !mayReply(msg) {
		return
	}
	h.mu.Lock()
	m := h.members[lastWord(msg.Subject)]
	path, known := h.Ship[p.Sum]
	known = known && m != nil && m.playing && m.Start == p.Start
	waits := known && m.fetches
	if known {
		m.fetches = true
	}
	h.mu.Unlock()
	switch {
	case waits:
	case !known: // the worker, or such a file
		respond(msg, stateFailed, []byte("the host does not ship it"))
	default:
		h.work.Go(func() {
			begun := time.Now()
			data, err := readPiece(path, p.At)
			time.Sleep(pieceTime - time.Since(begun))
			h.mu.Lock()
			m.fetches = false
			h.mu.Unlock()
			if err != nil {
				respond(msg, stateFailed, []byte("the file cannot be read any more"))
			} else {
				respond(msg, "", data)
			}
		})
	}
}

// readPiece reads a part of a file. The worker knows whether it is the right one.
func readPiece(path string, at int64) ([]byte, error) {
	file, _, err := files.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, pieceSize)
	n, err := file.ReadAt(data, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// fetch writes a file of the host. It asks for each piece until that comes, or the host is gone.
func (s *serving) fetch(sum string, to io.Writer) error {
	for at, heard := int64(0), time.Now(); ; {
		ctx, cancel := context.WithTimeout(s.ctx, helloEvery)
		msg, err := s.Conn.RequestWithContext(ctx, fileSubject(s.key, s.Name), encode(piece{Start: s.start, Sum: sum, At: at}))
		cancel()
		switch {
		case err == nil && msg.Header.Get(headerState) != "":
			return errors.New(cut(string(msg.Data), mostRemark))
		case err == nil:
			if _, err := to.Write(msg.Data); err != nil || len(msg.Data) < pieceSize { // that is its end
				return err
			}
			at, heard = at+pieceSize, time.Now()
			continue
		case s.ctx.Err() != nil || time.Since(heard) > silence:
			return fmt.Errorf("it does not come: %w", err)
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
		}
	}
}
