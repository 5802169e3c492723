package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena/config"
)

// Files of engines travel in pieces, as questions and answers like all else.

// pieceSize is the most of a file in one message: room for base64 and less than what a
// server takes.
const pieceSize = 512 << 10

// piece asks for a part of a file.
type piece struct {
	Start  string `json:"start"` // of the worker
	Engine string `json:"engine"`
	Name   string `json:"name"`
	At     int64  `json:"at"`
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
	name := nameIn(msg.Subject)
	h.mu.Lock()
	m := h.members[name]
	known := m != nil && m.there() && m.start == p.Start
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
	for _, f := range h.Ship {
		if f.Engine == p.Engine && f.Name == p.Name && p.At >= 0 && p.At < f.Size {
			answer(part(f, p.At))
			return
		}
	}
	answer(content{Unknown: true})
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
		c, err := s.piece(piece{Start: s.start, Engine: f.Engine, Name: f.Name, At: at})
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
