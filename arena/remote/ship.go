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

// pieceSize is the most of a file in one message: room for base64 and less than what a
// server takes.
const pieceSize = 512 << 10

// piece asks for a part of a file.
type piece struct {
	Start string `json:"start"` // of the worker
	Sum   string `json:"sha256"`
	At    int64  `json:"at"`
}

// content is the answer.
type content struct {
	Data    []byte `json:"data,omitempty"`
	End     bool   `json:"end,omitempty"`     // nothing follows
	Unknown bool   `json:"unknown,omitempty"` // the host does not know the worker, or ships no such file
	Error   string `json:"error,omitempty"`
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
	known = known && m != nil && m.there() && m.start == p.Start
	h.mu.Unlock()
	answer := func(c content) {
		if strings.HasPrefix(msg.Reply, Inbox(name)+".") { // the host may publish what a worker must not
			_ = msg.Respond(encode(c)) // or it is asked again
		}
	}
	if !known {
		answer(content{Unknown: true})
		return
	}
	answer(part(path, p.At))
}

// part reads a part of a file. The worker knows whether it is the right one.
func part(path string, at int64) content {
	file, _, err := files.Open(path)
	if err != nil {
		return content{Error: "the file cannot be read any more"}
	}
	defer file.Close()
	data := make([]byte, pieceSize)
	n, err := file.ReadAt(data, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return content{Error: "the file cannot be read any more"}
	}
	return content{Data: data[:n], End: err != nil}
}

// fetch writes a file of the host.
func (s *serving) fetch(sum string, to io.Writer) error {
	for at := int64(0); ; {
		c, err := s.piece(piece{Start: s.start, Sum: sum, At: at})
		switch {
		case err != nil:
			return fmt.Errorf("it does not come: %w", err)
		case c.Error != "":
			return errors.New(plain(c.Error, mostRemark, false))
		case c.Unknown || len(c.Data) == 0 && !c.End:
			return errors.New("the host does not ship it")
		}
		if _, err := to.Write(c.Data); err != nil || c.End {
			return err
		}
		at += int64(len(c.Data))
	}
}

// piece asks for a part until it comes, or the host is gone.
func (s *serving) piece(p piece) (c content, err error) {
	for begin := time.Now(); ; {
		ctx, cancel := context.WithTimeout(s.ctx, helloEvery)
		msg, err := s.Conn.RequestWithContext(ctx, fileSubject(s.key, s.Name), encode(p))
		cancel()
		if err == nil {
			return c, json.Unmarshal(msg.Data, &c)
		}
		if s.ctx.Err() != nil || time.Since(begin) > silence {
			return c, err
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
		}
	}
}
