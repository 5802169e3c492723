package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena/config"
)

// Files of engines travel in pieces, as questions and answers like all else: the object
// store of JetStream would need rights that workers do not have.

// pieceSize is the most of a file in one message: room for base64 and less than what a
// server takes.
const pieceSize = 512 << 10

// piece asks for a part of a file.
type piece struct {
	Session string `json:"session"`
	Engine  string `json:"engine"`
	Name    string `json:"name"`
	At      int64  `json:"at"`
}

// content is the answer.
type content struct {
	Data    []byte `json:"data,omitempty"`
	Unknown bool   `json:"unknown,omitempty"` // the host does not know the worker, or ships no such file
	Error   string `json:"error,omitempty"`
}

// file answers a worker that asks for a part of a file.
func (h *Host) file(msg *nats.Msg) {
	var p piece
	if err := json.Unmarshal(msg.Data, &p); err != nil {
		return
	}
	m := h.member(msg, p.Session)
	if m == nil {
		h.answer(msg, content{Unknown: true})
		return
	}
	h.mu.Lock()
	m.seen = time.Now() // it joins again only when it has all
	h.mu.Unlock()
	for _, f := range h.Ship {
		if f.Engine == p.Engine && f.Name == p.Name && p.At >= 0 && p.At < f.Size {
			h.answer(msg, part(f, p.At))
			return
		}
	}
	h.answer(msg, content{Unknown: true})
}

// part reads a part of a file. The worker knows whether it is the right one.
func part(f config.ShippedFile, at int64) content {
	file, err := os.Open(f.Path)
	if err != nil {
		return content{Error: "the file cannot be read any more"}
	}
	defer file.Close()
	data := make([]byte, min(pieceSize, f.Size-at))
	if _, err := file.ReadAt(data, at); err != nil {
		return content{Error: "the file cannot be read any more"}
	}
	return content{Data: data}
}

// fetch writes a file of the host.
func (s *serving) fetch(f config.ShippedFile, to io.Writer) error {
	for at := int64(0); at < f.Size; {
		c, err := s.piece(piece{Session: s.Worker.session, Engine: f.Engine, Name: f.Name, At: at})
		switch {
		case err != nil:
			return fmt.Errorf("%s does not come: %w", f.Name, err)
		case c.Error != "":
			return errors.New(plain(c.Error, mostRemark, false))
		case c.Unknown || len(c.Data) == 0:
			return fmt.Errorf("the host does not ship %s", f.Name)
		}
		if _, err := to.Write(c.Data); err != nil {
			return err
		}
		at += int64(len(c.Data))
	}
	return nil
}

// piece asks for a part until it comes, or the host is gone.
func (s *serving) piece(p piece) (c content, err error) {
	for {
		ctx, cancel := context.WithTimeout(s.ctx, s.answer)
		msg, err := s.Conn.RequestWithContext(ctx, subject(s.key, "file", s.Name), encode(p))
		cancel()
		if err == nil {
			return c, json.Unmarshal(msg.Data, &c)
		}
		if s.ctx.Err() != nil || s.silent() > silence {
			return c, err
		}
		s.rest(time.Second)
	}
}
