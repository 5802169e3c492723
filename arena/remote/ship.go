package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

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

// file answers a worker that asks for a part of a file.
func (h *Host) file(msg *nats.Msg) {
	var p piece
	if err := json.Unmarshal(msg.Data, &p); err != nil {
		return
	}
	name := nameIn(msg.Subject)
	h.mu.Lock()
	m := h.members[name]
	path, known := h.Ship[p.Sum]
	known = known && m != nil && m.state == plays && m.start == p.Start
	h.mu.Unlock()
	switch {
	case !strings.HasPrefix(msg.Reply, Inbox(name)+"."): // the host may publish what a worker must not
	case !known: // the worker, or such a file
		respond(msg, stateUnknown, []byte("the host does not ship it"))
	default:
		data, err := readPiece(path, p.At)
		if err != nil {
			respond(msg, stateFailed, []byte("the file cannot be read any more"))
			return
		}
		respond(msg, "", data)
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
