package remote

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"thera/arena"
)

// handed are the games of a lease as a worker hands them in.
type handed struct {
	Attempt int
	Games   []*arena.Record
}

// sent is how they travel.
type sent struct {
	Attempt int       `json:"attempt"`
	Games   []figured `json:"games"`
}

const mostUnpacked = 64 << 20

// pack compresses games.
func pack(h *handed) ([]byte, error) {
	s := sent{Attempt: h.Attempt}
	for _, rec := range h.Games {
		s.Games = append(s.Games, figure(rec))
	}
	text, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("games of a lease: %w", err)
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// unpackers are used again: each has a window of 32 KiB.
var unpackers = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// unpack reads what pack wrote, or anything else.
func unpack(data []byte) (*handed, error) {
	r := unpackers.Get().(io.ReadCloser)
	defer unpackers.Put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(data), nil); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, mostUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	case len(text) > mostUnpacked:
		return nil, fmt.Errorf("games of over %d MiB", mostUnpacked>>20)
	}
	var s sent
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("games that cannot be read: %w", err)
	}
	if n := len(s.Games); n == 0 || n > 2 {
		return nil, fmt.Errorf("%d games, expected those of a pair", n)
	}
	h := &handed{Attempt: s.Attempt}
	for i := range s.Games {
		rec, err := s.Games[i].record()
		if err != nil {
			return nil, fmt.Errorf("games that cannot be read: %w", err)
		}
		h.Games = append(h.Games, rec)
	}
	return h, nil
}

// The headers of a message with games: of which lease, and which part of them.
const (
	headerLease = "Thera-Lease"

	headerID   = "Thera-Id"
	headerPart = "Thera-Part" // from 1
	headerOf   = "Thera-Of"
)

// cut divides data into messages of at most so many bytes.
func cut(subject, id string, data []byte, most int) []*nats.Msg {
	parts := max((len(data)+most-1)/most, 1)
	var out []*nats.Msg
	for i := range parts {
		msg := nats.NewMsg(subject)
		msg.Data = data[i*most : min((i+1)*most, len(data))]
		if parts > 1 {
			msg.Header.Set(headerID, id)
			msg.Header.Set(headerPart, strconv.Itoa(i+1))
			msg.Header.Set(headerOf, strconv.Itoa(parts))
		}
		out = append(out, msg)
	}
	return out
}

const (
	mostParts   = 64              // of one lease's games
	mostHalves  = 256             // leases of which some parts have come
	mostKept    = 256 << 20       // bytes of these parts
	partsExpire = 2 * time.Minute // after the first part
)

// joiner joins parts. A worker has one lease's parts of one id at a time.
type joiner struct {
	mu     sync.Mutex
	halves map[string]*half
	kept   int // bytes
}

type half struct {
	since time.Time
	parts [][]byte
	left  int
}

// errMoreParts means that the part has come and others are missing.
var errMoreParts = errors.New("more parts are to come")

// join returns the whole of which msg of this sender is a part, or errMoreParts.
func (j *joiner) join(sender string, msg *nats.Msg) ([]byte, error) {
	id := msg.Header.Get(headerID)
	if id == "" {
		return msg.Data, nil
	}
	of, err := strconv.Atoi(msg.Header.Get(headerOf))
	part, err2 := strconv.Atoi(msg.Header.Get(headerPart))
	if err != nil || err2 != nil || of < 2 || of > mostParts || part < 1 || part > of {
		return nil, fmt.Errorf("part %.10q of %.10q, expected up to %d parts", msg.Header.Get(headerPart), msg.Header.Get(headerOf), mostParts)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, h := range j.halves {
		if time.Since(h.since) > partsExpire {
			j.drop(key)
		}
	}
	key := sender + " " + id
	h := j.halves[key]
	if h == nil || len(h.parts) != of {
		if len(j.halves) >= mostHalves || j.of(sender) >= mostHalves/4 {
			return nil, errors.New("too many games are half sent")
		}
		j.drop(key)
		h = &half{since: time.Now(), parts: make([][]byte, of), left: of}
		j.halves[key] = h
	}
	if h.parts[part-1] == nil {
		if j.kept+len(msg.Data) > mostKept {
			return nil, errors.New("too many games are half sent")
		}
		h.parts[part-1] = msg.Data
		h.left--
		j.kept += len(msg.Data)
	}
	if h.left > 0 {
		return nil, errMoreParts
	}
	j.drop(key)
	return bytes.Join(h.parts, nil), nil
}

// of counts the leases of a sender of which some parts have come. The lock is held.
func (j *joiner) of(sender string) int {
	n := 0
	for key := range j.halves {
		if strings.HasPrefix(key, sender+" ") {
			n++
		}
	}
	return n
}

// drop forgets the parts of a lease's games. The lock is held.
func (j *joiner) drop(key string) {
	if h := j.halves[key]; h != nil {
		for _, part := range h.parts {
			j.kept -= len(part)
		}
		delete(j.halves, key)
	}
}
